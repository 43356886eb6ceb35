import { setTimeout as delay } from 'node:timers/promises';
import type { Frame, Locator } from 'playwright-core';
import { anyElement, Flag } from '#page-engine/protocol.js';
import { withoutMarks } from '#page-engine/text/text-marks.js';
import type { Limits } from '../browser/tab/engine.js';
import { TimeoutError } from '../browser/tab/engine-line.js';
import type { Action } from '../call/action.js';
import { capture } from '../diff/page-view.js';
import { describeEntry, type RefEntry } from '../refs/registry.js';
import { isTimeout, ToolError } from '../results/errors.js';
import { everyNode } from '../snapshot/tree.js';
import { matchLoosely, spellingPattern } from './text-match.js';

/** Milliseconds between two reads of a page; no event reports that its text has changed. */
const POLL_MS = 250;

/**
 * Resolves when text is visible in any frame, including new ones. Text that an agent reads as the name of a secret does
 * not count: each answer about a part of the secret would reveal a letter.
 */
export async function textShows(action: Action, text: string, limits: Limits): Promise<void> {
  const began = performance.now();
  await anyFrameShows(action, text, limits);
  const timeout = began + limits.timeout - performance.now();
  if (!action.session.owner.secrets.areNone) await untilRead(action, { text, isThere: true }, { ...limits, timeout });
}

async function anyFrameShows({ tab }: Action, text: string, { timeout, signal }: Limits): Promise<void> {
  const { page } = tab;
  const found = new AbortController();
  const limits = { timeout, signal: AbortSignal.any([signal, found.signal]) };
  const { promise: shown, resolve, reject } = Promise.withResolvers<void>();
  const watch = (frame: Frame): void => {
    visibleText(frame, text)
      .waitFor({ ...limits, state: 'visible' })
      // The wait of a removed frame fails with it; the main frame is removed only with the page.
      .then(resolve, error => (frame === page.mainFrame() ? reject(error) : undefined));
  };
  page.on('frameattached', watch);
  try {
    page.frames().forEach(watch);
    await shown;
  } finally {
    page.off('frameattached', watch);
    found.abort();
  }
}

/** Resolves when text is visible in no frame, except text that an agent reads as the name of a secret. */
export async function textGoes(action: Action, text: string, limits: Limits): Promise<void> {
  if (action.session.owner.secrets.areNone) await allFramesLack(action.tab.page.frames(), text, limits);
  else await untilRead(action, { text, isThere: false }, limits);
}

/** Resolves when the page, as an agent would read it now, contains a text or does not. */
async function untilRead(
  { tab }: Action,
  { text, isThere }: { text: string; isThere: boolean },
  { timeout, signal }: Limits,
): Promise<void> {
  const ends = performance.now() + timeout;
  for (;;) {
    const left = Math.max(1, ends - performance.now());
    const { roots } = await capture(tab, { timeout: left, signal }, 'deep');
    const seen = [...everyNode(roots)].filter(({ flags }) => (flags & Flag.HiddenText) === 0);
    if (matchLoosely([seen.map(({ name }) => name).join(' ')], text).length > 0 === isThere) return;
    if (performance.now() + POLL_MS > ends) throw new TimeoutError('the page did not come to read so');
    await delay(POLL_MS, undefined, { signal });
  }
}

async function allFramesLack(frames: readonly Frame[], text: string, limits: Limits): Promise<void> {
  await Promise.all(
    frames.map(async frame => {
      try {
        await visibleText(frame, text).waitFor({ ...limits, state: 'hidden' });
      } catch (error) {
        if (!frame.isDetached()) throw error;
      }
    }),
  );
}

function visibleText(frame: Frame, text: string): Locator {
  // Documents do not contain the marks that texts are reported with.
  const plain = withoutMarks(text);
  const found = frame.getByText(spellingPattern(text));
  const either = plain === text ? found : found.or(frame.getByText(spellingPattern(plain)));
  return either.filter({ visible: true }).first();
}

type ElementState = 'visible' | 'hidden' | 'enabled' | 'disabled';

/** Resolves when the element of a ref is in a state. A removed element is hidden, and in no other state. */
export async function elementState(action: Action, ref: string, state: ElementState, limits: Limits): Promise<void> {
  const lookup = action.session.refs.find(ref);
  if (!('found' in lookup)) {
    if (lookup.code === 'stale_ref' && state === 'hidden') return;
    throw new ToolError(lookup.code, lookup.message);
  }
  const entry = lookup.found;
  try {
    await waitForState(action, entry, state, limits);
  } catch (error) {
    if (isTimeout(error) || limits.signal.aborted || !(await isElementGone(action, entry))) throw error;
    if (state !== 'hidden') throw new ToolError('stale_ref', `${describeEntry(entry)} is no longer on the page.`);
  }
}

async function waitForState(action: Action, entry: RefEntry, state: ElementState, limits: Limits): Promise<void> {
  const { document, id } = entry.node;
  // Its text may change during the wait.
  const locator = action.tab.engine.locator(document.frame, anyElement(document.doc, id));
  const handle = await locator.elementHandle(limits);
  try {
    await handle.waitForElementState(state, limits);
  } finally {
    await handle.dispose();
  }
}

async function isElementGone({ tab, limits }: Action, { node }: RefEntry): Promise<boolean> {
  const { frame, doc } = node.document;
  if (frame.isDetached()) return true;
  const [now] = await tab.engine.call(frame, 'identities', { doc, ids: [node.id] }, limits);
  return now === null;
}
