import type { MastraModelConfig } from '@mastra/core/llm';

type Generates = { doGenerate(options: never): PromiseLike<{ content: unknown[] }> };
/** Mastra's model interface, version 2. */
type LanguageModel = Extract<MastraModelConfig, { specificationVersion: 'v2' } & Generates>;
type Generated = Awaited<ReturnType<LanguageModel['doGenerate']>>;
type StreamPart =
  Awaited<ReturnType<LanguageModel['doStream']>>['stream'] extends ReadableStream<infer Part> ? Part : never;
type Answer = Pick<Generated, 'content' | 'finishReason' | 'usage'>;
export type Prompt = Parameters<LanguageModel['doGenerate']>[0]['prompt'];
export type CallOptions = Parameters<LanguageModel['doGenerate']>[0];

export interface ToolCall {
  tool: string;
  input: object;
}

/** One turn: a tool call, or several at once, or the final answer. `read` is the text of the tool results so far. */
export type Turn = ToolCall | ToolCall[] | string;
export type Script = readonly (Turn | ((read: string[]) => Turn))[];

/** A model without a network: it plays a script, one turn for each time it is asked, and keeps what it was sent. */
export function scriptedModel(
  script: Script,
  { provider = 'scripted', modelId = 'script' } = {},
): LanguageModel & { calls: CallOptions[] } {
  const calls: CallOptions[] = [];
  const answer = (options: CallOptions): Answer => {
    options.abortSignal?.throwIfAborted();
    calls.push(options);
    const content = contentOf(nextTurn(script, options.prompt));
    const finishReason = content.some(part => part.type === 'tool-call') ? 'tool-calls' : 'stop';
    return { content, finishReason, usage: { inputTokens: 1, outputTokens: 1, totalTokens: 2 } };
  };
  return {
    specificationVersion: 'v2',
    provider,
    modelId,
    supportedUrls: {},
    calls,
    doGenerate: async options => ({ ...answer(options), warnings: [] }),
    doStream: async options => ({ stream: streamOf(answer(options)) }),
  };
}

/** The texts that the model reads of the tool results since the user last spoke. */
export function textsRead(prompt: Prompt): string[] {
  return resultsOf(prompt).map(({ output }) =>
    output.type === 'content'
      ? output.value.map(part => (part.type === 'text' ? part.text : `[${part.mediaType}]`)).join('\n')
      : typeof output.value === 'string'
        ? output.value
        : JSON.stringify(output.value),
  );
}

/** The ref in the last line that has this text, as a person would look it up. */
export function refIn(read: string[], text: string): string {
  const line = read
    .flatMap(part => part.split('\n'))
    .filter(part => part.includes(text))
    .at(-1);
  return line?.match(/@e\d+/)?.[0] ?? `there is no ${text}`;
}

type ToolMessage = Extract<Prompt[number], { role: 'tool' }>;

export function resultsOf(prompt: Prompt): ToolMessage['content'] {
  // What Mastra tells of the browser's state, and the pictures that tools took, come as user messages too.
  const start = prompt.findLastIndex(
    message => message.role === 'user' && !/<state|that the browser tools? took/.test(JSON.stringify(message)),
  );
  return prompt.slice(start + 1).flatMap(message => (message.role === 'tool' ? message.content : []));
}

function nextTurn(script: Script, prompt: Prompt): Turn {
  const read = textsRead(prompt);
  let answered = 0;
  for (const entry of script) {
    const turn = typeof entry === 'function' ? entry(read) : entry;
    if (typeof turn === 'string' || answered >= read.length) return turn;
    answered += [turn].flat().length;
  }
  return 'Done.';
}

let lastId = 0;

function contentOf(turn: Turn): Generated['content'] {
  if (typeof turn === 'string') return [{ type: 'text', text: turn }];
  return [turn].flat().map(({ tool, input }) => ({
    type: 'tool-call',
    toolCallId: `call-${++lastId}`,
    toolName: tool,
    input: JSON.stringify(input),
  }));
}

function streamOf({ content, finishReason, usage }: Answer): ReadableStream<StreamPart> {
  return new ReadableStream({
    start(controller) {
      controller.enqueue({ type: 'stream-start', warnings: [] });
      for (const part of content) {
        if (part.type === 'text') {
          controller.enqueue({ type: 'text-start', id: 'text' });
          controller.enqueue({ type: 'text-delta', id: 'text', delta: part.text });
          controller.enqueue({ type: 'text-end', id: 'text' });
        } else if (part.type === 'tool-call') controller.enqueue(part);
      }
      controller.enqueue({ type: 'finish', finishReason, usage });
      controller.close();
    },
  });
}
