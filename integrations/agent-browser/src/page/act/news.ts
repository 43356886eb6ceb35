import type { CaptureAnswer, OutputReport } from '../protocol.js';
import { Looks } from './looks.js';
import { PressScroll } from './press-scroll.js';
import { Sights } from './press-sights.js';
import { RefusedFields } from './refused-fields.js';
import { selectionNow } from './selection.js';

type ToldNews = Pick<CaptureAnswer, 'selection' | 'looks' | 'pressed' | 'sights' | 'refused' | 'printed' | 'downloads'>;

/** The news of a document besides its elements: refused fields, looks, the selection, its messages. */
export class News {
  readonly outputs = new Outputs();
  readonly looks = new Looks();
  readonly scroll = new PressScroll();
  readonly #sights = new Sights();
  readonly #refusedFields = new RefusedFields();

  /**
   * @param since Asks for the fields that were refused in so many milliseconds.
   * @param acted What was acted on.
   */
  take(since: number | undefined, acted: Element | undefined, idOf: (element: Element) => number): ToldNews {
    const selection = selectionNow();
    const looks = this.looks.take(idOf);
    const { pressed } = this.scroll;
    const sights = this.#sights.take();
    return {
      ...(selection && { selection }),
      ...(looks.length > 0 && { looks }),
      ...(pressed && { pressed }),
      ...(sights && { sights }),
      ...this.outputs.take(),
      ...this.#refusedFields.since(since, acted, idOf),
    };
  }
}

/** Chromium lets a document ask for so many downloads within a second, and forgets the others without a word. */
const BURST = { most: 10, milliseconds: 1_000 };
/** As many are remembered until somebody asks. */
const REMEMBERED = 100;

/** Knows what the document gave out, which nobody sees in it: prints, and downloads that it asked the browser for. */
class Outputs {
  #isPrinted = false;
  #downloads: NavigateEvent[] = [];
  #burst = { began: Number.NEGATIVE_INFINITY, count: 0 };

  constructor() {
    // HTML, printing: fired at the window before the document is put on paper.
    window.addEventListener('beforeprint', ({ isTrusted }) => {
      this.#isPrinted ||= isTrusted;
    });
    // HTML, the navigation API: fired before a link with a `download` attribute is followed, also by a script.
    window.navigation.addEventListener('navigate', event => {
      if (event.isTrusted && event.downloadRequest !== null && this.#isAllowed(event)) this.#downloads.push(event);
      if (this.#downloads.length > REMEMBERED) this.#downloads.shift();
    });
    // A router that takes the download for a navigation of its own is where it led to.
    window.navigation.addEventListener('currententrychange', () => {
      this.#downloads = this.#downloads.filter(({ destination }) => destination.url !== window.location.href);
    });
  }

  /** The messages since the last question. */
  take(): OutputReport {
    const now = performance.now();
    const asked = this.#downloads.filter(({ defaultPrevented }) => !defaultPrevented);
    const isPrinted = this.#isPrinted;
    this.#isPrinted = false;
    this.#downloads = [];
    return {
      ...(isPrinted && { printed: true }),
      ...(asked.length > 0 && { downloads: asked.map(({ timeStamp }) => now - timeStamp) }),
    };
  }

  #isAllowed({ timeStamp }: NavigateEvent): boolean {
    if (timeStamp - this.#burst.began > BURST.milliseconds) this.#burst = { began: timeStamp, count: 0 };
    this.#burst.count++;
    return this.#burst.count <= BURST.most;
  }
}
