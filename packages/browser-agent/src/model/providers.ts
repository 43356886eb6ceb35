import type { Dialect } from './schema-dialects.js';

/**
 * How the model is asked for an answer: as JSON that fits a schema, as JSON of any shape, as the input of a tool, or as text.
 * With `json` and `text`, only the prompt describes the form.
 */
export type Way = 'schema' | 'json' | 'tool' | 'text';

/** How the models of a provider are asked. The table of `docs/guides/browser-agent/models.md` says by which of its rules. */
export interface Family {
  readonly name: string;
  /** The best one first; the next one is for what refuses it. */
  readonly ways: readonly Way[];
  readonly dialect: Dialect;
  /** Heeds a schema, as far as is known: what stands in it need not stand in the prompt. */
  readonly heedsSchemas: boolean;
  /** Tokens of an answer that is asked for again because the first one was cut off. */
  readonly room: number;
}

/** More than servers give where they are not told how much. */
const ROOM = 16_384;

const OPENAI: Family = {
  name: 'openai',
  ways: ['schema', 'tool', 'text'],
  dialect: 'strict',
  heedsSchemas: true,
  room: ROOM,
};
const GOOGLE: Family = {
  name: 'google',
  ways: ['schema', 'json', 'text'],
  dialect: 'openapi',
  heedsSchemas: true,
  room: ROOM,
};
// Its structured outputs take 24 optional parameters at most. The schema of a tool has no such limit. Its package asks for all the
// room that a model has, and takes more for that.
const ANTHROPIC: Family = {
  name: 'anthropic',
  ways: ['tool', 'text'],
  dialect: 'plain',
  heedsSchemas: true,
  room: 128_000,
};
// It knows JSON, and no schemas for it.
const DEEPSEEK: Family = {
  name: 'deepseek',
  ways: ['json', 'tool', 'text'],
  dialect: 'plain',
  heedsSchemas: false,
  room: ROOM,
};
// Their packages say of every schema that it is strict, and one that holds all actions is too long.
const ALWAYS_STRICT: Family = { ...DEEPSEEK, name: 'openrouter, xai', dialect: 'strict' };
// Behind an address that speaks OpenAI's protocol can be anything: a server that knows no schemas leaves them out without a word.
const ANY: Family = {
  name: 'any',
  ways: ['schema', 'tool', 'text'],
  dialect: 'plain',
  heedsSchemas: false,
  room: ROOM,
};

/** By the provider that Mastra names, such as `openai.responses`, `anthropic.messages` or `google.generative-ai`. */
export function familyOf({ provider = '' }: { provider?: string }): Family {
  const [name = ''] = provider.toLowerCase().split('.');
  if (name.includes('deepseek') || provider.endsWith('.deepseek')) return DEEPSEEK;
  if (name === 'openrouter' || name === 'xai') return ALWAYS_STRICT;
  if (name === 'openai' || name.startsWith('azure')) return OPENAI;
  if (name.includes('anthropic') || provider.includes('anthropic')) return ANTHROPIC;
  if (name.startsWith('google') || name === 'gemini' || name === 'vertex') return GOOGLE;
  return ANY;
}
