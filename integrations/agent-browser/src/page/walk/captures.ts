import { tagName, titleNow } from '../dom.js';
import type { RawCapture } from '../protocol.js';
import type { Request } from '../request-protocol.js';
import { topModal } from '../visibility/modal.js';
import { viewportNow } from '../visibility/visible.js';
import { deepActiveElement } from './emitter.js';
import { mainScroller, scrollerOf, scrollState } from './scroll.js';
import type { Trace } from './trace.js';
import type { DocumentKnowledge, Walk, WalkOptions } from './walk.js';

/** A walk of the document, or of the modal dialog that hides the rest of it. */
export interface Walked {
  walk: Walk;
  modal: Element | undefined;
}

type CaptureRequest = Extract<Request, { do: 'capture' }>;
type TakeWalk = (options: WalkOptions, onBegin: (modal: Element | undefined) => void) => Walked;

/** What a capture was made from: while that stands, so does the capture. */
interface CaptureSource {
  trace: Trace;
  /** All of it can be looked at again. */
  isWhole: boolean;
  /** As {@link Captures} and {@link extentNow} tell them. */
  standing: string;
  extent: string;
  /** What scrolls the page. */
  scroller: Element;
  focused: Element | null;
}

export interface KeptCapture {
  number: number;
  maxNodes: number;
  text: string;
  /** Undefined where the next look may find more. */
  source: CaptureSource | undefined;
}

/** The captures of one document: the latest of either kind is kept for as long as it stands. */
export class Captures {
  #plain: KeptCapture | undefined;
  #exact: KeptCapture | undefined;
  /** Of the latest walk, which remembered names may be as old as. */
  #latest: Trace | undefined;
  /** Begins anywhere, so that the number of another document is never this one's. */
  #number = Math.floor(Math.random() * 2 ** 40);

  constructor(
    readonly knowledge: DocumentKnowledge,
    readonly walk: TakeWalk,
  ) {}

  /** The capture as it is now: made anew unless all that it was made from is as it was. */
  take(request: CaptureRequest): KeptCapture {
    const before = request.exactText ? this.#exact : this.#plain;
    this.#checkNames();
    const isAlike = before?.maxNodes === request.maxNodes;
    if (isAlike && before.source?.isWhole && this.#stands(before.source)) return before;
    const { capture, source } = this.#read(request);
    const text = JSON.stringify(capture);
    const { maxNodes } = request;
    const kept = { number: text === before?.text ? before.number : ++this.#number, maxNodes, text, source };
    if (request.exactText) this.#exact = kept;
    else this.#plain = kept;
    return kept;
  }

  /**
   * The capture that was seen, while all stands of it that changes without a style or a layout being computed; these are
   * all computed when this returns.
   */
  resting({ exactText, seen, maxNodes }: CaptureRequest): KeptCapture | undefined {
    const before = exactText ? this.#exact : this.#plain;
    if (before?.number !== seen || before?.maxNodes !== maxNodes || before.source === undefined) return undefined;
    const { trace, focused, standing, scroller } = before.source;
    if (this.knowledge.stillness.isOver || deepActiveElement() !== focused) return undefined;
    // The document scrolls unless styles or layouts are others; which box does, hangs on how far others are scrolled.
    if (scroller !== mainScroller() && scroller !== pageScroller()) return undefined;
    return this.#standing(scroller) === standing && trace.restsAsBefore(focused) ? before : undefined;
  }

  /** Names are made of what can be seen, held by fields and assigned to slots. */
  #checkNames(): void {
    if (this.#latest?.saysAsBefore() === false) this.knowledge.stillness.end();
  }

  #stands({ trace, standing, extent, scroller, focused }: CaptureSource): boolean {
    this.knowledge.stillness.beginWalk();
    if (deepActiveElement() !== focused || pageScroller() !== scroller) return false;
    const isPlaced = this.#standing(scroller) === standing && extentNow(scroller) === extent;
    if (!isPlaced || topModal([]) !== undefined) return false;
    if (trace !== this.#latest && !trace.saysAsBefore()) return false;
    return trace.looksAsBefore(viewportNow(), focused, element =>
      this.knowledge.closedRoots.isSuspect(element, tagName(element)),
    );
  }

  /**
   * What a capture depends on beside its elements that changes without a mutation, a style or a layout, as text to compare.
   */
  #standing(scroller: Element): string {
    const { stillness, closedRoots } = this.knowledge;
    const { scrollX, scrollY, location } = window;
    return `${stillness.generation} ${closedRoots.count} ${scrollX} ${scrollY} ${scroller.scrollTop} ${location.href}`;
  }

  #read(request: Extract<Request, { do: 'capture' }>): { capture: RawCapture; source: CaptureSource | undefined } {
    const options = { maxNodes: request.maxNodes, exactText: request.exactText ?? false };
    const { walk, modal } = this.walk(options, hiding => {
      this.knowledge.ids.beginCapture(hiding);
      this.knowledge.closedRoots.beginWalk();
    });
    this.#latest = walk.trace;
    if (walk.cut) this.knowledge.ids.noteCut();
    const scroller = pageScroller();
    const place = { standing: this.#standing(scroller), extent: extentNow(scroller), scroller };
    const { top, height, viewportHeight } = scrollState(scroller);
    const focused = deepActiveElement();
    const suspects = this.knowledge.closedRoots.suspects.length;
    const isWhole = !options.exactText && modal === undefined && !walk.cut;
    return {
      source: suspects === 0 ? { trace: walk.trace, isWhole, ...place, focused } : undefined,
      capture: {
        doc: this.knowledge.ids.doc,
        lastId: this.knowledge.ids.last,
        title: titleNow(),
        url: location.href,
        nodes: walk.emitter.nodes,
        rows: walk.emitter.rowTexts,
        scroll: [top, height, viewportHeight],
        modal: modal !== undefined,
        elementCount: walk.elementCount,
        suspects,
        shadowRoots: this.knowledge.listeners.roots,
        ...(walk.cut && { cut: true }),
      },
    };
  }
}

/** What else it depends on beside its elements. */
function extentNow({ scrollHeight, clientHeight }: Element): string {
  return `${window.innerWidth} ${window.innerHeight} ${scrollHeight} ${clientHeight} ${titleNow()}`;
}

/** What a person scrolls to see more of the page, as far as anybody asks: not in a frame. */
function pageScroller(): Element {
  return window === window.top ? scrollerOf(undefined, 0, 1) : mainScroller();
}
