import type { Page } from 'playwright-core';

/** A button of the panel. */
export const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

/** The colour of a pixel of the picture. */
export function pixel(page: Page, x: number, y: number): Promise<number[]> {
  return page
    .locator('canvas')
    .evaluate(
      (canvas, at) => [...((canvas as HTMLCanvasElement).getContext('2d')?.getImageData(at.x, at.y, 1, 1).data ?? [])],
      { x, y },
    );
}
