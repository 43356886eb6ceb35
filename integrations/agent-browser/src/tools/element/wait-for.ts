import type { Frame, Locator } from 'playwright-core';
import { isTimeout, ToolError } from '../../outcome/errors.js';
import type { Probe } from '../../page/protocol.js';
import type { RefEntry } from '../../refs/ref-entry.js';
import { describeTold } from '../../refs/told.js';
import type { Action } from '../call/action.js';

/** How long to wait in milliseconds, and what ends it. */
export interface WaitLimits {
  timeout: number;
  signal: AbortSignal;
}

/** Resolves when text shows in any frame, also in one that comes later. */
export async function textShows({ tab }: Action, text: string, { timeout, signal }: WaitLimits): Promise<void> {
  const { page } = tab;
  const found = new AbortController();
  const limits = { timeout, signal: AbortSignal.any([signal, found.signal]) };
  let watch: (frame: Frame) => void = () => undefined;
  try {
    await new Promise<void>((resolve, reject) => {
      watch = frame => {
        visibleText(frame, text)
          .waitFor({ ...limits, state: 'visible' })
          // A frame that goes takes its wait along; the main frame goes with the page alone.
          .then(resolve, error => (frame === page.mainFrame() ? reject(error) : undefined));
      };
      page.on('frameattached', watch);
      page.frames().forEach(watch);
    });
  } finally {
    page.off('frameattached', watch);
    found.abort();
  }
}

/** Resolves when text shows in no frame. */
export async function textGoes({ tab }: Action, text: string, limits: WaitLimits): Promise<void> {
  await Promise.all(
    tab.page.frames().map(async frame => {
      try {
        await visibleText(frame, text).waitFor({ ...limits, state: 'hidden' });
      } catch (error) {
        if (!frame.isDetached()) throw error;
      }
    }),
  );
}

function visibleText(frame: Frame, text: string): Locator {
  return frame.getByText(text).filter({ visible: true }).first();
}

export type ElementState = 'visible' | 'hidden' | 'enabled' | 'disabled';

/** Resolves when the element of a ref is in a state. One that is gone is hidden, and nothing else any more. */
export async function elementState(
  action: Action,
  ref: string,
  { state, ...limits }: WaitLimits & { state: ElementState },
): Promise<void> {
  const lookup = action.session.refs.find(ref);
  if (!('found' in lookup)) {
    if (lookup.code === 'stale_ref' && state === 'hidden') return;
    throw new ToolError(lookup.code, lookup.message);
  }
  const entry = lookup.found;
  try {
    await waitForState(action, entry, { ...limits, state });
  } catch (error) {
    if (isTimeout(error) || limits.signal.aborted || !(await isGone(action, entry))) throw error;
    if (state !== 'hidden')
      throw new ToolError('stale_ref', `${entry.ref} (${describeTold(entry.told)}) is not on the page any more.`);
  }
}

async function waitForState(
  action: Action,
  entry: RefEntry,
  { state, ...limits }: WaitLimits & { state: ElementState },
): Promise<void> {
  const { document } = entry.node;
  // Its text may change during the wait.
  const target = { ...action.session.refs.target(entry), fingerprint: 0 };
  const handle = await action.tab.engine.locator(document.frame, { do: 'element', target }).elementHandle(limits);
  try {
    await handle.waitForElementState(state, limits);
  } finally {
    await handle.dispose();
  }
}

async function isGone({ tab, limits }: Action, { node }: RefEntry): Promise<boolean> {
  const { frame, doc } = node.document;
  if (frame.isDetached()) return true;
  const now = await tab.engine.ask<{ doc: string }>(frame, { do: 'ping' }, limits);
  if (now.doc !== doc) return true;
  return !(await tab.engine.ask<Probe>(frame, { do: 'probe', id: node.id }, limits)).connected;
}
