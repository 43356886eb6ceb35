import type { Page } from 'playwright-core';
import type { Area } from './secret-sightings.js';

export interface Picture {
  /** Base64. */
  data: string;
  type: 'jpeg' | 'png' | 'webp';
  /** 1 to 100. */
  quality?: number;
}

/**
 * Covers areas of a picture, in a blank page: the page on the picture stays untouched.
 * @param width Of the picture in the pixels that the areas are in.
 * @returns The picture, base64.
 */
export function coverPicture(blank: Page, picture: Picture, areas: readonly Area[], width?: number): Promise<string> {
  return blank.evaluate(paint, { ...picture, areas: [...areas], width });
}

/** Runs in the blank page. */
async function paint({
  data,
  type,
  quality = 90,
  areas,
  width,
}: Picture & { areas: Area[]; width: number | undefined }): Promise<string> {
  const image = new Image();
  image.src = `data:image/${type};base64,${data}`;
  await image.decode();
  const canvas = document.createElement('canvas');
  canvas.width = image.naturalWidth;
  canvas.height = image.naturalHeight;
  const context = canvas.getContext('2d');
  if (context === null) throw new Error('no canvas');
  context.drawImage(image, 0, 0);
  const scale = width === undefined ? 1 : image.naturalWidth / width;
  context.fillStyle = '#555';
  for (const area of areas) context.fillRect(area.x * scale, area.y * scale, area.width * scale, area.height * scale);
  return canvas.toDataURL(`image/${type}`, quality / 100).split(',')[1] ?? '';
}
