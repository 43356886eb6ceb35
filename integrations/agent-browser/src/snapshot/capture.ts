import type { CDPSession, Frame, Page } from 'playwright-core';
import { getOrInsert } from '#page-engine/dom/get-or-insert.js';
import {
  type CaptureAnswer,
  type ElementFacts,
  Hears,
  type OutputReport,
  type RawCapture,
  type RefusedField,
  type StyleChange,
  type VisualReport,
} from '#page-engine/protocol.js';
import type { EngineClient } from '../browser/tab/engine.js';
import type { AskOptions, EngineLine } from '../browser/tab/engine-line.js';
import type { Worlds } from '../browser/tab/worlds.js';
import { FRAME_TIMEOUT_MS, MAX_FRAME_DEPTH } from '../limits.js';
import { objectsIn, readInternals, suspectsOf } from './internals.js';
import { buildTree, everyNode, type PageSnapshot, type SnapshotNode } from './tree.js';

/** Events of a press with the mouse or a finger. */
const PRESS_EVENTS: ReadonlySet<string> = new Set([
  'click',
  'dblclick',
  'mousedown',
  'mouseup',
  'pointerdown',
  'pointerup',
  'touchstart',
  'touchend',
]);
/** Input events that frameworks and scripts delegate: one listener on an ancestor serves all the fields inside. */
const INPUTS_WITHIN: ReadonlySet<string> = new Set(['beforeinput', 'change', 'input', 'keyup', 'textInput']);
/** Events that inform a page of input into a field. */
const INPUTS: ReadonlySet<string> = new Set([...INPUTS_WITHIN, 'keydown', 'keypress']);
/** Events of a mouse that comes over an element. */
const HOVER_EVENTS: ReadonlySet<string> = new Set(['mouseenter', 'mouseover', 'pointerenter', 'pointerover']);
/** An element with listeners for more types delegates events for a framework, and may not handle presses. */
const MOST_EVENT_TYPES = 24;
/** Elements of one document that are passed to the engine at a time: a page can have a listener on each of its rows. */
const MOST_NEW = 400;
/** Milliseconds that finding the isolated world of a frame may take. */
const FIND_MS = 250;

/** Shadow roots of one document that are queried for listeners. */
const MOST_ROOTS = 200;
/** How often a root is queried: components add listeners when they are created, or soon after. */
const ASKS = 2;
/** Milliseconds from a capture to the next query of its roots: no event announces a new listener. */
const SOON_MS = 300;

interface Root {
  /** Its `backendNodeId` in the DevTools protocol. */
  node: number;
  asked: number;
  listeners: readonly CdpListener[];
}

/** A pending query for the nodes of a document that have listeners: {@link Hears} bits by `backendNodeId`. */
interface AskedListeners {
  doc: string;
  nodes: Promise<ReadonlyMap<number, number> | undefined>;
}

/** The known listeners of one document. */
interface Heard {
  /** The `objectId` of the document in the DevTools protocol. */
  document: Promise<string | undefined>;
  roots: Root[];
  /** How many shadow roots the engine had found when they were last fetched. */
  met: number;
  /** A second query of the roots is scheduled. */
  isDue: boolean;
  /** Numbers the queries of the roots, for their object groups. */
  rounds: number;
  /** {@link Hears} bits that were passed to the engine, by `backendNodeId`. */
  nodes: Map<number, number>;
}

/**
 * Finds the elements with listeners for presses and input through the DevTools protocol
 * (`DOMDebugger.getEventListeners`) and passes them to the engine of their document. The query runs in parallel with
 * the capture, so a page without listeners needs no extra round trip.
 */
class EventListeners {
  readonly #heard = new WeakMap<EngineLine, Heard>();

  constructor(readonly worlds: Worlds) {}

  /** Queries the nodes with listeners of a frame's document; undefined if its isolated world is not known yet. */
  ask(frame: Frame): AskedListeners | undefined {
    const line = this.worlds.lines.get(frame);
    if (line === undefined || line.isOver) return undefined;
    const nodes = this.#ask(line);
    // The caller that awaits it handles the error.
    nodes.catch(() => undefined);
    return { doc: line.doc, nodes };
  }

  /** Passes the changes since the last call to the engine of a document. Returns whether there were any. */
  async pass(
    frame: Frame,
    { doc, shadowRoots }: Pick<RawCapture, 'doc' | 'shadowRoots'>,
    asked: AskedListeners | undefined,
  ): Promise<boolean> {
    // A navigation may have replaced the document that the query was sent to.
    const isAsked = asked?.doc === doc;
    if (!isAsked) await this.worlds.answered(FIND_MS, this.worlds.find(frame, doc));
    const line = this.worlds.lines.get(frame);
    if (line === undefined || line.doc !== doc || line.isOver) return false;
    try {
      const hasMet = await this.#meet(line, shadowRoots);
      const nodes = await (isAsked && !hasMet ? asked.nodes : this.#ask(line));
      this.#askAgainSoon(line);
      return nodes === undefined ? false : await this.#hand(line, nodes);
    } catch {
      // The document is gone, and its listeners with it. Its capture reports that.
      return false;
    }
  }

  async #ask(line: EngineLine): Promise<ReadonlyMap<number, number> | undefined> {
    const heard = this.#of(line);
    const objectId = await heard.document;
    if (objectId === undefined) return undefined;
    const unasked = heard.roots.filter(({ asked }) => asked === 0);
    const [inDocument] = await Promise.all([listenersIn(line, objectId), askRoots(line, heard, unasked)]);
    return listening([...inDocument, ...heard.roots.flatMap(({ listeners }) => listeners)]);
  }

  #askAgainSoon(line: EngineLine): void {
    const heard = this.#of(line);
    const isDue = ({ asked }: Root): boolean => asked < ASKS;
    if (heard.isDue || !heard.roots.some(isDue)) return;
    heard.isDue = true;
    setTimeout(() => {
      heard.isDue = false;
      if (!line.isOver) void askRoots(line, heard, heard.roots.filter(isDue));
    }, SOON_MS).unref();
  }

  /** Fetches the shadow roots that the engine has found. Returns whether there are new ones. */
  async #meet(line: EngineLine, shadowRoots: number): Promise<boolean> {
    const heard = this.#of(line);
    if (shadowRoots <= heard.met) return false;
    heard.met = shadowRoots;
    const { session, uniqueId } = line.world;
    const asked = { functionDeclaration: TAKE_ROOTS, arguments: [{ value: line.doc }], uniqueContextId: uniqueId };
    const { result } = await session.send('Runtime.callFunctionOn', { ...asked, objectGroup: ROOTS });
    if (result.objectId === undefined) return false;
    const objects = await objectsIn(session, result.objectId);
    const room = MOST_ROOTS - heard.roots.length;
    const described = objects.slice(0, room).map(objectId => session.send('DOM.describeNode', { objectId }));
    for (const { node } of await Promise.all(described))
      heard.roots.push({ node: node.backendNodeId, asked: 0, listeners: [] });
    await session.send('Runtime.releaseObjectGroup', { objectGroup: ROOTS });
    return true;
  }

  #of(line: EngineLine): Heard {
    return getOrInsert(this.#heard, line, () => {
      // The document may be gone: then it has no listeners.
      const document = documentOf(line).catch(() => undefined);
      return { document, roots: [], met: 0, isDue: false, rounds: 0, nodes: new Map() };
    });
  }

  async #hand(line: EngineLine, listening: ReadonlyMap<number, number>): Promise<boolean> {
    const { nodes } = this.#of(line);
    const gone = [...nodes.keys()].filter(node => !listening.has(node));
    const came = [...listening].filter(([node, heard]) => nodes.get(node) !== heard).slice(0, MOST_NEW);
    if (gone.length === 0 && came.length === 0) return false;
    const { session, id, uniqueId } = line.world;
    const handed = await handlesOf(came, session, id);
    const { result } = await session.send('Runtime.callFunctionOn', {
      functionDeclaration: NOTE,
      arguments: [
        ...[line.doc, gone, handed.map(({ known }) => known)].map(value => ({ value })),
        ...handed.map(({ objectId }) => ({ objectId })),
      ],
      uniqueContextId: uniqueId,
      returnByValue: true,
    });
    await session.send('Runtime.releaseObjectGroup', { objectGroup: GROUP });
    for (const node of gone) nodes.delete(node);
    for (const [node, heard] of came) nodes.set(node, heard);
    return Number(result.value) > 0;
  }
}

const GROUP = 'event-listeners';
const ROOTS = 'event-listener-roots';
const TAKE_ROOTS = 'function(doc) { return this.browserToolsetEngines.get(doc).listeners.takeRoots() }';
const NOTE = `function(doc, gone, came, ...nodes) {
  return this.browserToolsetEngines.get(doc).listeners.note(gone, came, nodes);
}`;

/**
 * The document object in the main world: the protocol reports only listeners that were added in the world of the
 * object. With `pierce` it reports those of all worlds, but Chromium 150 crashes on some pages with frames.
 */
async function documentOf({ world: { session, uniqueId } }: EngineLine): Promise<string | undefined> {
  const asked = session.send('Runtime.evaluate', { expression: 'document', uniqueContextId: uniqueId });
  const { objectId } = (await asked).result;
  if (objectId === undefined) return undefined;
  const { node } = await session.send('DOM.describeNode', { objectId });
  const { object } = await session.send('DOM.resolveNode', { backendNodeId: node.backendNodeId });
  return object.objectId;
}

/** Resolves the nodes that still exist in the isolated world of the engine. */
async function handlesOf(nodes: readonly [number, number][], session: CDPSession, executionContextId: number) {
  const resolved = nodes.map(async known => {
    const asked = { backendNodeId: known[0], executionContextId, objectGroup: GROUP };
    return { known, objectId: (await session.send('DOM.resolveNode', asked)).object.objectId };
  });
  return (await Promise.allSettled(resolved)).flatMap(each => (each.status === 'fulfilled' ? [each.value] : []));
}

/** Queries the listeners of shadow roots. Never rejects. */
async function askRoots(line: EngineLine, heard: Heard, roots: readonly Root[]): Promise<void> {
  if (roots.length === 0) return;
  // A capture may run a query during the scheduled one.
  const objectGroup = `${ROOTS}-${heard.rounds++}`;
  await Promise.all(roots.map(root => askRoot(line, root, objectGroup)));
  // A handle would keep a root alive that the page has dropped. If the page is gone, so are its handles.
  await line.world.session.send('Runtime.releaseObjectGroup', { objectGroup }).catch(() => undefined);
}

async function askRoot(line: EngineLine, root: Root, objectGroup: string): Promise<void> {
  root.asked++;
  try {
    const named = await line.world.session.send('DOM.resolveNode', { backendNodeId: root.node, objectGroup });
    const { objectId } = named.object;
    if (objectId !== undefined) root.listeners = await listenersIn(line, objectId);
  } catch {
    // The root is gone: it is not queried again.
    root.asked = ASKS;
  }
}

type CdpListener = Awaited<ReturnType<typeof listenersIn>>[number];

/** The listeners of a node and its descendants, without shadow roots and frames. */
async function listenersIn({ world: { session } }: EngineLine, objectId: string) {
  return (await session.send('DOMDebugger.getEventListeners', { objectId, depth: -1 })).listeners;
}

/** The {@link Hears} bits of nodes, by `backendNodeId`. */
function listening(listeners: readonly CdpListener[]): ReadonlyMap<number, number> {
  const heard = new Map<number, number>();
  for (const [node, own] of Map.groupBy(listeners, ({ backendNodeId }) => backendNodeId)) {
    if (node === undefined) continue;
    const types = new Set(own.map(({ type }) => type));
    const hears = (events: ReadonlySet<string>): boolean => [...types].some(type => events.has(type));
    const presses = types.size <= MOST_EVENT_TYPES && hears(PRESS_EVENTS) ? Hears.Presses : 0;
    const within = hears(INPUTS_WITHIN) ? Hears.InputWithin : 0;
    const hovers = types.size <= MOST_EVENT_TYPES && hears(HOVER_EVENTS) ? Hears.Hovers : 0;
    const all = presses | within | hovers | (hears(INPUTS) ? Hears.Input : 0);
    if (all !== 0) heard.set(node, all);
  }
  return heard;
}

interface ShadowNode {
  shadowRoots?: { backendNodeId: number; shadowRootType?: string }[];
}

/** Elements of one document that are checked in one capture. */
const MOST_MAY_BE_CLOSED = 300;

/**
 * Passes the closed shadow roots of elements that may have one, which only the DevTools protocol finds, to the engine of
 * their document. Returns how many it found.
 */
async function adoptClosedRoots(worlds: Worlds, frame: Frame, doc: string): Promise<number> {
  const objectGroup = 'closedRoots';
  const suspects = await suspectsOf(worlds, frame, { doc, part: objectGroup, most: MOST_MAY_BE_CLOSED });
  if (suspects === undefined) return 0;
  const { session, contextId: executionContextId, engine, elements } = suspects;
  const call = (functionDeclaration: string, argument: { objectId?: string; value?: number }) =>
    session.send('Runtime.callFunctionOn', { objectId: engine, functionDeclaration, arguments: [argument] });
  const adopt = async (objectId: string): Promise<number> => {
    const { node } = await session.send('DOM.describeNode', { objectId, depth: 0, pierce: true });
    const closed = ((node as ShadowNode).shadowRoots ?? []).filter(root => root.shadowRootType === 'closed');
    for (const { backendNodeId } of closed) {
      const { object } = await session.send('DOM.resolveNode', { backendNodeId, executionContextId, objectGroup });
      await call('function(root) { this.adopt(root) }', { objectId: object.objectId });
    }
    return closed.length;
  };
  const counts = await Promise.all(elements.map(adopt));
  await call('function(count) { this.settle(count) }', { value: elements.length });
  await session.send('Runtime.releaseObjectGroup', { objectGroup });
  return counts.reduce((sum, count) => sum + count, 0);
}

/** Nodes of one document that a capture returns; more where it is searched (`deep`). */
const MAX_NODES = { plain: 20_000, exact: 20_000, deep: 200_000 };

/**
 * The detail of a capture: `exact` also determines the position of every text; `deep` includes pages that are too large
 * to be listed.
 */
export type CaptureDetail = keyof typeof MAX_NODES;

export interface CaptureOptions extends AskOptions {
  /** Reports fields that failed validation since this time (`performance.now()`). */
  refusedSince?: number;
  /** The agent is not given this capture before it acts: its refs stand for what it was given. */
  isAside?: true;
}

interface Tree {
  roots: SnapshotNode[];
  /** The iframe elements, and the tree inserted into each. */
  holders: readonly SnapshotNode[];
  frames: readonly (readonly SnapshotNode[] | undefined)[];
}

/** The latest capture of a document. */
interface DocumentCapture {
  number: number;
  raw: RawCapture;
  /** The tree that was last built from it, with the documents of its frames. */
  tree?: Tree;
}

/** What the documents report besides their elements. */
interface ReportedEffects extends Pick<PageSnapshot, 'blocked' | 'missed' | 'selection' | 'pressed' | 'fading'> {
  loading: number;
  acted: Map<Frame, ElementFacts>;
  refused: (RefusedField & { doc: string })[];
  styleChanges: (StyleChange & { doc: string })[];
  visualEffects: (VisualReport & { doc: string })[];
}

/** A document to capture, and its previous capture. */
interface DocumentToCapture {
  frame: Frame;
  detail: CaptureDetail;
  before: DocumentCapture | undefined;
}

/** Captures one tab repeatedly. Between captures it keeps which frame belongs to which iframe element. */
export class PageCapture {
  /** Called with the prints and downloads of a document, and the time of the request (`performance.now()`). */
  onOutputs: (frame: Frame, report: OutputReport, questioned: number) => void = () => undefined;
  #frames = new Map<string, Frame>();
  /** The iframe element of each frame. */
  readonly holders = new WeakMap<Frame, SnapshotNode>();
  #captured = new WeakMap<Frame, Partial<Record<CaptureDetail, DocumentCapture>>>();
  /** Captures of known frames, started before the documents around them are captured. */
  #early = new Map<Frame, Promise<DocumentCapture>>();
  #effects: ReportedEffects = { loading: 0, acted: new Map(), refused: [], styleChanges: [], visualEffects: [] };
  #detail: CaptureDetail = 'plain';
  readonly #listeners: EventListeners;

  constructor(
    readonly page: Page,
    readonly engine: EngineClient,
    readonly worlds: Worlds,
  ) {
    this.#listeners = new EventListeners(worlds);
  }

  async take(options: CaptureOptions, detail: CaptureDetail = 'plain'): Promise<PageSnapshot> {
    this.#detail = detail;
    this.#effects = { loading: 0, acted: new Map(), refused: [], styleChanges: [], visualEffects: [] };
    this.#askKnownFrames(options);
    const document = await this.#document(this.page.mainFrame(), options);
    const roots = await this.#tree(document, this.page.mainFrame(), { ...options, depth: 0 });
    const main = document.raw;
    const [top, length, viewport] = main.scroll;
    for (const [key, frame] of this.#frames) if (frame.isDetached()) this.#frames.delete(key);
    return {
      title: main.title,
      url: this.engine.secrets.hide(this.page.url()),
      doc: main.doc,
      lastId: main.lastId,
      scroll: { top, length, viewport },
      modal: main.modal,
      cut: main.cut ?? false,
      elementCount: main.elementCount,
      ...this.#effects,
      roots,
    };
  }

  async #document(frame: Frame, options: CaptureOptions): Promise<DocumentCapture> {
    const listening = this.#listeners.ask(frame);
    const captured = await this.#ask(frame, options);
    const { doc, suspects, shadowRoots, internals } = captured.raw;
    // Each element that may have a closed shadow root is checked once; most have none.
    const roots = suspects === 0 ? 0 : this.worlds.answered(options.timeout, adoptClosedRoots(this.worlds, frame, doc));
    const heard = this.worlds.answered(options.timeout, this.#listeners.pass(frame, { doc, shadowRoots }, listening));
    const states = internals === 0 ? false : this.#readInternals(frame, doc, options);
    const [found = 0, isNew = false, hasChanged = false] = await Promise.all([roots, heard, states]);
    if (found === 0 && !isNew && !hasChanged) return captured;
    const anew = { ...options, refusedSince: undefined };
    let second = await this.#ask(frame, anew);
    // More elements are candidates once one has semantics, or has come with a closed root.
    const isMore = second.raw.internals > internals;
    if (isMore && (await this.#readInternals(frame, doc, options))) second = await this.#ask(frame, anew);
    if (found === 0) return second;
    // Elements in closed shadow roots may have listeners, too.
    const inRoots = this.#listeners.pass(frame, second.raw, undefined);
    return (await this.worlds.answered(options.timeout, inRoots)) ? this.#ask(frame, anew) : second;
  }

  #readInternals(frame: Frame, doc: string, { timeout }: AskOptions): Promise<boolean | undefined> {
    return this.worlds.answered(timeout, readInternals(this.worlds, frame, doc));
  }

  /** Reads the states of a document's custom elements again, where CDP alone reports some. */
  async refresh(frame: Frame, options: AskOptions): Promise<void> {
    const { doc, internals = 0 } = this.#captured.get(frame)?.plain?.raw ?? {};
    if (doc !== undefined && internals > 0) await this.#readInternals(frame, doc, options);
  }

  async #ask(frame: Frame, options: CaptureOptions): Promise<DocumentCapture> {
    const asked = { frame, detail: this.#detail, before: this.#captured.get(frame)?.[this.#detail] };
    return this.#noted(asked, await this.#answer(asked, options));
  }

  async #answer(
    { frame, detail, before }: DocumentToCapture,
    { refusedSince, isAside, ...options }: CaptureOptions,
  ): Promise<CaptureAnswer> {
    const asked = {
      maxNodes: MAX_NODES[detail],
      acted: true,
      exactText: detail === 'exact',
      // The added text may contain part of a secret. Searching it costs time on every page, so it is skipped without
      // secrets.
      addedText: !this.engine.secrets.areNone,
      seen: before?.number,
      ...(isAside && { isAside }),
      // A busy page may receive the request up to `timeout` later.
      ...(refusedSince !== undefined && { since: performance.now() - refusedSince + options.timeout }),
    };
    const questioned = performance.now();
    const answer = await this.engine.call(frame, 'capture', asked, options);
    this.#effects.blocked ??= answer.blocked;
    this.#effects.missed ??= answer.missed;
    if (answer.fading !== undefined && frame === this.page.mainFrame()) this.#effects.fading = answer.fading;
    this.#effects.loading += answer.loading ?? 0;
    this.onOutputs(frame, answer, questioned);
    if (answer.acted !== undefined) this.#effects.acted.set(frame, answer.acted);
    const answered = performance.now();
    const isNew = ({ age = 0 }: RefusedField): boolean => answered - age >= (refusedSince ?? answered);
    return { ...answer, refused: (answer.refused ?? []).filter(isNew) };
  }

  #noted(
    { frame, detail, before }: DocumentToCapture,
    { number, capture, refused = [], selection, pressed, styleChanges = [], visualEffects }: CaptureAnswer,
  ): DocumentCapture {
    const doc = capture?.doc ?? before?.raw.doc ?? '';
    this.#effects.selection ??= selection;
    this.#effects.pressed ??= pressed;
    this.#effects.styleChanges.push(...styleChanges.map(change => ({ ...change, doc })));
    if (visualEffects !== undefined) this.#effects.visualEffects.push({ ...visualEffects, doc });
    this.worlds.learn(frame, doc);
    this.#effects.refused.push(...refused.map(field => ({ ...field, doc })));
    if (capture === undefined) {
      if (before === undefined) throw new Error('the page answered with nothing new to somebody who knows nothing');
      return before;
    }
    const captured = { number, raw: capture };
    this.#captured.set(frame, { ...this.#captured.get(frame), [detail]: captured });
    return captured;
  }

  /** Captures all known frames at once, so that documents wait for each other only where a frame is new. */
  #askKnownFrames(options: CaptureOptions): void {
    const inner = { ...options, timeout: Math.min(options.timeout, FRAME_TIMEOUT_MS) };
    this.#early = new Map();
    for (const frame of new Set(this.#frames.values())) {
      if (frame.isDetached()) continue;
      const asked = this.#document(frame, inner);
      // The error is handled where the frame is reached in the tree.
      asked.catch(() => undefined);
      this.#early.set(frame, asked);
    }
  }

  /**
   * The tree of a document with the documents of its frames. It is the same object as before if nothing has changed,
   * and otherwise a new one, because the old one may still be used for comparison.
   */
  async #tree(
    captured: DocumentCapture,
    frame: Frame,
    options: CaptureOptions & { depth: number },
  ): Promise<SnapshotNode[]> {
    const before = captured.tree;
    const tree = before ?? treeOf(captured.raw, frame, options.depth);
    const frames = await Promise.all(tree.holders.map(holder => this.#inside(holder, frame, options)));
    if (before?.frames.every((inner, index) => inner === frames[index])) return before.roots;
    const { roots, holders } = before === undefined ? tree : treeOf(captured.raw, frame, options.depth);
    for (const [index, holder] of holders.entries()) holder.children = frames[index] ?? holder.children;
    captured.tree = { roots, holders, frames };
    return roots;
  }

  async #inside(
    holder: SnapshotNode,
    parent: Frame,
    options: CaptureOptions & { depth: number },
  ): Promise<SnapshotNode[] | undefined> {
    const inner = { ...options, timeout: Math.min(options.timeout, FRAME_TIMEOUT_MS), depth: options.depth + 1 };
    try {
      const frame = await this.#frameOf(holder, parent, inner);
      if (frame === null) return undefined;
      return await this.#tree(await (this.#early.get(frame) ?? this.#document(frame, inner)), frame, inner);
    } catch (error) {
      // A frame may detach or hang during its capture: the page around it is still worth reporting.
      if (options.signal?.aborted || this.page.isClosed()) throw error;
      this.#frames.delete(holder.key);
      return undefined;
    }
  }

  async #frameOf(holder: SnapshotNode, parent: Frame, options: CaptureOptions): Promise<Frame | null> {
    const known = this.#frames.get(holder.key);
    if (known !== undefined && !known.isDetached()) return known;
    const frame = await this.engine.contentFrame(parent, { doc: holder.document.doc, id: holder.id }, options);
    if (frame !== null) this.#frames.set(holder.key, frame);
    if (frame !== null) this.holders.set(frame, holder);
    return frame;
  }
}

function treeOf(raw: RawCapture, frame: Frame, depth: number): Omit<Tree, 'frames'> {
  const roots = buildTree(raw, frame);
  const holders = [...everyNode(roots)].filter(({ role }) => role === 'iframe');
  return { roots, holders: depth < MAX_FRAME_DEPTH ? holders : [] };
}
