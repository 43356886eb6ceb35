import type { EventStore, JSONRPCMessage } from '@modelcontextprotocol/server';

interface Stored {
  id: string;
  streamId: string;
  message: JSONRPCMessage;
  size: number;
}

/** Characters of messages that are kept of one connection, for a client that comes back after it lost a stream. */
const MOST_CHARACTERS = 2_000_000;

/** The latest messages of one connection (MCP, streamable HTTP: resumability). */
export class RecentEvents implements EventStore {
  readonly #events: Stored[] = [];
  #size = 0;
  #last = 0;

  async storeEvent(streamId: string, message: JSONRPCMessage): Promise<string> {
    const id = String(++this.#last);
    const size = JSON.stringify(message).length;
    this.#events.push({ id, streamId, message, size });
    this.#size += size;
    while (this.#size > MOST_CHARACTERS && this.#events.length > 1) this.#size -= this.#events.shift()?.size ?? 0;
    return id;
  }

  async getStreamIdForEventId(id: string): Promise<string | undefined> {
    return this.#events.find(event => event.id === id)?.streamId;
  }

  async replayEventsAfter(
    lastId: string,
    { send }: { send: (id: string, message: JSONRPCMessage) => Promise<void> },
  ): Promise<string> {
    const index = this.#events.findIndex(({ id }) => id === lastId);
    const from = this.#events[index];
    if (from === undefined) throw new Error(`There is no event ${lastId} any more`);
    for (const { id, streamId, message } of this.#events.slice(index + 1)) {
      // An event without a message only marks where its stream began.
      if (streamId === from.streamId && Object.keys(message).length > 0) await send(id, message);
    }
    return from.streamId;
  }
}
