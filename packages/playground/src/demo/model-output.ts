import { z } from 'zod';
import { asError, asRecord } from './unknown-values.js';

/** The content of a tool's `toModelOutput`; Mastra sends it with each result, just as the model gets it. */
const modelOutput = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text'), value: z.string() }),
  z.object({ type: z.literal('json'), value: z.unknown() }),
  z.object({
    type: z.literal('content'),
    value: z.array(
      z.union([
        z.object({ type: z.literal('text'), text: z.string() }),
        z.object({ type: z.string(), mediaType: z.string().optional(), data: z.string().optional() }),
      ]),
    ),
  }),
]);

const metadata = z.object({ mastra: z.object({ modelOutput }) });

/** The texts and pictures of a result for a model. */
export interface ModelReading {
  readonly read: string;
  /** As data urls. */
  readonly pictures: readonly string[];
}

interface Answer {
  readonly result: Record<string, unknown>;
  readonly read: string;
  readonly pictures: number;
}

/** Reads what a tool's `toModelOutput` made of a result; without one a model gets the result as JSON. */
export function readingOf(output: unknown, result: unknown): ModelReading {
  const parsed = modelOutput.safeParse(output);
  return textOf(parsed.success ? parsed.data : { type: 'json', value: result });
}

type AnswerChunk =
  | { type: 'tool-result'; payload: { result: unknown; providerMetadata?: unknown } }
  | { type: 'tool-error'; payload: { error: unknown } };

export function readModelOutput(chunk: AnswerChunk): Answer {
  if (chunk.type === 'tool-error') {
    const { message } = asError(chunk.payload.error);
    return { result: { success: false, message }, read: message, pictures: 0 };
  }
  const { result, providerMetadata } = chunk.payload;
  const parsed = metadata.safeParse(providerMetadata);
  const { read, pictures } = readingOf(parsed.data?.mastra.modelOutput, result);
  return { result: asRecord(result), read, pictures: pictures.length };
}

function textOf(output: z.infer<typeof modelOutput>): ModelReading {
  switch (output.type) {
    case 'text':
      return { read: output.value, pictures: [] };
    case 'json':
      return { read: JSON.stringify(output.value) ?? '', pictures: [] };
    case 'content':
      return {
        read: output.value.flatMap(part => ('text' in part ? [part.text] : [])).join('\n'),
        pictures: output.value.flatMap(part => ('text' in part ? [] : [`data:${part.mediaType};base64,${part.data}`])),
      };
  }
}
