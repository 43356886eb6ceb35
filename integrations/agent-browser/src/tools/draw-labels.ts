import type { Action } from './action.js';
import type { LabelBox } from './labels.js';
import type { PictureKind } from './picture.js';

/** Draws boxes with refs on a picture, in a blank page of its own: the page on the picture stays untouched. */
export async function drawLabels(
  action: Action,
  picture: Buffer,
  { boxes, type, quality = 100 }: PictureKind & { boxes: readonly LabelBox[] },
): Promise<Buffer> {
  const page = await action.session.scratchPage();
  try {
    const drawn = await page.evaluate(drawBoxes, {
      source: `data:image/${type};base64,${picture.toString('base64')}`,
      boxes: [...boxes],
      mimeType: `image/${type}`,
      quality: quality / 100,
    });
    return Buffer.from(drawn, 'base64');
  } finally {
    await page.close();
  }
}

interface Job {
  source: string;
  boxes: LabelBox[];
  mimeType: string;
  quality: number;
}

/** Runs in the blank page. */
async function drawBoxes({ source, boxes, mimeType, quality }: Job): Promise<string> {
  const image = new Image();
  image.src = source;
  await image.decode();
  const canvas = document.createElement('canvas');
  canvas.width = image.naturalWidth;
  canvas.height = image.naturalHeight;
  const context = canvas.getContext('2d');
  if (context === null) throw new Error('no canvas');
  context.drawImage(image, 0, 0);
  context.font = 'bold 11px sans-serif';
  context.textBaseline = 'top';
  boxes.forEach(({ ref, x, y, width, height }, index) => {
    const color = `hsl(${(index * 47) % 360} 85% 35%)`;
    context.strokeStyle = color;
    context.lineWidth = 2;
    context.strokeRect(x, y, width, height);
    const text = ref.slice(1);
    const tag = context.measureText(text).width + 6;
    const top = y >= 14 ? y - 14 : y;
    context.fillStyle = color;
    context.fillRect(x - 1, top, tag, 14);
    context.fillStyle = 'white';
    context.fillText(text, x + 2, top + 2);
  });
  return canvas.toDataURL(mimeType, quality).split(',')[1] ?? '';
}
