import type { CDPSession, Frame } from 'playwright-core';
import type { EngineLine } from '../browser/tab/engine-line.js';
import type { Worlds } from '../browser/tab/worlds.js';
import { Hears, type RawCapture } from '../page/protocol.js';

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
export class EventListeners {
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
