import { setTimeout as delay } from 'node:timers/promises';
import { ToolError } from '../../outcome/errors.js';
import type { ElementAt, Probe } from '../../page/protocol.js';
import type { RefEntry } from '../../refs/ref-entry.js';
import { describeTold } from '../../refs/told.js';
import { capture } from '../../snapshot/reading.js';
import { everyNode } from '../../snapshot/tree.js';
import { outerPoint } from '../element/outer-point.js';
import type { Action } from './action.js';

/** The obstacle between an action and its element: it moves, only a part of it is free, or an error for the agent. */
export type Hindrance = 'moving' | { freeAt: { x: number; y: number } } | (() => Promise<ToolError>);

export interface HindranceOptions {
  /** The action needs an element that is not disabled. */
  mustBeEnabled: boolean;
  /** A cover that looks as if it will go away by itself is waited for. */
  patient: boolean;
  /** An element that does not stand still can be pressed all the same. */
  canBeChased?: boolean;
}

interface Covered extends Pick<Probe, 'coveredBy' | 'passing' | 'wayOutId'> {
  /** The document of what would be pressed, where it is not the element's. */
  wayOutIn?: string;
}

/** Milliseconds in which a page that runs has answered. */
const ANSWER = 1_000;
/** Milliseconds after which something that moves is elsewhere. */
const BLINK = 80;

/** Asks the page what keeps an action from an element; undefined when it knows of nothing, or does not answer. */
export async function hindrance(
  action: Action,
  entry: RefEntry,
  { mustBeEnabled, patient, canBeChased = false }: HindranceOptions,
): Promise<Hindrance | undefined> {
  const probe = await probeOf(action, entry);
  // Playwright notices by itself when the element is gone.
  if (probe === undefined || !probe.connected) return undefined;
  const what = `${entry.ref} (${describeTold(entry.told)})`;
  if (mustBeEnabled && probe.disabled) return async () => new ToolError('element_disabled', `${what} is disabled.`);
  if (!probe.visible) return async () => new ToolError('element_not_visible', `${what} is not visible.`);
  const cover = probe.coveredBy === undefined ? await coverOfFrame(action, entry, probe) : probe;
  if (probe.letsThrough)
    return async () => new ToolError('element_blocked', `${what} does not react to the mouse (pointer-events: none).`);
  if (probe.free !== undefined) return { freeAt: probe.free };
  if (cover?.coveredBy !== undefined) {
    if (patient && cover.passing) return undefined;
    return async () => blocked(action, entry, cover);
  }
  return canBeChased && (await hasMoved(action, entry, probe)) ? 'moving' : undefined;
}

function probeOf({ tab, signal }: Action, entry: RefEntry): Promise<Probe | undefined> {
  const { document, id } = entry.node;
  const request = { do: 'probe', id } as const;
  return tab.engine.ask<Probe>(document.frame, request, { timeout: ANSWER, signal }).catch(() => undefined);
}

async function hasMoved(action: Action, entry: RefEntry, before: Probe): Promise<boolean> {
  await delay(BLINK, undefined, { signal: action.signal });
  const after = await probeOf(action, entry);
  return after?.box?.some((edge, index) => edge !== before.box?.[index]) ?? false;
}

/** The cover of a frame can be seen only from the document around it. */
async function coverOfFrame(action: Action, entry: RefEntry, probe: Probe): Promise<Covered | undefined> {
  const { frame } = entry.node.document;
  if (frame.parentFrame() === null || probe.box === undefined) return undefined;
  const { engine, page } = action.tab;
  const limits = { timeout: ANSWER, signal: action.signal };
  const [x, y, width, height] = probe.box;
  const middle = await outerPoint(action, frame, { x: x + width / 2, y: y + height / 2 }).catch(() => undefined);
  if (middle === undefined) return undefined;
  const hit = await engine
    .ask<ElementAt | null>(page.mainFrame(), { do: 'at', x: middle.x, y: middle.y }, limits)
    .catch(() => undefined);
  if (hit == null || hit.inner !== undefined) return undefined;
  const asked = { do: 'wayOut', id: hit.id } as const;
  const wayOutId = await engine.ask<number | null>(page.mainFrame(), asked, limits).catch(() => null);
  const coveredBy = `<${hit.tag}> ${describeTold({ ...hit, row: '' })}`;
  return { coveredBy, wayOutIn: hit.doc, ...(wayOutId !== null && { wayOutId }) };
}

/** Names what covers the element and, if the page knows one, the element that a person would press to get past it. */
async function blocked(
  action: Action,
  entry: RefEntry,
  { coveredBy, wayOutId, wayOutIn = entry.node.document.doc }: Covered,
): Promise<ToolError> {
  const wayOut = wayOutId === undefined ? undefined : await refFor(action, wayOutIn, wayOutId);
  const what = `${entry.ref} (${describeTold(entry.told)})`;
  const hint = wayOut && `To get past it, try ${wayOut.ref} (${describeTold({ ...wayOut.told, row: '' })}).`;
  return new ToolError('element_blocked', `${what} is covered by ${coveredBy}.`, { hint });
}

/** The ref of an element that may have come after the agent last read the page. */
async function refFor(action: Action, doc: string, id: number): Promise<RefEntry | undefined> {
  const { session, tab, limits } = action;
  const page = await capture(tab, limits);
  session.refs.replace(page, false);
  for (const node of everyNode(page.roots)) {
    if (node.id === id && node.document.doc === doc) session.refs.refOf(node);
  }
  return session.refs.entryOf(doc, id);
}
