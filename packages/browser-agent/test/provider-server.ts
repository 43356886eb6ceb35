import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request as it came, word for word. */
export interface Sent {
  path: string;
  body: Record<string, unknown>;
}

/** What the model says: a text, thoughts before it, and how it ends. */
interface Reply {
  text: string;
  thoughts?: string;
  /** It was stopped for want of room. */
  isCut?: true;
  /** The connection breaks after so many pieces of a streamed answer. */
  breaksAfter?: number;
}

export type Replies = (sent: Sent, n: number) => Reply | { status: number };

/**
 * Stands in the place of OpenAI, Anthropic, Google, DeepSeek and any server that speaks OpenAI's protocol, on loopback. Which one
 * it is, it sees by the path.
 */
export class ProviderServer {
  readonly sent: Sent[] = [];
  replies: Replies = () => ({ status: 500 });
  /** Called with each piece of a streamed answer before it goes out; the answer waits for it. */
  beforePiece: (n: number) => Promise<void> = async () => undefined;
  readonly #server = createServer((request, response) => void this.#answer(request, response));

  async start(): Promise<this> {
    await new Promise<void>(done => this.#server.listen(0, '127.0.0.1', done));
    return this;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise(done => this.#server.close(done));
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let text = '';
    for await (const chunk of request) text += chunk;
    const sent = { path: request.url ?? '', body: JSON.parse(text) as Record<string, unknown> };
    this.sent.push(sent);
    const reply = this.replies(sent, this.sent.length - 1);
    if ('status' in reply) {
      response.writeHead(reply.status, { 'content-type': 'application/json' });
      return void response.end(JSON.stringify({ error: { message: `status ${reply.status}`, type: 'failure' } }));
    }
    if (sent.body.stream !== true) {
      response.setHeader('content-type', 'application/json');
      return void response.end(JSON.stringify(PROTOCOLS[protocolOf(sent)](reply, sent)));
    }
    response.setHeader('content-type', 'text/event-stream');
    for (const [n, piece] of chatPieces(reply, sent).entries()) {
      await this.beforePiece(n);
      if (n === reply.breaksAfter) return void request.socket.destroy();
      response.write(`data: ${JSON.stringify(piece)}\n\n`);
    }
    response.end('data: [DONE]\n\n');
  }
}

type Protocol = 'responses' | 'messages' | 'google' | 'chat';

function protocolOf({ path }: Sent): Protocol {
  if (path.endsWith('/responses')) return 'responses';
  if (path.endsWith('/messages')) return 'messages';
  return path.includes(':generateContent') ? 'google' : 'chat';
}

const USAGE = { input_tokens: 10, output_tokens: 5, total_tokens: 15 };

const PROTOCOLS: Record<Protocol, (reply: Reply, sent: Sent) => object> = {
  responses: ({ text, isCut }, { body }) => ({
    id: 'r1',
    object: 'response',
    created_at: 1,
    model: 'mind',
    status: isCut ? 'incomplete' : 'completed',
    incomplete_details: isCut ? { reason: 'max_output_tokens' } : null,
    output: body.tools
      ? [{ type: 'function_call', id: 'f1', call_id: 'c1', name: 'answer', arguments: text, status: 'completed' }]
      : [
          {
            type: 'message',
            id: 'm1',
            role: 'assistant',
            status: 'completed',
            content: [{ type: 'output_text', text, annotations: [] }],
          },
        ],
    usage: { ...USAGE, input_tokens_details: { cached_tokens: 0 }, output_tokens_details: { reasoning_tokens: 0 } },
  }),
  messages: ({ text, isCut }, { body }) => ({
    id: 'm1',
    type: 'message',
    role: 'assistant',
    model: 'mind',
    content: body.tools
      ? [{ type: 'tool_use', id: 't1', name: 'answer', input: JSON.parse(text) }]
      : [{ type: 'text', text }],
    stop_reason: isCut ? 'max_tokens' : body.tools ? 'tool_use' : 'end_turn',
    stop_sequence: null,
    usage: USAGE,
  }),
  google: ({ text, isCut }) => ({
    candidates: [{ content: { role: 'model', parts: [{ text }] }, finishReason: isCut ? 'MAX_TOKENS' : 'STOP' }],
    usageMetadata: { promptTokenCount: 10, candidatesTokenCount: 5, totalTokenCount: 15 },
  }),
  chat: ({ text, thoughts, isCut }, { body }) => ({
    id: '1',
    object: 'chat.completion',
    created: 1,
    model: 'mind',
    choices: [
      {
        index: 0,
        message: body.tools
          ? { role: 'assistant', content: null, tool_calls: [callOf(text)] }
          : { role: 'assistant', content: text, ...(thoughts !== undefined && { reasoning_content: thoughts }) },
        finish_reason: isCut ? 'length' : body.tools ? 'tool_calls' : 'stop',
      },
    ],
    usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 },
  }),
};

function callOf(text: string): object {
  return { index: 0, id: 'c1', type: 'function', function: { name: 'answer', arguments: text } };
}

/** Pieces of a chat completion: thoughts, the answer in pieces of 20 characters, and the end. */
function chatPieces({ text, thoughts = '', isCut }: Reply, { body }: Sent): object[] {
  const parts = (whole: string): string[] => whole.match(/[\s\S]{1,20}/g) ?? [];
  const deltas: object[] = [
    { role: 'assistant', content: '' },
    ...parts(thoughts).map(piece => ({ reasoning_content: piece })),
    ...parts(text).map((piece, i) =>
      body.tools
        ? {
            tool_calls: [i === 0 ? callOf(piece) : { index: 0, function: { arguments: piece } }],
          }
        : { content: piece },
    ),
  ];
  const chunk = (delta: object, reason: string | null): object => ({
    id: '1',
    object: 'chat.completion.chunk',
    created: 1,
    model: 'mind',
    choices: [{ index: 0, delta, finish_reason: reason }],
  });
  const end = isCut ? 'length' : body.tools ? 'tool_calls' : 'stop';
  return [...deltas.map(delta => chunk(delta, null)), chunk({}, end)];
}
