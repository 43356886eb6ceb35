import { parseArgs } from 'node:util';
import { type LivePart, liveParts } from './live/live.ts';
import { type Section, sections } from './report/results.ts';
import { stackNames } from './stacks/all.ts';

export interface BenchOptions {
  rounds: number;
  only: readonly Section[];
  pages: RegExp;
  stacks: readonly string[];
  live: { parts: readonly LivePart[]; minutes: number; isQuick: boolean };
  /** Everything that is measured when nothing is left out: only then the result is the latest one. */
  complete: boolean;
  /** Likewise of the live view alone. */
  liveComplete: boolean;
  /** Likewise of the prompts of long runs. */
  promptComplete: boolean;
  /** Likewise of the page of a framework. */
  frameworkComplete: boolean;
  /** Likewise of the MCP servers. */
  mcpComplete: boolean;
  /** Whether to print which files docs/architecture.md names too few and too many. */
  print: boolean;
}

const usage = `pnpm bench [--rounds 9] [--quick] [--only ${sections.join(',')}] [--pages <regex>] [--stacks ${stackNames.join(',')}] [--live ${liveParts.join(',')}] [--minutes 1] [--print]`;

export function readOptions(args: readonly string[]): BenchOptions {
  const { values } = parseArgs({
    args: args.filter(argument => argument !== '--'),
    options: {
      rounds: { type: 'string', default: '9' },
      quick: { type: 'boolean', default: false },
      only: { type: 'string', default: sections.join(',') },
      pages: { type: 'string', default: '.' },
      stacks: { type: 'string', default: stackNames.join(',') },
      live: { type: 'string', default: liveParts.join(',') },
      minutes: { type: 'string', default: '1' },
      print: { type: 'boolean', default: false },
    },
  });
  const rounds = values.quick ? 3 : Number(values.rounds);
  if (!Number.isInteger(rounds) || rounds < 1) throw new Error(`--rounds takes a whole number from 1 up.\n${usage}`);
  const minutes = Number(values.minutes);
  if (!(minutes > 0)) throw new Error(`--minutes takes a number above 0.\n${usage}`);
  const only = knownNames(values.only, sections, '--only');
  if (values.print && !only.includes('walks')) throw new Error(`--print is about the walks: --only walks.\n${usage}`);
  const live = { parts: knownNames(values.live, liveParts, '--live'), minutes, isQuick: values.quick };
  const liveComplete = only.includes('live') && live.parts.length === liveParts.length && !values.quick;
  const complete =
    values.only === sections.join(',') &&
    values.pages === '.' &&
    values.stacks === stackNames.join(',') &&
    liveComplete;
  return {
    rounds,
    complete,
    liveComplete,
    promptComplete: only.includes('prompt') && values.pages === '.' && !values.quick,
    frameworkComplete: only.includes('framework') && values.stacks === stackNames.join(',') && !values.quick,
    mcpComplete: only.includes('mcp') && !values.quick,
    print: values.print,
    live,
    only,
    stacks: knownNames(values.stacks, stackNames, '--stacks'),
    pages: new RegExp(values.quick && values.pages === '.' ? quickPages : values.pages),
  };
}

/** A small, a middle and a large page of either kind. */
const quickPages =
  '^(plain|docs|news-front|mail-inbox|web-components|frames|saved-(bbc|wired|washingtonpost)|huge-all)$';

function knownNames<Name extends string>(text: string, names: readonly Name[], option: string): Name[] {
  return text.split(',').map(part => {
    const name = names.find(candidate => candidate === part);
    if (name === undefined) throw new Error(`${option} knows no "${part}".\n${usage}`);
    return name;
  });
}
