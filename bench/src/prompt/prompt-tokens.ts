import { sum } from '../statistics.ts';
import { tokensOf } from '../tokens.ts';
import { outputText, type Prompt } from './scripted-model.ts';

/** What the prompts of a run cost. */
export interface PromptCost {
  /** Tokens of the last prompt. */
  last: number;
  /** Tokens of all prompts together. */
  sum: number;
  /** Share of a prompt that began as the one before it did: what a provider's prompt cache can serve. */
  cached: number;
  /** Tokens of all prompts together where what is cached costs a tenth, as the large providers charge. */
  charged: number;
}

const CACHED_PRICE = 0.1;

/** Prompts as their provider reads them: text, calls with their input, results as text. */
export function costOf(prompts: readonly Prompt[]): PromptCost {
  let before: string[] = [];
  const steps = prompts.map(prompt => {
    const parts = prompt.flatMap(partsOf);
    const weights = parts.map(weigh);
    const same = parts.findIndex((part, index) => part !== before[index]);
    const cached = sum(same === -1 ? weights : weights.slice(0, same));
    before = parts;
    return { tokens: sum(weights), cached };
  });
  const total = sum(steps.map(({ tokens }) => tokens));
  const cached = sum(steps.map(step => step.cached));
  return {
    last: steps.at(-1)?.tokens ?? 0,
    sum: total,
    cached: cached / total,
    charged: Math.round(total - cached + cached * CACHED_PRICE),
  };
}

const tokensByPart = new Map<string, number>();

function weigh(part: string): number {
  const tokens = tokensByPart.get(part) ?? tokensOf(part);
  tokensByPart.set(part, tokens);
  return tokens;
}

function partsOf(message: Prompt[number]): string[] {
  if (message.role === 'system') return [message.content];
  return message.content.map(part => {
    if (part.type === 'text' || part.type === 'reasoning') return part.text;
    if (part.type === 'tool-call') return `${part.toolName} ${JSON.stringify(part.input)}`;
    if (part.type === 'tool-result') return outputText(part.output);
    throw new Error(`the bench has no ${part.type} in its prompts`);
  });
}
