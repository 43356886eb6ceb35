/** Counts since the live view was made. Everything that was dropped is counted here, whatever the log shows. */
export interface Metrics {
  /** Connections that were let in. */
  connections: number;
  /** Requests and connections that were refused. */
  refusals: number;
  /** Messages of viewers, garbage included. */
  messages: number;
  /** Messages that are none: not JSON, of no known type, or with fields that do not fit. */
  garbage: number;
  /** Input without the right to it, or for a browser that is not there. */
  refusedInput: number;
  /** Input that the browser did not take. */
  failedInput: number;
  /** Moves and turns of the wheel that became part of a newer one before the browser was ready for them. */
  replacedMoves: number;
  /** How many times a viewer was read more slowly because it sent too much. */
  throttled: number;
  /** Frames of browsers. */
  framesTaken: number;
  /** Frames to viewers. */
  framesSent: number;
  /** Frames that a viewer did not get because a newer one was there. */
  framesSkipped: number;
  /** Chunks of video that were encoded. */
  chunksTaken: number;
  /** Chunks of video to viewers. */
  chunksSent: number;
  /** Chunks of video that a viewer did not get because it was behind, or had no key picture yet. */
  chunksSkipped: number;
}

export function createMetrics(): Metrics {
  return {
    connections: 0,
    refusals: 0,
    messages: 0,
    garbage: 0,
    refusedInput: 0,
    failedInput: 0,
    replacedMoves: 0,
    throttled: 0,
    framesTaken: 0,
    framesSent: 0,
    framesSkipped: 0,
    chunksTaken: 0,
    chunksSent: 0,
    chunksSkipped: 0,
  };
}
