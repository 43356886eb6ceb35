import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What a model was asked, as it came over the wire. */
export interface Asked {
  system: string;
  /** The text of the last user message. */
  text: string;
  pictures: string[];
  responseFormat?: string;
  toolChoice?: unknown;
  /** Counted from 0. */
  n: number;
}

/** An answer: an object, text as it is, a failure, or what only broken servers do. */
export type Answer =
  | object
  | string
  | { status: number; headers?: Record<string, string> }
  | { does: 'hang' | 'drop' | 'half' | 'call' };

export type Mind = (asked: Asked) => Answer;

interface Message {
  role: string;
  content: string | { type: string; text?: string; image_url?: { url: string } }[];
}

/** Speaks the OpenAI protocol (chat completions) on loopback; all but its mind is as with a real model. */
export class ModelServer {
  readonly asked: Asked[] = [];
  readonly #server = createServer((request, response) => void this.#answer(request, response));
  mind: Mind = () => 'no mind was given';

  async start(): Promise<this> {
    await new Promise<void>(done => this.#server.listen(0, '127.0.0.1', done));
    return this;
  }

  /** As a Mastra model. */
  get model(): { id: `${string}/${string}`; url: string; apiKey: string } {
    const { port } = this.#server.address() as AddressInfo;
    return { id: 'loopback/mind', url: `http://127.0.0.1:${port}/v1`, apiKey: 'none' };
  }

  /** Asks anew with another mind. */
  thinks(mind: Mind): { id: `${string}/${string}`; url: string; apiKey: string } {
    this.mind = mind;
    this.asked.length = 0;
    return this.model;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise(done => this.#server.close(done));
  }

  #think(asked: Asked): Answer {
    try {
      return this.mind(asked);
    } catch (error) {
      return `The mind is at a loss: ${error instanceof Error ? error.message : error}`;
    }
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let body = '';
    for await (const chunk of request) body += chunk;
    const { messages, response_format, tools, tool_choice } = JSON.parse(body) as {
      messages: Message[];
      response_format?: { type: string };
      tools?: { function: { name: string } }[];
      tool_choice?: unknown;
    };
    const asked = read(messages, this.asked.length, response_format?.type, tool_choice);
    this.asked.push(asked);
    const answer = this.#think(asked);
    const isUnasked = typeof answer === 'object' && 'does' in answer && answer.does === 'call';
    if (typeof answer === 'object' && 'does' in answer && !isUnasked) {
      if (answer.does === 'hang') return;
      if (answer.does === 'drop') return void request.socket.destroy();
      response.setHeader('content-type', 'application/json');
      response.write('{"id":"1","choices":[{"mess');
      return void setImmediate(() => request.socket.destroy());
    }
    response.setHeader('content-type', 'application/json');
    if (typeof answer === 'object' && 'status' in answer) {
      response.writeHead(answer.status as number, (answer as { headers?: Record<string, string> }).headers);
      return void response.end(JSON.stringify({ error: { message: `status ${answer.status}`, type: 'failure' } }));
    }
    const text = typeof answer === 'string' ? answer : JSON.stringify(answer);
    const unasked = isUnasked ? { name: 'browser_click', arguments: '{"ref":"@e1"}' } : undefined;
    const call =
      unasked ??
      (tools?.[0] && tool_choice !== undefined && !(tool_choice === 'auto' && typeof answer === 'string')
        ? { name: tools[0].function.name, arguments: text }
        : undefined);
    const message =
      call === undefined
        ? { role: 'assistant', content: text }
        : { role: 'assistant', content: null, tool_calls: [{ id: 'c1', type: 'function', function: call }] };
    const usage = {
      prompt_tokens: Math.ceil(body.length / 4),
      completion_tokens: Math.ceil(text.length / 4),
      total_tokens: 0,
    };
    const choices = [{ index: 0, message, finish_reason: call === undefined ? 'stop' : 'tool_calls' }];
    response.end(JSON.stringify({ id: '1', object: 'chat.completion', created: 1, model: 'mind', choices, usage }));
  }
}

function read(messages: Message[], n: number, responseFormat?: string, toolChoice?: unknown): Asked {
  const textOf = ({ content }: Message): string =>
    typeof content === 'string' ? content : content.map(({ text = '' }) => text).join('');
  const system = messages
    .filter(({ role }) => role === 'system')
    .map(textOf)
    .join('\n');
  const last = messages.findLast(({ role }) => role === 'user');
  const parts = typeof last?.content === 'object' ? last.content : [];
  return {
    system,
    text: last === undefined ? '' : textOf(last),
    pictures: parts.flatMap(({ image_url }) => image_url?.url ?? []),
    ...(responseFormat !== undefined && { responseFormat }),
    ...(toolChoice !== undefined && { toolChoice }),
    n,
  };
}

/** The ref of an element on the page that a model was shown. */
export function refOn({ text }: Asked, role: string, name: string): string {
  const found = new RegExp(
    `\\b${role} ${JSON.stringify(name).replace(/[.*+?^${'$'}{}()|[\]\\]/g, '\\$&')} (@e\\d+)`,
  ).exec(text);
  if (found?.[1] === undefined) throw new Error(`there is no ${role} ${name} on\n${text}`);
  return found[1];
}

/** A whole answer. */
export function says(
  actions: object[],
  { memory = 'Nothing yet', nextGoal = 'Go on', evaluation = 'Success: fine', ...more }: Record<string, string> = {},
): object {
  return { evaluation, memory, nextGoal, ...more, actions };
}
