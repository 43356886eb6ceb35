import { brief } from './brief.js';
import { toShorten } from './choose.js';
import type { Message, PastResult, Prompt, ToolResultPart } from './past-results.js';

/** About what a picture of a viewport costs a model. */
const PICTURE_TOKENS = 1200;
const CHARACTERS_PER_TOKEN = 4;

/**
 * The prompt with results that are out of date as one line each. Calls keep their results, and everything else is as it was.
 * @param batch Estimated tokens that are shortened together.
 */
export function shortenResults(prompt: Prompt, results: readonly PastResult[], batch: number): Prompt {
  const lines = results.map(brief);
  const weighed = results.map((result, index) => ({
    ...result,
    // What a person answered is theirs.
    saves:
      result.tool.id === 'ask_user' ? 0 : tokensOf(result.part) - (lines[index] ?? '').length / CHARACTERS_PER_TOKEN,
  }));
  const chosen = new Map<string, string>();
  for (const index of toShorten(weighed, batch)) {
    const id = results[index]?.part.toolCallId;
    if (id !== undefined) chosen.set(id, lines[index] ?? '');
  }
  return chosen.size === 0 ? prompt : prompt.map(message => shortened(message, chosen));
}

function shortened(message: Message, lines: ReadonlyMap<string, string>): Message {
  if (message.role === 'tool') {
    const content = message.content.map(part => {
      const line = part.type === 'tool-result' ? lines.get(part.toolCallId) : undefined;
      return line === undefined ? part : withoutCopy({ ...part, output: { type: 'text' as const, value: line } });
    });
    return { ...message, content };
  }
  if (message.role !== 'assistant') return message;
  const content = message.content.map(part =>
    part.type === 'tool-call' && lines.has(part.toolCallId) ? withoutCopy(part) : part,
  );
  return { ...message, content };
}

/** Mastra keeps what the model reads of a result beside the call and the result as well. */
function withoutCopy<Part extends { providerOptions?: ToolResultPart['providerOptions'] }>(part: Part): Part {
  const { mastra, ...others } = part.providerOptions ?? {};
  if (mastra === undefined) return part;
  const { modelOutput: _, ...rest } = mastra;
  return { ...part, providerOptions: { ...others, mastra: rest } };
}

function tokensOf({ output }: ToolResultPart): number {
  if (output.type === 'text' || output.type === 'error-text') return output.value.length / CHARACTERS_PER_TOKEN;
  if (output.type !== 'content') return JSON.stringify(output.value).length / CHARACTERS_PER_TOKEN;
  return output.value.reduce(
    (sum, part) => sum + (part.type === 'text' ? part.text.length / CHARACTERS_PER_TOKEN : PICTURE_TOKENS),
    0,
  );
}
