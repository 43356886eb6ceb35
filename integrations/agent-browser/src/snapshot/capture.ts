import type { CDPSession, Frame, Page } from 'playwright-core';
import type { EngineClient } from '../browser/tab/engine.js';
import type { AskOptions, EngineLine } from '../browser/tab/engine-line.js';
import type { Worlds } from '../browser/tab/worlds.js';
import { FRAME_TIMEOUT_MS, MAX_FRAME_DEPTH } from '../limits.js';
import {
  type CaptureAnswer,
  type ElementFacts,
  Hears,
  type LookChange,
  type OutputReport,
  type PressSights,
  type RawCapture,
  type RefusedField,
} from '../page/protocol.js';
import { buildTree, holdersIn, type PageSnapshot, type SnapshotNode } from './tree.js';

/** Events by which a press of the mouse or a finger arrives. */
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
/** Events by which a page learns of what is put into a field. */
const INPUTS: ReadonlySet<string> = new Set([
  'beforeinput',
  'change',
  'input',
  'keydown',
  'keypress',
  'keyup',
  'textInput',
]);
/** Those that frameworks and scripts listen for in one place, for all the fields inside of it. */
const INPUTS_WITHIN: ReadonlySet<string> = new Set(['beforeinput', 'change', 'input', 'keyup', 'textInput']);
/** An element that listens for more kinds of events passes them on to a framework, which says nothing of any press. */
const MOST_EVENT_TYPES = 24;
/** So many elements of one document are handed over at a time; a page can have a listener in each of its rows. */
const MOST_NEW = 400;
/** Milliseconds that a frame may take until the way to its engine is known. */
const FIND_TIME = 250;

/** Shadow roots of one document whose listeners are asked for. */
const MOST_ROOTS = 200;
/** A root is asked so often, first by the capture that comes to it: components listen when they are made, or soon after. */
const ASKS = 2;
/** Milliseconds after a capture until roots are asked again, while the agent reads: nothing tells when a listener is added. */
const SOON = 300;

interface Root {
  /** The protocol's name of it. */
  node: number;
  asked: number;
  listeners: readonly CdpListener[];
}

/** A question for the nodes of a document that listen, by the protocol's ids, and what for ({@link Hears}). */
interface AskedListeners {
  doc: string;
  nodes: Promise<ReadonlyMap<number, number> | undefined>;
}

/** The facts about the listeners of one document. */
interface Heard {
  /** Names the document object to the protocol. */
  document: Promise<string | undefined>;
  roots: Root[];
  /** How many shadow roots the engine had come to when it was last asked for them. */
  met: number;
  /** Roots are about to be asked again. */
  isDue: boolean;
  /** How often roots were asked. */
  rounds: number;
  /** The listeners of nodes that the engine was told of, by the protocol's ids. */
  nodes: Map<number, number>;
}

/**
 * Asks the DevTools protocol which elements listen for presses and for input (`DOMDebugger.getEventListeners`), and hands them to the
 * engine of their document. The question goes along with that for a capture: a page without listeners has no more round
 * trips for it.
 */
class EventListeners {
  readonly #heard = new WeakMap<EngineLine, Heard>();

  constructor(readonly worlds: Worlds) {}

  /** Asks which nodes of a frame's document listen; undefined where the way to its engine is not known yet. */
  ask(frame: Frame): AskedListeners | undefined {
    const line = this.worlds.lines.get(frame);
    if (line === undefined || line.isOver) return undefined;
    const nodes = this.#ask(line);
    // Whoever waits for it gets the error.
    nodes.catch(() => undefined);
    return { doc: line.doc, nodes };
  }

  /** Tells the engine of a document what has changed since it was last told. Returns whether anything has. */
  async tell(
    frame: Frame,
    { doc, shadowRoots }: Pick<RawCapture, 'doc' | 'shadowRoots'>,
    asked: AskedListeners | undefined,
  ): Promise<boolean> {
    // The document before, which a navigation has ended meanwhile, may have been asked in place of this one.
    const isAsked = asked?.doc === doc;
    if (!isAsked) await this.worlds.answered(FIND_TIME, this.worlds.find(frame, doc));
    const line = this.worlds.lines.get(frame);
    if (line === undefined || line.doc !== doc || line.isOver) return false;
    try {
      const hasMet = await this.#meet(line, shadowRoots);
      const nodes = await (isAsked && !hasMet ? asked.nodes : this.#ask(line));
      this.#askAgainSoon(line);
      return nodes === undefined ? false : await this.#hand(line, nodes);
    } catch {
      // The document has gone meanwhile, and its listeners with it: whoever captures it is told so elsewhere.
      return false;
    }
  }

  async #ask(line: EngineLine): Promise<ReadonlyMap<number, number> | undefined> {
    const heard = this.#of(line);
    const objectId = await heard.document;
    if (objectId === undefined) return undefined;
    const news = heard.roots.filter(({ asked }) => asked === 0);
    const [inDocument] = await Promise.all([listenersIn(line, objectId), askRoots(line, heard, news)]);
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
    }, SOON).unref();
  }

  /** Learns which shadow roots walks have come to. Returns whether there are others than before. */
  async #meet(line: EngineLine, shadowRoots: number): Promise<boolean> {
    const heard = this.#of(line);
    if (shadowRoots <= heard.met) return false;
    heard.met = shadowRoots;
    const { session, uniqueId } = line.world;
    const asked = { functionDeclaration: TAKE_ROOTS, arguments: [{ value: line.doc }], uniqueContextId: uniqueId };
    const { result } = await session.send('Runtime.callFunctionOn', { ...asked, objectGroup: ROOTS });
    if (result.objectId === undefined) return false;
    const listed = await session.send('Runtime.getProperties', { objectId: result.objectId, ownProperties: true });
    const objects = listed.result.flatMap(({ name, value }) => (/^\d+$/.test(name) && value?.objectId) || []);
    const room = MOST_ROOTS - heard.roots.length;
    const described = objects.slice(0, room).map(objectId => session.send('DOM.describeNode', { objectId }));
    for (const { node } of await Promise.all(described))
      heard.roots.push({ node: node.backendNodeId, asked: 0, listeners: [] });
    await session.send('Runtime.releaseObjectGroup', { objectGroup: ROOTS });
    return true;
  }

  #of(line: EngineLine): Heard {
    const known = this.#heard.get(line);
    if (known !== undefined) return known;
    // Nothing listens in a document that has gone meanwhile.
    const document = documentOf(line).catch(() => undefined);
    const heard = { document, roots: [], met: 0, isDue: false, rounds: 0, nodes: new Map<number, number>() };
    this.#heard.set(line, heard);
    return heard;
  }

  async #hand(line: EngineLine, listening: ReadonlyMap<number, number>): Promise<boolean> {
    const { nodes } = this.#of(line);
    const gone = [...nodes.keys()].filter(node => !listening.has(node));
    const came = [...listening].filter(([node, heard]) => nodes.get(node) !== heard).slice(0, MOST_NEW);
    if (gone.length === 0 && came.length === 0) return false;
    const { session, id, uniqueId } = line.world;
    const handed = await handlesOf(
      session,
      came.map(([node]) => node),
      id,
    );
    const { result } = await session.send('Runtime.callFunctionOn', {
      functionDeclaration: NOTE,
      arguments: [
        ...[line.doc, gone, handed.map(({ node }) => [node, listening.get(node)])].map(value => ({ value })),
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
 * The document object in the page's own world. Listeners are told by the world that they were added in; asked through
 * frames and shadow roots (`pierce`), they are told of all worlds, but Chromium 150 crashes on some pages with frames.
 */
async function documentOf({ world: { session, uniqueId } }: EngineLine): Promise<string | undefined> {
  const asked = session.send('Runtime.evaluate', { expression: 'document', uniqueContextId: uniqueId });
  const { objectId } = (await asked).result;
  if (objectId === undefined) return undefined;
  const { node } = await session.send('DOM.describeNode', { objectId });
  const { object } = await session.send('DOM.resolveNode', { backendNodeId: node.backendNodeId });
  return object.objectId;
}

interface Handed {
  node: number;
  objectId: string;
}

/** Those that are still there, in the engine's own world. */
async function handlesOf(session: CDPSession, nodes: readonly number[], executionContextId: number): Promise<Handed[]> {
  const resolved = await Promise.allSettled(
    nodes.map(backendNodeId =>
      session.send('DOM.resolveNode', { backendNodeId, executionContextId, objectGroup: GROUP }),
    ),
  );
  return resolved.flatMap((each, index) => {
    const objectId = each.status === 'fulfilled' ? each.value.object.objectId : undefined;
    return objectId === undefined ? [] : [{ node: nodes[index] as number, objectId }];
  });
}

/** Never rejects. */
async function askRoots(line: EngineLine, heard: Heard, roots: readonly Root[]): Promise<void> {
  if (roots.length === 0) return;
  // A capture may ask while others are asked again.
  const objectGroup = `${ROOTS}-${heard.rounds++}`;
  await Promise.all(roots.map(root => askRoot(line, root, objectGroup)));
  // A handle would keep a root that the page has let go of. A page that is gone keeps nothing.
  await line.world.session.send('Runtime.releaseObjectGroup', { objectGroup }).catch(() => undefined);
}

async function askRoot(line: EngineLine, root: Root, objectGroup: string): Promise<void> {
  root.asked++;
  try {
    const named = await line.world.session.send('DOM.resolveNode', { backendNodeId: root.node, objectGroup });
    const { objectId } = named.object;
    if (objectId !== undefined) root.listeners = await listenersIn(line, objectId);
  } catch {
    // It is gone, and has nothing more to be asked for.
    root.asked = ASKS;
  }
}

type CdpListener = Awaited<ReturnType<typeof listenersIn>>[number];

/** The listeners of a node and of what is below it, outside of shadow roots and frames. */
async function listenersIn({ world: { session } }: EngineLine, objectId: string) {
  return (await session.send('DOMDebugger.getEventListeners', { objectId, depth: -1 })).listeners;
}

/** The kinds of events that nodes listen for ({@link Hears}). */
function listening(listeners: readonly CdpListener[]): ReadonlyMap<number, number> {
  const kinds = new Map<number, Set<string>>();
  for (const { type, backendNodeId } of listeners) {
    if (backendNodeId === undefined) continue;
    const known = kinds.get(backendNodeId);
    if (known === undefined) kinds.set(backendNodeId, new Set([type]));
    else known.add(type);
  }
  const heard = new Map<number, number>();
  for (const [node, types] of kinds) {
    const hears = (events: ReadonlySet<string>): boolean => [...types].some(type => events.has(type));
    const presses = types.size <= MOST_EVENT_TYPES && hears(PRESS_EVENTS) ? Hears.Presses : 0;
    const within = hears(INPUTS_WITHIN) ? Hears.InputWithin : 0;
    const all = presses | within | (hears(INPUTS) ? Hears.Input : 0);
    if (all !== 0) heard.set(node, all);
  }
  return heard;
}

interface ShadowNode {
  shadowRoots?: { backendNodeId: number; shadowRootType?: string }[];
}

/** Looks at most at so many elements of one document in one capture. */
const LIMIT = 300;

/**
 * Finds closed shadow roots through the DevTools protocol (`DOM.describeNode`, `DOM.resolveNode`) and hands them to the
 * engine of their document.
 */
class ClosedShadowRoots {
  constructor(readonly worlds: Worlds) {}

  /** Looks into what the engine of this frame's document suspects. Returns how many roots it found. */
  async adopt(frame: Frame, doc: string): Promise<number> {
    const world = await this.worlds.find(frame, doc);
    if (world === undefined) return 0;
    const { session, id: contextId } = world;
    const closedRoots = `browserToolsetEngines.get(${JSON.stringify(doc)}).closedRoots`;
    const evaluate = async (expression: string) => {
      const { result } = await session.send('Runtime.evaluate', { expression, contextId, objectGroup: 'closed-roots' });
      return result.objectId;
    };
    const suspects = await evaluate(`${closedRoots}.suspects.slice(0, ${LIMIT})`);
    const engine = await evaluate(closedRoots);
    if (suspects === undefined || engine === undefined) return 0;
    const { result } = await session.send('Runtime.getProperties', { objectId: suspects, ownProperties: true });
    const elements = result.flatMap(property => (/^\d+$/.test(property.name) ? [property.value?.objectId] : []));
    const counts = await Promise.all(
      elements.map(objectId =>
        objectId === undefined ? 0 : this.#adoptFrom(session, { objectId, engine, contextId }),
      ),
    );
    await evaluate(`${closedRoots}.settle(${elements.length})`);
    await session.send('Runtime.releaseObjectGroup', { objectGroup: 'closed-roots' });
    return counts.reduce((sum, count) => sum + count, 0);
  }

  async #adoptFrom(session: CDPSession, at: { objectId: string; engine: string; contextId: number }): Promise<number> {
    const { node } = await session.send('DOM.describeNode', { objectId: at.objectId, depth: 0, pierce: true });
    const closed = ((node as ShadowNode).shadowRoots ?? []).filter(root => root.shadowRootType === 'closed');
    for (const root of closed) {
      const { object } = await session.send('DOM.resolveNode', {
        backendNodeId: root.backendNodeId,
        executionContextId: at.contextId,
        objectGroup: 'closed-roots',
      });
      await session.send('Runtime.callFunctionOn', {
        objectId: at.engine,
        functionDeclaration: 'function(root) { this.adopt(root) }',
        arguments: [{ objectId: object.objectId }],
      });
    }
    return closed.length;
  }
}

/** Nodes of one document that are worth carrying out of a page; more where an agent looks for something in it. */
const MAX_NODES = { plain: 20_000, exact: 20_000, deep: 200_000 };

/**
 * How closely a page is looked at: `exact` looks at where every text stands, `deep` also goes through pages that are too
 * large to be listed.
 */
export type CaptureDetail = keyof typeof MAX_NODES;

export interface CaptureOptions extends AskOptions {
  /** Asks for the fields that were refused since then (`performance.now()`). */
  refusedSince?: number;
}

interface Tree {
  roots: SnapshotNode[];
  /** Its iframe elements, and what each was given to hold. */
  holders: readonly SnapshotNode[];
  frames: readonly (readonly SnapshotNode[] | undefined)[];
}

/** A document as it was last read. */
interface DocumentCapture {
  number: number;
  raw: RawCapture;
  /** The tree with what is in its frames, as it was last put together. */
  tree?: Tree;
}

/** The news of documents besides their elements. */
interface ReportedEffects extends Pick<PageSnapshot, 'blocked' | 'missed' | 'selection' | 'pressed' | 'fading'> {
  acted: Map<Frame, ElementFacts>;
  refused: (RefusedField & { doc: string })[];
  looks: (LookChange & { doc: string })[];
  sights: (PressSights & { doc: string })[];
}

/** A document that is asked for, and how it was. */
interface FrameLook {
  frame: Frame;
  look: CaptureDetail;
  before: DocumentCapture | undefined;
}

/** Captures one tab, again and again: it remembers which frame belongs to which iframe element. */
export class PageCapture {
  /** Is told what documents gave out, when they tell it, and when they were asked (`performance.now()`). */
  onOutputs: (frame: Frame, report: OutputReport, questioned: number) => void = () => undefined;
  #frames = new Map<string, Frame>();
  /** The elements that show the documents of frames. */
  readonly holders = new WeakMap<Frame, SnapshotNode>();
  #captured = new WeakMap<Frame, Partial<Record<CaptureDetail, DocumentCapture>>>();
  /** The answers of frames that are asked ahead of the documents around them. */
  #early = new Map<Frame, Promise<DocumentCapture>>();
  #news: ReportedEffects = { acted: new Map(), refused: [], looks: [], sights: [] };
  #look: CaptureDetail = 'plain';
  readonly #closedRoots: ClosedShadowRoots;
  readonly #listeners: EventListeners;

  constructor(
    readonly page: Page,
    readonly engine: EngineClient,
    readonly worlds: Worlds,
  ) {
    this.#closedRoots = new ClosedShadowRoots(worlds);
    this.#listeners = new EventListeners(worlds);
  }

  async take(options: CaptureOptions, look: CaptureDetail = 'plain'): Promise<PageSnapshot> {
    this.#look = look;
    this.#news = { acted: new Map(), refused: [], looks: [], sights: [] };
    this.#askKnownFrames(options);
    const document = await this.#document(this.page.mainFrame(), options);
    const roots = await this.#tree(document, this.page.mainFrame(), { ...options, depth: 0 });
    const main = document.raw;
    const [top, length, viewport] = main.scroll;
    this.#forgetFrames();
    return {
      title: main.title,
      url: this.engine.secrets.hide(this.page.url()),
      doc: main.doc,
      lastId: main.lastId,
      scroll: { top, length, viewport },
      modal: main.modal,
      cut: main.cut ?? false,
      elementCount: main.elementCount,
      ...this.#news,
      roots,
    };
  }

  async #document(frame: Frame, options: CaptureOptions): Promise<DocumentCapture> {
    const listening = this.#listeners.ask(frame);
    const captured = await this.#ask(frame, options);
    const { doc, suspects, shadowRoots } = captured.raw;
    // Elements that may have a closed shadow root are looked into once each; most turn out to have none.
    const roots = suspects === 0 ? 0 : this.worlds.answered(options.timeout, this.#closedRoots.adopt(frame, doc));
    const heard = this.worlds.answered(options.timeout, this.#listeners.tell(frame, { doc, shadowRoots }, listening));
    const [found = 0, isNew = false] = await Promise.all([roots, heard]);
    if (found === 0 && !isNew) return captured;
    const anew = { ...options, refusedSince: undefined };
    const second = await this.#ask(frame, anew);
    if (found === 0) return second;
    // Elements in closed shadow roots listen as others do.
    const inRoots = this.#listeners.tell(frame, second.raw, undefined);
    return (await this.worlds.answered(options.timeout, inRoots)) ? this.#ask(frame, anew) : second;
  }

  async #ask(frame: Frame, options: CaptureOptions): Promise<DocumentCapture> {
    const look = this.#look;
    const asked = { frame, look, before: this.#captured.get(frame)?.[look] };
    return this.#noted(asked, await this.#answer(asked, options));
  }

  async #answer(
    { frame, look, before }: FrameLook,
    { refusedSince, ...options }: CaptureOptions,
  ): Promise<CaptureAnswer> {
    const asked = {
      maxNodes: MAX_NODES[look],
      acted: true,
      exactText: look === 'exact',
      // A part of a secret may stand in it, and to look for it costs time on every page.
      addedText: !this.engine.secrets.areNone,
      seen: before?.number,
      // A page that is busy hears of it later.
      ...(refusedSince !== undefined && { since: performance.now() - refusedSince + options.timeout }),
    };
    const questioned = performance.now();
    const answer = await this.engine.call(frame, 'capture', asked, options);
    this.#news.blocked ??= answer.blocked;
    this.#news.missed ??= answer.missed;
    if (answer.fading !== undefined && frame === this.page.mainFrame()) this.#news.fading = answer.fading;
    this.onOutputs(frame, answer, questioned);
    if (answer.acted !== undefined) this.#news.acted.set(frame, answer.acted);
    const answered = performance.now();
    const isNew = ({ age = 0 }: RefusedField): boolean => answered - age >= (refusedSince ?? answered);
    return { ...answer, refused: (answer.refused ?? []).filter(isNew) };
  }

  #noted(
    { frame, look, before }: FrameLook,
    { number, capture, refused = [], selection, pressed, looks = [], sights }: CaptureAnswer,
  ): DocumentCapture {
    const doc = capture?.doc ?? before?.raw.doc ?? '';
    this.#news.selection ??= selection;
    this.#news.pressed ??= pressed;
    this.#news.looks.push(...looks.map(change => ({ ...change, doc })));
    if (sights !== undefined) this.#news.sights.push({ ...sights, doc });
    this.worlds.learn(frame, doc);
    this.#news.refused.push(...refused.map(field => ({ ...field, doc })));
    if (capture === undefined) {
      if (before === undefined) throw new Error('the page answered with nothing new to somebody who knows nothing');
      return before;
    }
    const captured = { number, raw: capture };
    this.#captured.set(frame, { ...this.#captured.get(frame), [look]: captured });
    return captured;
  }

  /** Documents inside documents wait for each other only where a frame is new. */
  #askKnownFrames(options: CaptureOptions): void {
    const inner = { ...options, timeout: Math.min(options.timeout, FRAME_TIMEOUT_MS) };
    this.#early = new Map();
    for (const frame of new Set(this.#frames.values())) {
      if (frame.isDetached()) continue;
      const asked = this.#document(frame, inner);
      // Whoever comes to the frame gets the error.
      asked.catch(() => undefined);
      this.#early.set(frame, asked);
    }
  }

  /**
   * The tree of a document with what is in its frames. A tree of which nothing has changed is the same one as before;
   * else it is a new one, for somebody may still compare with the old.
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
      // A frame can go, or hang, while it is being read: the page around it is still worth telling.
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

  #forgetFrames(): void {
    for (const [key, frame] of this.#frames) if (frame.isDetached()) this.#frames.delete(key);
  }
}

function treeOf(raw: RawCapture, frame: Frame, depth: number): Omit<Tree, 'frames'> {
  const roots = buildTree(raw, frame);
  return { roots, holders: depth < MAX_FRAME_DEPTH ? holdersIn(roots) : [] };
}
