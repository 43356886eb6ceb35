import { randomUUID } from 'node:crypto';
import { ReadableStream } from 'node:stream/web';
import type { MastraModelConfig } from '@mastra/core/llm';
import type { CreateMessageRequestParams, SamplingMessage } from '@modelcontextprotocol/server';
import { z } from 'zod/v4';

/** Tokens of an answer at most, where the agent asks for no more: one step. */
const MOST_TOKENS = 4096;

const block = z.looseObject({ type: z.string(), text: z.string().optional() });
const sampled = z.object({
  content: z.union([block, z.array(block)]),
  model: z.string().optional(),
  stopReason: z.string().optional(),
});

type Generates = { doGenerate(options: never): PromiseLike<{ content: unknown[] }> };
/** Mastra's model interface, version 2. */
type LanguageModel = Extract<MastraModelConfig, { specificationVersion: 'v2' } & Generates>;
type CallOptions = Parameters<LanguageModel['doGenerate']>[0];
type Generated = Awaited<ReturnType<LanguageModel['doGenerate']>>;

/**
 * The model of the client as a model of the AI SDK (MCP, sampling).
 *
 * @param ask Has the client answer; resolves to its `CreateMessageResult`, undefined where it did not.
 */
export function samplingModel(ask: (params: CreateMessageRequestParams) => Promise<unknown>): LanguageModel {
  const doGenerate = async (options: CallOptions): Promise<Generated> => {
    const { data } = sampled.safeParse(await ask(paramsOf(options)));
    if (data === undefined) throw new Error('The client did not let its model answer (sampling).');
    const text = [data.content].flat().flatMap(({ text }) => text ?? []);
    return {
      content: [{ type: 'text', text: text.join('') }],
      finishReason: data.stopReason === 'maxTokens' ? 'length' : 'stop',
      // Clients do not tell how many tokens an answer took.
      usage: { inputTokens: undefined, outputTokens: undefined, totalTokens: undefined },
      response: { id: randomUUID(), modelId: data.model ?? 'client' },
      warnings: [],
    };
  };
  return {
    specificationVersion: 'v2',
    provider: 'mcp-sampling',
    modelId: 'client',
    supportedUrls: {},
    doGenerate,
    doStream: async options => {
      const { content, finishReason, usage } = await doGenerate(options);
      const text = content.flatMap(part => (part.type === 'text' ? part.text : [])).join('');
      const id = 'text';
      return {
        stream: ReadableStream.from([
          { type: 'stream-start' as const, warnings: [] },
          { type: 'text-start' as const, id },
          { type: 'text-delta' as const, id, delta: text },
          { type: 'text-end' as const, id },
          { type: 'finish' as const, finishReason, usage },
        ]) as Awaited<ReturnType<LanguageModel['doStream']>>['stream'],
      };
    },
  };
}

function paramsOf({ prompt, responseFormat, maxOutputTokens = MOST_TOKENS }: CallOptions): CreateMessageRequestParams {
  const schema = responseFormat?.type === 'json' ? responseFormat.schema : undefined;
  const system = prompt.flatMap(message => (message.role === 'system' ? message.content : []));
  if (schema !== undefined) system.push(`Answer with one JSON object of this JSON schema: ${JSON.stringify(schema)}`);
  return {
    systemPrompt: system.join('\n\n'),
    maxTokens: maxOutputTokens,
    messages: prompt.flatMap((message): SamplingMessage[] => {
      if (message.role !== 'user' && message.role !== 'assistant') return [];
      const { role } = message;
      return message.content.flatMap((part): SamplingMessage[] => {
        if (part.type === 'text') return [{ role, content: { type: 'text', text: part.text } }];
        if (part.type !== 'file' || !part.mediaType.startsWith('image/') || part.data instanceof URL) return [];
        const data = typeof part.data === 'string' ? part.data : Buffer.from(part.data).toString('base64');
        return [{ role, content: { type: 'image', data, mimeType: part.mediaType } }];
      });
    }),
  };
}
