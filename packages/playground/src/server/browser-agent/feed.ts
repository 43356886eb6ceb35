import type { SSEStreamingApi } from 'hono/streaming';

/** Events for one page. What comes before the page listens is kept for it. */
export class Feed<Event extends { readonly type: string }> {
  readonly #waiting: Event[] = [];
  readonly #unsubscribe: () => void;
  #send: (event: Event) => void = event => void this.#waiting.push(event);

  /** @param subscribe answers with the way to stop */
  constructor(subscribe: (listener: (event: Event) => void) => () => void) {
    this.#unsubscribe = subscribe(event => this.#send(event));
  }

  close(): void {
    this.#unsubscribe();
  }

  /** Sends `first`, what came meanwhile, and what comes, until the page is gone or has been told that all is `deleted`. */
  async pour(stream: SSEStreamingApi, first: Event): Promise<void> {
    const over = Promise.withResolvers<void>();
    stream.onAbort(() => over.resolve());
    let sent: Promise<void> = Promise.resolve();
    this.#send = event => {
      sent = sent.then(() => stream.writeSSE({ data: JSON.stringify(event) }));
      if (event.type === 'deleted') over.resolve();
    };
    for (const event of [first, ...this.#waiting.splice(0)]) this.#send(event);
    await over.promise;
    this.close();
    if (!stream.aborted) await sent;
  }
}
