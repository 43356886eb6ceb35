import { type Duplex, duplexPair, Transform } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';

export interface LineShape {
  bitsPerSecond: number;
  /** Milliseconds to the other end and back. */
  roundTripMs: number;
}

/** Bytes that wait on the way; more than that waits with who sends it. */
const QUEUE_BYTES = 64 * 1024;
/** Bytes of a packet. */
const PIECE_BYTES = 1_460;

/**
 * A connection as it is over a slow line, for trying what a viewer far away sees: bytes take their time, each way.
 *
 * @example
 * server.on('upgrade', (request, socket, head) =>
 *   view.handleUpgrade(request, slowLine(socket, { bitsPerSecond: 1_000_000, roundTripMs: 80 }), head),
 * );
 */
export function slowLine(socket: Duplex, shape: LineShape): Duplex {
  const [near, far] = duplexPair({ highWaterMark: QUEUE_BYTES });
  socket.pipe(carry(shape)).pipe(far);
  far.pipe(carry(shape)).pipe(socket);
  // Who breaks off takes the other end with it; what was said by who has ended is still under way.
  near.on('close', () => near.writableFinished || socket.destroy());
  socket.on('close', () => socket.readableEnded || near.destroy());
  socket.on('error', error => near.destroy(error));
  return near;
}

/** Passes bytes on at a rate, each after half of the round trip. */
function carry({ bitsPerSecond, roundTripMs }: LineShape): Transform {
  const bytesPerMs = bitsPerSecond / 8_000;
  let freeAt = 0;
  let underWay = 0;
  let onArrived: () => void = () => undefined;
  return new Transform({
    readableHighWaterMark: QUEUE_BYTES,
    writableHighWaterMark: QUEUE_BYTES,
    transform(data: Buffer, _, done) {
      const send = async (): Promise<void> => {
        for (let at = 0; at < data.length; at += PIECE_BYTES) {
          const piece = data.subarray(at, at + PIECE_BYTES);
          freeAt = Math.max(freeAt, performance.now()) + piece.length / bytesPerMs;
          await pause(freeAt - performance.now());
          underWay += 1;
          setTimeout(() => {
            if (!this.destroyed) this.push(piece);
            underWay -= 1;
            if (underWay === 0) onArrived();
          }, roundTripMs / 2);
        }
      };
      send().then(() => done(), done);
    },
    flush(done) {
      if (underWay === 0) done();
      else onArrived = done;
    },
  });
}
