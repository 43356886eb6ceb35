import type { Page } from 'playwright-core';
import type { Rect } from '#page-engine/dom/geometry.js';

interface Picture {
  /** Base64. */
  data: string;
  type: 'jpeg' | 'png' | 'webp';
  /** 1 to 100. */
  quality?: number;
}

/** What to draw on a picture. `width` or `scale` converts the rectangles to picture pixels. */
export interface PictureDrawing {
  crop?: Rect;
  covers?: readonly Rect[];
  labels?: readonly (Rect & { label: string })[];
  /** The picture's width in the unit of the rectangles, if it is known. */
  width?: number;
  /** Picture pixels per unit of the rectangles, without `width`; default 1. */
  scale?: number;
  /** The longest side of the drawn picture in pixels: a larger one is scaled down. */
  longest?: number;
}

/** Draws on a picture in a blank page, so that the captured page stays untouched. Resolves to base64. */
export function drawOnPicture(blank: Page, picture: Picture, drawing: PictureDrawing): Promise<string> {
  return blank.evaluate(paint, { ...picture, ...drawing });
}

/** Runs in the blank page. */
async function paint({
  data,
  type,
  quality = 90,
  crop,
  covers = [],
  labels = [],
  width,
  scale = 1,
  longest = Number.POSITIVE_INFINITY,
}: Picture & PictureDrawing): Promise<string> {
  const image = new Image();
  image.src = `data:image/${type};base64,${data}`;
  await image.decode();
  const pixels = width === undefined ? scale : image.naturalWidth / width;
  const full = {
    width: crop === undefined ? image.naturalWidth : Math.ceil(crop.width * pixels),
    height: crop === undefined ? image.naturalHeight : Math.ceil(crop.height * pixels),
  };
  const reduction = Math.min(1, longest / Math.max(full.width, full.height));
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(full.width * reduction));
  canvas.height = Math.max(1, Math.round(full.height * reduction));
  const context = canvas.getContext('2d');
  if (context === null) throw new Error('no canvas');
  context.imageSmoothingQuality = 'high';
  context.scale(reduction, reduction);
  context.translate(-(crop?.x ?? 0) * pixels, -(crop?.y ?? 0) * pixels);
  context.drawImage(image, 0, 0);
  context.scale(pixels, pixels);
  context.fillStyle = '#555';
  for (const { x, y, width, height } of covers) context.fillRect(x, y, width, height);
  context.font = 'bold 11px sans-serif';
  context.textBaseline = 'top';
  labels.forEach(({ label, x, y, width, height }, index) => {
    const color = `hsl(${(index * 47) % 360} 85% 35%)`;
    context.strokeStyle = color;
    context.lineWidth = 2;
    context.strokeRect(x, y, width, height);
    const tag = context.measureText(label).width + 6;
    const top = y >= 14 ? y - 14 : y;
    context.fillStyle = color;
    context.fillRect(x - 1, top, tag, 14);
    context.fillStyle = 'white';
    context.fillText(label, x + 2, top + 2);
  });
  return canvas.toDataURL(`image/${type}`, quality / 100).split(',')[1] ?? '';
}
