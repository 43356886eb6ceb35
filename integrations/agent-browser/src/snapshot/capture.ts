import type { CDPSession, Frame, Page } from 'playwright-core';
import type { EngineClient } from '../browser/tab/engine.js';
import type { AskOptions } from '../browser/tab/engine-line.js';
import type { Worlds } from '../browser/tab/worlds.js';
import type {
  CaptureAnswer,
  ElementFacts,
  LookChange,
  OutputReport,
  PressSights,
  RawCapture,
  RefusedField,
} from '../page/protocol.js';
import { EventListeners } from './event-listeners.js';
import { buildTree, holdersIn, type PageSnapshot, type SnapshotNode } from './tree.js';

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
/** A frame that answers later than this, in milliseconds, is listed without its content. */
const FRAME_TIMEOUT = 3_000;
/** Frames inside frames are followed this deep. */
const FRAME_DEPTH = 10;

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
    const request = {
      do: 'capture',
      maxNodes: MAX_NODES[look],
      acted: true,
      exactText: look === 'exact',
      // A part of a secret may stand in it, and to look for it costs time on every page.
      addedText: !this.engine.secrets.areNone,
      seen: before?.number,
      // A page that is busy hears of it later.
      ...(refusedSince !== undefined && { since: performance.now() - refusedSince + options.timeout }),
    } as const;
    const questioned = performance.now();
    const answer = await this.engine.ask<CaptureAnswer>(frame, request, options);
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
    const inner = { ...options, timeout: Math.min(options.timeout, FRAME_TIMEOUT) };
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
    const inner = { ...options, timeout: Math.min(options.timeout, FRAME_TIMEOUT), depth: options.depth + 1 };
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
  return { roots, holders: depth < FRAME_DEPTH ? holdersIn(roots) : [] };
}
