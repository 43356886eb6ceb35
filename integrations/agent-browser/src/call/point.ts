import type { ElementIdentity, FrameIdentity } from '@browser-toolset/core';
import type { Frame } from 'playwright-core';
import type { z } from 'zod/v4';
import type { Point } from '#page-engine/dom/geometry.js';
import type { Asked } from '#page-engine/engine.js';
import { anyElement, type ElementAt, type IdentityNow, type OuterPointAnswer } from '#page-engine/protocol.js';
import { cutText, shortText } from '#page-engine/text/cut-text.js';
import type { Session } from '../browser/session.js';
import type { Tab } from '../browser/tab/tab.js';
import { MAX_FRAME_DEPTH } from '../limits.js';
import type { RefEntry } from '../refs/registry.js';
import { plainMessage, ToolError } from '../results/errors.js';
import type { elementField } from '../results/result.js';
import { type Action, untilPainted } from './action.js';

/** A check for `refine`, for input that takes either an element or a point. */
export const refOrPoint: [(input: Partial<Point> & { ref?: string }) => boolean, { message: string }] = [
  ({ ref, x, y }) => (ref === undefined ? x !== undefined && y !== undefined : x === undefined && y === undefined),
  { message: 'give either ref, or both x and y' },
];

/** Converts a screenshot point to CSS pixels of the visual viewport; outside of it Chromium would hit nothing. */
export async function toPoint(action: Action, { x = 0, y = 0 }: Partial<Point>): Promise<Point> {
  const boxes = await action.ask(action.tab.page.mainFrame(), 'boxes', { ids: [] });
  const [width, height] = boxes.viewport.map(size => Math.round(size * boxes.scale)) as [number, number];
  if (x >= 0 && y >= 0 && x < width && y < height) return { x: x / boxes.scale, y: y / boxes.scale };
  throw new ToolError('invalid_input', `x, y: (${x}, ${y}) is outside the viewport of ${width} x ${height}.`);
}

/** What is at a point, and the frame whose document it is in. */
export interface FoundAtPoint {
  frame: Frame;
  /** Undefined where nothing can be hit. */
  element: ElementAt | undefined;
}

/** The nearest interactive element at a point, else the topmost one, inside frames as well. */
export async function elementAtPoint(
  action: Action,
  point: Point,
  { isPressed }: { /** A press of it is guarded. */ isPressed?: true } = {},
): Promise<FoundAtPoint> {
  const found: FoundAtPoint = { frame: action.tab.page.mainFrame(), element: undefined };
  let frame: Frame | null = found.frame;
  let at = point;
  let next = point;
  for (let depth = 0; frame !== null && depth < MAX_FRAME_DEPTH; depth++) {
    if (isPressed) action.guardedFrame = frame;
    const asked: Asked<'at'> = { ...next, ...(isPressed && { guards: 'inside', ...action.mayDo }) };
    const hit: ElementAt | null = await action.ask(frame, 'at', asked);
    if (hit === null) break;
    Object.assign(found, { frame, element: hit });
    at = next;
    if (hit.inner === undefined) return found;
    next = hit.inner;
    frame = await action.tab.engine.contentFrame(frame, hit, action.limits);
  }
  // The press is for the frame element itself, such as its border.
  if (isPressed && found.element !== undefined) {
    action.guardedFrame = found.frame;
    await action.ask(found.frame, 'at', { ...at, guards: 'here', ...action.mayDo });
  }
  return found;
}

export function reportedElement(
  action: Action,
  found: ElementAt | undefined,
): z.output<typeof elementField> | undefined {
  if (found === undefined) return undefined;
  const { ref, node } = action.session.refs.entryOf(found.doc, found.id) ?? {};
  const { role, tag } = found;
  return { ref, role, name: cutText(found.name, 200), tag, hint: node?.hint };
}

/** Such as `button "Save"`, or `button [icon-save]` for one without a name. */
export function elementWords({ role, name, hint }: z.output<typeof elementField>): string {
  return `${role} ${hint === undefined ? JSON.stringify(shortText(name, 80)) : `[${hint}]`}`;
}

/**
 * Maps a point of a frame's document to the page's viewport, and scrolls it into view; frames may be scaled and rotated.
 * Undefined where a document around the frame does not know it.
 */
export async function outerPoint(action: Action, frame: Frame, point: Point): Promise<OuterPointAnswer | undefined> {
  let at: OuterPointAnswer = { ...point, wasScrolled: false };
  let inner = frame;
  for (let around = inner.parentFrame(); around !== null; around = inner.parentFrame()) {
    const holder = action.tab.capture.holders.get(inner);
    if (holder === undefined) return undefined;
    const { x, y } = at;
    const next: OuterPointAnswer | null = await action.ask(around, 'outOfFrame', { id: holder.id, x, y });
    if (next === null) return undefined;
    at = { ...at, ...next, wasScrolled: at.wasScrolled || next.wasScrolled };
    inner = around;
  }
  if (at.wasScrolled) await untilPainted(action);
  return at;
}

/** The offset of a document in the page, in CSS pixels, by an element of it and the corner of that in the document. */
export async function offsetInPage(
  { tab, limits }: Action,
  { document: { doc, frame }, id }: Pick<RefEntry['node'], 'document' | 'id'>,
  corner: Point,
): Promise<Point | undefined> {
  if (frame.parentFrame() === null) return { x: 0, y: 0 };
  const inPage = await tab.engine.locator(frame, anyElement(doc, id)).boundingBox(limits);
  return inPage === null ? undefined : { x: inPage.x - corner.x, y: inPage.y - corner.y };
}

const IDENTIFY_TIMEOUT_MS = 2_000;

/** How the page identifies the elements of refs now, by ref as it was given. Unknown elements are left out. */
export async function identifyRefs(
  { activeTab: tab, refs: known, owner, threadId }: Session,
  refs: readonly string[],
): Promise<Record<string, ElementIdentity>> {
  // A page with an open dialog answers nothing.
  if (tab === undefined || tab.dialog !== undefined) return {};
  const entries = refs.flatMap(ref => {
    const lookup = known.find(ref);
    return 'found' in lookup ? [{ ref, entry: lookup.found }] : [];
  });
  const found = [...Map.groupBy(entries, ({ entry }) => entry.node.document.frame)].map(([frame, inFrame]) =>
    identifyIn(tab, frame, { known, asked: inFrame }).catch(error => {
      owner.log.debug('a frame does not tell the paths of its elements', { threadId, error: plainMessage(error) });
      return [];
    }),
  );
  return Object.fromEntries((await Promise.all(found)).flat());
}

async function identifyIn(
  tab: Tab,
  frame: Frame,
  { known, asked }: { known: Session['refs']; asked: readonly { ref: string; entry: RefEntry }[] },
): Promise<[ref: string, identity: ElementIdentity][]> {
  const nodes = asked.map(({ entry }) => entry.node);
  const [frames, identities] = await Promise.all([frameIdentities(tab, frame), identitiesIn(tab, frame, nodes)]);
  return asked.flatMap(({ ref, entry }, i) => {
    const now = identities[i];
    if (now == null || frames === undefined) return [];
    const { tag = '', domId } = entry.node;
    const path = [...frames.map(each => each.path), now.path].join(' >> ');
    const own = { ...(domId !== undefined && { id: domId }), ...(now.masked && { masked: now.masked }) };
    return [[ref, { tag, ...own, path, ...(frames.length > 0 && { frames }), said: known.placeOf(entry, now) }]];
  });
}

function identitiesIn(tab: Tab, frame: Frame, nodes: readonly RefEntry['node'][]): Promise<(IdentityNow | null)[]> {
  const doc = nodes[0]?.document.doc ?? '';
  const ids = nodes.map(({ id, document }) => (document.doc === doc ? id : 0));
  return tab.engine.call(frame, 'identities', { doc, ids }, { timeout: IDENTIFY_TIMEOUT_MS });
}

/** The frames from the page to the document of a frame, the outermost first; undefined when one is gone. */
async function frameIdentities(tab: Tab, frame: Frame): Promise<FrameIdentity[] | undefined> {
  const parent = frame.parentFrame();
  if (parent === null) return [];
  const holder = tab.capture.holders.get(frame);
  if (holder === undefined) return undefined;
  const [around, [now]] = await Promise.all([frameIdentities(tab, parent), identitiesIn(tab, parent, [holder])]);
  if (now == null || around === undefined) return undefined;
  const { tag = 'iframe', domId } = holder;
  const id = domId !== undefined && { id: domId };
  return [...around, { tag, ...(now.name !== '' && { name: now.name }), ...id, path: now.path }];
}
