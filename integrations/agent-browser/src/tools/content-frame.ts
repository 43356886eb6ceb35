import type { Frame } from 'playwright-core';
import type { Target } from '../page/protocol.js';
import type { Action } from './action.js';

/** The frame whose document an element of another shows; null for what is no frame. */
export async function contentFrame(
  action: Action,
  parent: Frame,
  { doc, id }: Pick<Target, 'doc' | 'id'>,
): Promise<Frame | null> {
  const target = { doc, id, fingerprint: 0, lastId: 0 };
  const handle = await action.tab.engine.locator(parent, { do: 'element', target }).elementHandle(action.limits);
  const frame = await handle.contentFrame();
  await handle.dispose();
  return frame;
}
