import type { InjectedEvent } from '@browser-toolset/core/testing';
import type { ServedView, TestViewer } from './viewing.js';

/** What the browser of the viewer's thread shows. */
export const PAGE = 'https://shop.example/';

/** Opens the page, and lets a viewer see it. */
export async function openOne(served: ServedView): Promise<TestViewer> {
  served.browser.open('one', PAGE);
  return join(served);
}

/** Lets one more viewer see the page. */
export async function join({ watch }: ServedView): Promise<TestViewer> {
  const viewer = await watch();
  await viewer.until(({ frames, control }) => frames.length > 0 && control !== undefined);
  return viewer;
}

/** A press of the mouse, as a viewer sends it. */
export const press = (x: number, y: number) =>
  ({ type: 'mouse', event: { type: 'mousePressed', x, y, button: 'left', clickCount: 1 } }) as const;

/** The mouse events among what reached a browser. */
export const mouseOf = (injected: InjectedEvent[]) =>
  injected.flatMap(input => (input.kind === 'mouse' ? [input.event] : []));
