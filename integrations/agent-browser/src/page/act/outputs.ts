import type { OutputReport } from '../protocol.js';

/** Knows what the document gave out, which nobody sees in it: prints, and downloads that it asked the browser for. */
export class Outputs {
  #isPrinted = false;
  #downloads: NavigateEvent[] = [];

  constructor() {
    // HTML, printing: fired at the window before the document is put on paper.
    window.addEventListener('beforeprint', ({ isTrusted }) => {
      this.#isPrinted ||= isTrusted;
    });
    // HTML, the navigation API: fired before a link with a `download` attribute is followed, also by a script.
    window.navigation.addEventListener('navigate', event => {
      if (event.isTrusted && event.downloadRequest !== null) this.#downloads.push(event);
    });
  }

  /** What it gave out since this was last asked. */
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
}
