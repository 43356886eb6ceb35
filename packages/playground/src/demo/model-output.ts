import { z } from 'zod';
import { asError, asRecord } from './unknown-values.js';

/** What a tool's `toModelOutput` may return; Mastra sends it with each result, just as the model gets it. */
const modelOutput = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text'), value: z.string() }),
  z.object({ type: z.literal('json'), value: z.unknown() }),
  z.object({
    type: z.literal('content'),
    value: z.array(z.union([z.object({ type: z.literal('text'), text: z.string() }), z.object({ type: z.string() })])),
  }),
]);

const metadata = z.object({ mastra: z.object({ modelOutput }) });

interface Answer {
  readonly result: Record<string, unknown>;
  readonly read: string;
  readonly pictures: number;
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
  const output = parsed.success ? parsed.data.mastra.modelOutput : { type: 'json' as const, value: result };
  return { result: asRecord(result), ...textOf(output) };
}

function textOf(output: z.infer<typeof modelOutput>): { read: string; pictures: number } {
  switch (output.type) {
    case 'text':
      return { read: output.value, pictures: 0 };
    case 'json':
      return { read: JSON.stringify(output.value), pictures: 0 };
    case 'content': {
      const texts = output.value.flatMap(part => ('text' in part ? [part.text] : []));
      return { read: texts.join('\n'), pictures: output.value.length - texts.length };
    }
  }
}
