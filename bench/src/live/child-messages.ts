/** What the bench asks of the process that a stack's server runs in. */
export interface ChildCalls {
  start(): Promise<{ url: string }>;
  show(url: string): Promise<void>;
  picture(): Promise<string>;
  usage(afterCollection: boolean): Promise<Usage>;
  close(): Promise<void>;
}

/** What the server's own process has used; Chromium is not in it. */
export interface Usage {
  /** Milliseconds of processor time since the process began. */
  cpuMs: number;
  /** Frames that the browser has given. */
  frames: number;
  /** Bytes. */
  rss: number;
  heapUsed: number;
  /** Bytes outside of V8's heap that objects in it hold: buffers are here. */
  external: number;
}

export interface ChildCall {
  id: number;
  name: keyof ChildCalls;
  argument?: unknown;
}

export type Reply = { id: number; value: unknown } | { id: number; error: string };
