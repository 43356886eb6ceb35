import type { Page } from 'playwright-core';

/** Counts the pixels of a colour on a picture, base64; a page decodes it. */
export async function countColour(
  decoder: Page,
  picture: string,
  colour: 'red' | 'grey',
  type = 'png',
): Promise<number> {
  return decoder.evaluate(
    async ({ source, colour }) => {
      const image = await createImageBitmap(await (await fetch(source)).blob());
      const context = new OffscreenCanvas(image.width, image.height).getContext(
        '2d',
      ) as OffscreenCanvasRenderingContext2D;
      context.drawImage(image, 0, 0);
      const { data } = context.getImageData(0, 0, image.width, image.height);
      let count = 0;
      for (let at = 0; at < data.length; at += 4) {
        const [red, green, blue] = [data[at] ?? 0, data[at + 1] ?? 0, data[at + 2] ?? 0];
        const isRed = red > 150 && green < 110 && blue < 110;
        const isGrey = Math.abs(red - 85) < 6 && Math.abs(green - 85) < 6 && Math.abs(blue - 85) < 6;
        if (colour === 'red' ? isRed : isGrey) count++;
      }
      return count;
    },
    { source: `data:image/${type};base64,${picture}`, colour },
  );
}
