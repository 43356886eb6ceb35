import type { WebSocket } from 'ws';

/** How long the other end may take to answer a close, in milliseconds. */
const CLOSE_PATIENCE_MS = 1000;

/** Closes a socket and tells its page why; one that does not answer is cut off. Settles when it is over. */
export async function endSocket(socket: WebSocket, code: number, reason: string): Promise<void> {
  if (socket.readyState === socket.CLOSED) return;
  const patience = setTimeout(() => socket.terminate(), CLOSE_PATIENCE_MS);
  await new Promise<void>(resolve => {
    socket.once('close', () => resolve());
    socket.close(code, reason);
  });
  clearTimeout(patience);
}
