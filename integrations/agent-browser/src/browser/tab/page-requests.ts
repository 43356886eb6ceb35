import type { Page, Request } from 'playwright-core';

/** Kinds of request whose answer usually changes what the page shows. */
const CONTENT_REQUESTS = new Set(['xhr', 'fetch', 'document', 'script']);

/** The requests of a page that have no answer yet. */
export class PageRequests {
  /** When each of them began (`performance.now()`). */
  readonly #open = new Map<Request, number>();
  /** Pages that were answers to forms. */
  readonly #posted = new Set<string>();
  readonly #listeners = new Set<() => void>();
  /** When the main frame last asked for a document, wherever it was sent on to from there. */
  navigationBegan = 0;

  constructor(readonly page: Page) {}

  began(request: Request): void {
    const now = performance.now();
    if (CONTENT_REQUESTS.has(request.resourceType())) this.#open.set(request, now);
    if (isNavigation(request, this.page)) {
      if (request.redirectedFrom() === null) this.navigationBegan = now;
      if (request.method() === 'POST') this.#posted.add(withoutHash(request.url()));
    }
    this.#changed();
  }

  ended(request: Request): void {
    this.#open.delete(request);
    this.#changed();
  }

  /** A document that is there may go on loading for ever; its navigation is over. */
  arrived(url: string): void {
    for (const request of this.#open.keys()) {
      if (isNavigation(request, this.page) && isSameDocument(request.url(), url)) this.#open.delete(request);
    }
    this.#changed();
  }

  since(moment: number): Request[] {
    return [...this.#open].flatMap(([request, began]) => (began >= moment ? [request] : []));
  }

  /** That of the main frame, if one is under way: asked for and not there yet. */
  get navigation(): Request | undefined {
    for (const request of this.#open.keys()) {
      if (isNavigation(request, this.page)) return request;
    }
    return undefined;
  }

  wasPosted(url: string): boolean {
    return this.#posted.has(withoutHash(url));
  }

  /** Calls back whenever a request begins or ends, until stopped. */
  onChanged(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  clear(): void {
    this.#open.clear();
  }

  #changed(): void {
    for (const listener of [...this.#listeners]) listener();
  }
}

export function isSameDocument(one: string, other: string): boolean {
  return withoutHash(one) === withoutHash(other);
}

function withoutHash(url: string): string {
  return url.split('#')[0] ?? '';
}

/** A request of a frame that is gone belongs to no main frame. */
export function isNavigation(request: Request, page: Page): boolean {
  if (!request.isNavigationRequest()) return false;
  try {
    return request.frame() === page.mainFrame();
  } catch {
    // Playwright throws for a navigation whose frame does not exist yet and for service workers.
    return false;
  }
}
