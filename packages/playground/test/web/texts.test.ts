import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { eventsOf } from '../../src/server/events/event-stream.js';
import { formatRoute, parseRoute } from '../../web/layout/route.js';
import { titleOf } from '../../web/threads/title.js';

describe('a stream of events', () => {
  test('is read whole however its bytes are cut', async () => {
    const values = fc.array(fc.jsonValue(), { maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(values, fc.integer({ min: 1, max: 9 }), async (sent, size) => {
        const text = sent.map(value => `data: ${JSON.stringify(value)}\n\n`).join(': heartbeat\n\n');
        const bytes = new TextEncoder().encode(`: connected\n\n${text}data: [DONE]\n\n`);
        const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
          bytes.slice(at * size, (at + 1) * size),
        );
        const read: unknown[] = [];
        for await (const value of eventsOf(streamOf(pieces))) read.push(value);
        // JSON knows no -0.
        expect(read).toEqual(JSON.parse(JSON.stringify(sent)));
      }),
    );
  });
});

describe('the address of a thread', () => {
  test('leads back to it, whatever it is called', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), fc.string({ minLength: 1 }), (agentId, threadId) => {
        expect(parseRoute(formatRoute({ agentId, threadId }))).toEqual({ agentId, threadId });
        expect(parseRoute(formatRoute({ agentId, threadId, runId: 'r' }))).toEqual({ agentId, threadId, runId: 'r' });
      }),
    );
  });

  test('may be anything', () => {
    expect(parseRoute('')).toEqual({ agentId: undefined, threadId: undefined });
    expect(parseRoute('#/%/x')).toEqual({ agentId: undefined, threadId: 'x' });
  });
});

describe('the title of a thread', () => {
  test('is the beginning of its first message, without what is not worth the room', () => {
    expect(titleOf('  Buy   one\nmug ')).toBe('Buy one mug');
    expect(titleOf('Look for mugs at http://127.0.0.1:4601, ask me')).toBe('Look for mugs at 127.0.0.1:4601, ask me');
    expect(titleOf('word '.repeat(40))).toMatch(/^(word )+word…$/);
    expect(titleOf('x'.repeat(100))).toHaveLength(61);
  });
});

function streamOf(pieces: readonly Uint8Array[]): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      for (const piece of pieces) controller.enqueue(piece);
      controller.close();
    },
  });
}
