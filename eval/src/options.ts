import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { UsageError } from '@browser-toolset/playground/dist/demo/usage-error.js';
import { AGENTS, type AgentName } from './play/players.ts';
import type { Price } from './results.ts';

/** What was asked for; what was left out has its default later, or what an eval that goes on had. */
export interface Options {
  help: boolean;
  list: boolean;
  resume: boolean;
  headed: boolean;
  faults?: true;
  model?: string;
  judge?: string;
  /** `own`, or the path of a file. */
  suite?: string;
  tasks?: string;
  agents?: AgentName[];
  repeat?: number;
  maxSteps?: number;
  seconds?: number;
  price?: Price;
  out?: string;
}

export const HELP = `Plays a set of tasks with a model, by the browser agent and by a plain Mastra agent with the same toolset.

  pnpm eval                                      a scripted model plays our own tasks: that measures the harness alone
  pnpm eval --model openai/gpt-5-mini            a real model plays them
  pnpm eval --model … --suite WebVoyager.jsonl   tasks of a file, on the internet, judged by a model
  pnpm eval --faults                             the same, with a scripted model that errs as real ones and their providers do
  pnpm eval --resume                             goes on with the eval that was begun last

Options
  --model <id>         a Mastra model router id, such as openai/gpt-5-mini, with that provider's API key in the environment
  --suite own|FILE     our own tasks (the default), or a file of WebVoyager, Online-Mind2Web or your own
  --judge <id>         the model that judges tasks of a file (default: the model itself)
  --agents <names>     ${AGENTS.join(',')} (the default), or one of them
  --faults             the scripted model errs: answers that are cut off, thoughts, wrong forms, failures of its provider
  --tasks <pattern>    only tasks whose id matches this regular expression
  --repeat <n>         plays each task so many times (default 1)
  --max-steps <n>      questions to the model in a run at most (default 40)
  --seconds <n>        time that a run may take (default 600)
  --price <in,out>     dollars for a million tokens in and out; a third number is for cached ones
  --out <folder>       where results and traces go (default: a new folder in output/eval)
  --resume             goes on with the eval in --out, or with the newest one; its options need not be given again
  --list               shows the tasks
  --headed             shows the browser
  --help               this text

Environment
  MODEL_URL            the address of a server that speaks the OpenAI protocol, such as http://localhost:11434/v1; --model is then
                       the name that it has for its model, and MODEL_API_KEY its key, where it needs one
  CHROMIUM_PATH        the Chromium to use`;

/**
 * @param folder that relative paths begin at
 * @throws {UsageError} with one sentence for what cannot be understood.
 */
export function parseOptions(argv: readonly string[], folder: string): Options {
  const { values } = parse(argv);
  const {
    help = false,
    list = false,
    resume = false,
    headed = false,
    faults = false,
    model,
    judge,
    suite,
    tasks,
  } = values;
  if (model !== undefined && model.trim() === '') throw new UsageError('--model is empty.');
  if (tasks !== undefined) checkPattern(tasks);
  return {
    help,
    list,
    resume,
    headed,
    ...(faults && { faults }),
    ...(model !== undefined && { model: model.trim() }),
    ...(judge !== undefined && { judge: judge.trim() }),
    ...(suite !== undefined && { suite: suite === 'own' ? suite : resolve(folder, suite) }),
    ...(tasks !== undefined && { tasks }),
    ...(values.agents !== undefined && { agents: agentsOf(values.agents) }),
    ...(values.repeat !== undefined && { repeat: wholeNumber('--repeat', values.repeat) }),
    ...(values['max-steps'] !== undefined && { maxSteps: wholeNumber('--max-steps', values['max-steps']) }),
    ...(values.seconds !== undefined && { seconds: wholeNumber('--seconds', values.seconds) }),
    ...(values.price !== undefined && { price: priceOf(values.price) }),
    ...(values.out !== undefined && { out: resolve(folder, values.out) }),
  };
}

function parse(argv: readonly string[]) {
  const text = { type: 'string' } as const;
  const flag = { type: 'boolean' } as const;
  try {
    return parseArgs({
      // pnpm hands on the dashes that npm takes away.
      args: argv.filter(argument => argument !== '--'),
      options: {
        model: text,
        judge: text,
        suite: text,
        agents: text,
        tasks: text,
        repeat: text,
        'max-steps': text,
        seconds: text,
        price: text,
        out: text,
        resume: flag,
        list: flag,
        headed: flag,
        faults: flag,
        help: flag,
      },
    });
  } catch (error) {
    throw new UsageError(`${error instanceof Error ? error.message : error} (--help shows all options)`);
  }
}

function agentsOf(text: string): AgentName[] {
  const names = text.split(',').map(part => {
    const name = AGENTS.find(each => each === part.trim());
    if (name === undefined) throw new UsageError(`--agents knows ${AGENTS.join(' and ')}, not "${part}".`);
    return name;
  });
  return AGENTS.filter(name => names.includes(name));
}

function wholeNumber(option: string, text: string): number {
  const number = Number(text);
  if (!Number.isInteger(number) || number < 1)
    throw new UsageError(`${option} takes a whole number from 1 up, not "${text}".`);
  return number;
}

function priceOf(text: string): Price {
  const numbers = text.split(',').map(part => (part.trim() === '' ? Number.NaN : Number(part)));
  const [input = Number.NaN, output = Number.NaN, cached = input] = numbers;
  if (numbers.length > 3 || [input, output, cached].some(each => !(each >= 0)))
    throw new UsageError(`--price takes two or three numbers, such as 0.25,2 or 0.25,2,0.025, not "${text}".`);
  return { input, output, cached };
}

function checkPattern(text: string): void {
  try {
    new RegExp(text);
  } catch (error) {
    throw new UsageError(`--tasks is no regular expression: ${error instanceof Error ? error.message : error}`);
  }
}
