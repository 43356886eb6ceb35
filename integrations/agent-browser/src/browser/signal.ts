/** What happens again and again, such as the end of a browser. */
export class Signal<News extends unknown[] = []> {
  readonly #listeners = new Set<(...news: News) => void>();

  /** Calls back whenever it happens. Returns a function that unsubscribes. */
  on(listener: (...news: News) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  emit(...news: News): void {
    for (const listener of [...this.#listeners]) listener(...news);
  }
}
