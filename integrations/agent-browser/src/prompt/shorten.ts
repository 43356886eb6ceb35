import { brief } from './brief.js';
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
    // The answers of a person are theirs.
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

/** A result as far as the choice of what to shorten needs it. */
export interface Weighed {
  kind: 'view' | 'more' | 'reading' | 'change';
  /** Results of one step of the model came at once. */
  step: number;
  hasPicture: boolean;
  /** Estimated tokens that shortening it saves. */
  saves: number;
}

/** How many of the newest changes and readings stay whole besides the newest view of the page. */
const NEWEST_CHANGES = 5;
const NEWEST_READINGS = 3;
/** A shorter line that saves fewer tokens is not worth its loss: short errors stay. */
const LEAST_SAVING = 30;

/**
 * Which results to shorten. What is out of date is gathered until it is worth `batch` tokens and goes together: each
 * time that a prompt's middle changes, the provider's prompt cache is lost from there on. Only pictures go at once.
 *
 * Invariant: what is chosen after some results is chosen after more of them too, so that a prompt that goes on begins
 * as it began before, in every step and in every run.
 */
export function toShorten(results: readonly Weighed[], batch: number): ReadonlySet<number> {
  const chosen = new Set<number>();
  results.forEach(({ step }, index) => {
    if (results[index + 1]?.step === step) return;
    const outdated = outdatedIn(results.slice(0, index + 1)).filter(old => !chosen.has(old));
    const gathered = outdated.reduce((sum, old) => sum + (results[old]?.saves ?? 0), 0);
    if (gathered >= batch || outdated.some(old => results[old]?.hasPicture))
      for (const old of outdated) chosen.add(old);
  });
  return chosen;
}

function outdatedIn(results: readonly Weighed[]): number[] {
  const view = results.findLastIndex(({ kind }) => kind === 'view');
  const since = (kind: Weighed['kind']) =>
    results.flatMap((one, index) => (one.kind === kind && index > view ? [index] : []));
  const readings = results.flatMap(({ kind, hasPicture }, index) => (kind === 'reading' && !hasPicture ? [index] : []));
  const kept = new Set([
    view,
    results.length - 1,
    results.findLastIndex(({ hasPicture }) => hasPicture),
    ...since('more'),
    ...since('change').slice(-NEWEST_CHANGES),
    ...readings.slice(-NEWEST_READINGS),
  ]);
  return results.flatMap(({ saves }, index) => (kept.has(index) || saves < LEAST_SAVING ? [] : [index]));
}
