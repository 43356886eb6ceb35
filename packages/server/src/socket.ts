/** The events of a connection. */
export interface SocketListener {
  /** A text message; undefined for a binary one, which no viewer has a reason to send. */
  onMessage(text: string | undefined): void;
  /** The other end has answered a ping, with the payload of that one. */
  onPong(payload: string): void;
  /** The connection is over; nothing is told after that. */
  onClosed(): void;
}

/** A connection to a viewer, whatever library carries it. */
export interface LiveSocket {
  /** Bytes that were sent but that the kernel has not taken yet. */
  readonly bufferedAmount: number;
  listen(listener: SocketListener): void;
  /** Sends a message, bytes as text too; calls back once the kernel has taken it, or the connection is gone. */
  send(data: string | Buffer, kind: 'text' | 'binary', onSent: () => void): void;
  /** Asks for a pong with the same payload, of 125 bytes at most (RFC 6455, section 5.5.2). */
  ping(payload?: string): void;
  /** Stops reading what the other end sends, which then waits there; pongs too. */
  pause(): void;
  resume(): void;
  /** Ends the connection with a close code (RFC 6455, section 7.4). */
  close(code: number, reason: string): void;
  /** Ends the connection without waiting for the other end. */
  terminate(): void;
}
