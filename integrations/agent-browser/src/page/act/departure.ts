/**
 * Notes whether what is done to a document makes it go away. The document knows before the browser does: the browser is
 * told of a navigation later than it tells that a click was taken.
 */
export class Departure {
  #submit: SubmitEvent | undefined;
  #navigate: NavigateEvent | undefined;
  #isWatching = false;

  /** Forgets what was noted before. */
  watch(): void {
    this.#submit = undefined;
    this.#navigate = undefined;
    if (this.#isWatching) return;
    this.#isWatching = true;
    window.addEventListener('submit', this.#noteSubmit, { capture: true, passive: true });
    // HTML, the navigation API: fired at this document for every navigation of its own that it begins.
    window.navigation.addEventListener('navigate', this.#noteNavigate);
  }

  /** Whether another document is about to take the place of this one. */
  get isNear(): boolean {
    const navigate = this.#navigate;
    if (navigate !== undefined && !navigate.defaultPrevented && window.navigation.transition === null) return true;
    return this.#submit !== undefined && !this.#submit.defaultPrevented && staysInPlace(this.#submit);
  }

  #noteSubmit = (event: Event): void => {
    if (event instanceof SubmitEvent) this.#submit = event;
  };

  #noteNavigate = (event: NavigateEvent): void => {
    if (!event.destination.sameDocument && event.downloadRequest === null) this.#navigate = event;
  };
}

/** Whether the answer to a form comes in this browsing context. */
function staysInPlace({ target, submitter }: SubmitEvent): boolean {
  const method = submitter?.getAttribute('formmethod') ?? (target as Element).getAttribute('method');
  const context = submitter?.getAttribute('formtarget') ?? (target as Element).getAttribute('target');
  return method?.toLowerCase() !== 'dialog' && (context === null || ['', '_self'].includes(context.toLowerCase()));
}
