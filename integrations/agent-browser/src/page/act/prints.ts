/** Knows whether the document was put on paper (HTML, printing: `beforeprint` is fired at the window before it is). */
export class Prints {
  #isPrinted = false;

  constructor() {
    window.addEventListener('beforeprint', ({ isTrusted }) => {
      this.#isPrinted ||= isTrusted;
    });
  }

  /** Whether it was since this was last asked. */
  take(): { printed?: true } {
    const isPrinted = this.#isPrinted;
    this.#isPrinted = false;
    return isPrinted ? { printed: true } : {};
  }
}
