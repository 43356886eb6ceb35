import { titleNow } from '../dom.js';
import type { RawCapture } from '../protocol.js';
import type { Request } from '../request-protocol.js';
import { mainScroller, scrollerOf, scrollState } from './scroll.js';
import type { Walker } from './walker.js';

type CaptureRequest = Extract<Request, { do: 'capture' }>;

interface NumberedCapture {
  number: number;
  /** The capture as JSON. */
  text: string;
}

/** Captures one document. Captures that read the same have the same number. */
export class Captures {
  #plain: NumberedCapture | undefined;
  #exact: NumberedCapture | undefined;
  /** Begins anywhere, so that the number of another document is never this one's. */
  #number = Math.floor(Math.random() * 2 ** 40);

  constructor(readonly walker: Walker) {}

  take(request: CaptureRequest): NumberedCapture {
    const before = request.exactText ? this.#exact : this.#plain;
    const text = JSON.stringify(this.#read(request));
    const numbered = text === before?.text ? before : { number: ++this.#number, text };
    if (request.exactText) this.#exact = numbered;
    else this.#plain = numbered;
    return numbered;
  }

  #read({ maxNodes, exactText = false, addedText = false }: CaptureRequest): RawCapture {
    const { ids, closedRoots, changes, rows, listeners } = this.walker.knowledge;
    rows.beginLook(changes.look());
    const { walk, modal } = this.walker.walk({ maxNodes, exactText, addedText }, hiding => {
      ids.beginCapture(hiding);
      closedRoots.beginWalk();
    });
    if (walk.cut) ids.noteCut();
    const { top, height, viewportHeight } = scrollState(pageScroller());
    return {
      doc: ids.doc,
      lastId: ids.last,
      title: titleNow(),
      url: location.href,
      nodes: walk.emitter.nodes,
      rows: walk.emitter.rowTexts,
      scroll: [top, height, viewportHeight],
      modal: modal !== undefined,
      elementCount: walk.elementCount,
      suspects: closedRoots.suspects.length,
      shadowRoots: listeners.roots,
      ...(walk.cut && { cut: true }),
    };
  }
}

/** The element that a person scrolls to see more of the page, as far as anybody asks: not in a frame. */
function pageScroller(): Element {
  return window === window.top ? scrollerOf(undefined, 0, 1) : mainScroller();
}
