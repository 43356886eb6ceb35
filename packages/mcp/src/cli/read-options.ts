import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { z } from 'zod/v4';
import { flagOf, OPTIONS, type OptionRow, type ServerOptions, serverOptions, variableOf } from './option-table.js';

/** A command line, variable or file that means nothing. Its message is for the person who wrote it. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

export type Command =
  | { kind: 'help' }
  | { kind: 'version' }
  | { kind: 'serve'; server: ServerOptions; toolset: Record<string, unknown> };

/**
 * Reads flags, then variables, then the file of `--config`: the first that says something counts.
 *
 * @throws {UsageError}
 */
export function readOptions(argv: readonly string[], env: NodeJS.ProcessEnv): Command {
  const flags = flagsOf(argv);
  if (flags.help === true) return { kind: 'help' };
  if (flags.version === true) return { kind: 'version' };
  const file = typeof flags.config === 'string' ? fileOf(flags.config) : {};
  const server: Record<string, unknown> = {};
  const toolset: Record<string, unknown> = {};
  for (const option of OPTIONS) {
    const value =
      readValue(option, flags[flagOf(option)], `--${flagOf(option)}`) ??
      readValue(option, env[variableOf(option)], variableOf(option)) ??
      file[option.name];
    if (value !== undefined) put(option.owner === 'server' ? server : toolset, option.path, value);
  }
  const parsed = serverOptions.safeParse(server);
  if (!parsed.success) throw new UsageError(z.prettifyError(parsed.error));
  return { kind: 'serve', server: parsed.data, toolset };
}

type Flags = Record<string, string | boolean | (string | boolean)[] | undefined>;

function flagsOf(argv: readonly string[]): Flags {
  const options = Object.fromEntries(
    OPTIONS.map(option => [
      flagOf(option),
      {
        type: option.kind === 'boolean' ? ('boolean' as const) : ('string' as const),
        multiple: option.kind === 'list',
      },
    ]),
  );
  const more = {
    help: { type: 'boolean' as const },
    version: { type: 'boolean' as const },
    config: { type: 'string' as const },
  };
  try {
    return parseArgs({ args: [...argv], options: { ...options, ...more }, allowNegative: true }).values;
  } catch (error) {
    throw new UsageError(`${error instanceof Error ? error.message : error}\nSee --help.`);
  }
}

function fileOf(path: string): Record<string, unknown> {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    throw new UsageError(`--config: ${error instanceof Error ? error.message : error}`);
  }
  let given: unknown;
  try {
    given = JSON.parse(text);
  } catch (error) {
    throw new UsageError(`--config: ${path} is no JSON: ${error instanceof Error ? error.message : error}`);
  }
  const parsed = z.record(z.string(), z.unknown()).safeParse(given);
  if (!parsed.success) throw new UsageError(`--config: ${path} is no JSON object`);
  const known = new Set(OPTIONS.map(({ name }) => name));
  const unknown = Object.keys(parsed.data).filter(name => !known.has(name));
  if (unknown.length > 0)
    throw new UsageError(`--config: ${path} has options that do not exist: ${unknown.join(', ')}`);
  return parsed.data;
}

/** A value from a flag or a variable, as its option takes it. */
function readValue(option: OptionRow, given: Flags[string], where: string): unknown {
  if (given === undefined || given === '') return undefined;
  if (typeof given === 'boolean') return given;
  if (Array.isArray(given)) return given.map(String);
  const wrong = (expected: string): never => {
    throw new UsageError(`${where}: ${expected} is expected, not ${JSON.stringify(given)}`);
  };
  switch (option.kind) {
    case 'boolean':
      return given === 'true' || given === '1' || (given !== 'false' && given !== '0' && wrong('true or false'));
    case 'number':
      return given.trim() === '' || Number.isNaN(Number(given)) ? wrong('a number') : Number(given);
    case 'choice':
      return option.choices?.includes(given) ? given : wrong(`one of ${option.choices?.join(', ')}`);
    case 'list':
      return given.split(',').map(each => each.trim());
    case 'json':
      return jsonOf(given) ?? wrong('JSON');
    case 'string':
      return given;
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function put(target: Record<string, unknown>, path: readonly string[], value: unknown): void {
  const [first = '', ...rest] = path;
  if (rest.length === 0) {
    target[first] = value;
    return;
  }
  const inner = (target[first] ?? {}) as Record<string, unknown>;
  target[first] = inner;
  put(inner, rest, value);
}
