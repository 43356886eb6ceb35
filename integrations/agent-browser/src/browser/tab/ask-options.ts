/** Options of a question to the engine in a page. */
export interface AskOptions {
  /** Milliseconds until the page counts as not answering. */
  timeout: number;
  signal?: AbortSignal;
}
