import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const DONE = {
  evaluation: 'Success: the page shows it',
  memory: 'The blue mug is there',
  nextGoal: 'Report it',
  actions: [{ done: { text: 'The blue mug', success: true } }],
};

const EXTRACTED = { data: { title: 'Mug shop' }, sources: [{ path: 'title', quote: 'Mug shop' }] };

/** A server of OpenAI's Responses protocol for code of documents: it ends every task at once and extracts the title of the shop, whatever is asked. */
export async function standInModel(): Promise<{ url: string; close: () => Promise<void> }> {
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const asked = Buffer.concat(parts).toString();
    response.setHeader('content-type', 'application/json').end(JSON.stringify(answer(textFor(asked))));
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const close = () => new Promise<void>(resolve => void server.close(() => resolve()));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, close };
}

function textFor(asked: string): string {
  if (asked.includes('You are a browser agent')) return JSON.stringify(DONE);
  if (asked.includes('copied verbatim')) return JSON.stringify(EXTRACTED);
  return 'A shop with two mugs.';
}

const answer = (text: string) => ({
  id: 'r1',
  object: 'response',
  created_at: 1,
  model: 'stand-in',
  status: 'completed',
  incomplete_details: null,
  output: [
    {
      type: 'message',
      id: 'm1',
      role: 'assistant',
      status: 'completed',
      content: [{ type: 'output_text', text, annotations: [] }],
    },
  ],
  usage: {
    input_tokens: 10,
    output_tokens: 5,
    total_tokens: 15,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens_details: { reasoning_tokens: 0 },
  },
});
