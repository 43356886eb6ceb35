import { type ChosenModel, chosenModel } from '@browser-toolset/playground/dist/demo/model-choice.js';
import { UsageError } from '@browser-toolset/playground/dist/demo/usage-error.js';
import { DEFAULT_PARENT, hasResults, loadResults, newestFolder, newFolder } from './eval-folder.ts';
import type { Options } from './options.ts';
import { AGENTS } from './play/players.ts';
import type { EvalResults, Settings } from './results.ts';
import { fileTasks } from './suite/file-tasks.ts';
import { OWN_SUITE } from './suite/own-suite.ts';
import { Referee } from './suite/referee.ts';
import { readSuiteFile } from './suite/suite-file.ts';
import type { EvalTask } from './suite/task.ts';

/** An eval that is ready to be played, or to go on. */
export interface Prepared {
  results: EvalResults;
  tasks: EvalTask[];
  model: ChosenModel | undefined;
  out: string;
}

const SCRIPTED = 'scripted';

/** @throws {UsageError} for what cannot work. */
export async function prepare(options: Options, env: NodeJS.ProcessEnv, now = new Date()): Promise<Prepared> {
  return options.resume ? resumed(options, env) : begun(options, env, now);
}

/** The model by the name that was given, as the playground understands it. */
function modelNamed(id: string | undefined, env: NodeJS.ProcessEnv): ChosenModel | undefined {
  if (id === undefined && env.MODEL_URL?.trim())
    throw new UsageError('MODEL_URL is set: --model must say which model of that server is meant.');
  return id === undefined ? undefined : chosenModel({ ...env, MODEL: id });
}

async function begun(options: Options, env: NodeJS.ProcessEnv, now: Date): Promise<Prepared> {
  const { faults } = options;
  // A plain agent takes no answers in a form.
  const {
    suite = 'own',
    agents = faults ? ['browser' as const] : [...AGENTS],
    repeat = 1,
    maxSteps = 40,
    seconds = 600,
    price,
  } = options;
  const model = modelNamed(options.model, env);
  const modelName = model?.id ?? SCRIPTED;
  const settings: Settings = {
    ...(options.model !== undefined && { model: options.model }),
    modelName,
    ...(suite !== 'own' && { judge: options.judge ?? modelName }),
    suite,
    ...(options.tasks !== undefined && { tasks: options.tasks }),
    agents,
    ...(faults && { faults }),
    repeat,
    maxSteps,
    seconds,
  };
  if (faults && (model !== undefined || suite !== 'own' || agents.includes('plain')))
    throw new UsageError('--faults is for the scripted model with our own tasks, and for the browser agent alone.');
  if (suite === 'own' && options.judge !== undefined)
    throw new UsageError('--judge is for tasks of a file: our own are judged by what their servers hold.');
  const out = options.out ?? newFolder(DEFAULT_PARENT, modelName, now);
  if (await hasResults(out))
    throw new UsageError(`${out} holds an eval already: --resume goes on with it, another --out leaves it alone.`);
  const tasks = await tasksOf(settings, { model, judge: options.judge, env });
  const results: EvalResults = {
    version: 1,
    startedAt: now.toISOString(),
    settings,
    ...(price && { price }),
    scripted: model === undefined,
    planned: 0,
    runs: [],
  };
  return { results, tasks, model, out };
}

async function resumed(options: Options, env: NodeJS.ProcessEnv): Promise<Prepared> {
  const out = options.out ?? (await newestFolder(DEFAULT_PARENT));
  const results = await loadResults(out);
  const { settings } = results;
  for (const name of [
    'model',
    'judge',
    'suite',
    'tasks',
    'agents',
    'faults',
    'repeat',
    'maxSteps',
    'seconds',
  ] as const) {
    const given = options[name];
    if (given === undefined || String(given) === String(settings[name])) continue;
    throw new UsageError(
      `The eval in ${out} was begun with ${name} ${settings[name] ?? '(none)'}, not ${given}: its runs could not be compared.`,
    );
  }
  const model = modelNamed(settings.model, settings.model === undefined ? {} : env);
  if ((model?.id ?? SCRIPTED) !== settings.modelName)
    throw new UsageError(
      `The eval in ${out} was begun with ${settings.modelName}, and this is ${model?.id}: check MODEL_URL.`,
    );
  const judge = settings.judge === settings.modelName ? undefined : settings.judge;
  if (options.price) results.price = options.price;
  return { results, tasks: await tasksOf(settings, { model, judge, env }), model, out };
}

interface Models {
  model: ChosenModel | undefined;
  judge: string | undefined;
  env: NodeJS.ProcessEnv;
}

async function tasksOf({ suite, tasks: pattern }: Settings, models: Models): Promise<EvalTask[]> {
  const all = suite === 'own' ? OWN_SUITE : await tasksOfFile(suite, models);
  const chosen = pattern === undefined ? [...all] : all.filter(({ id }) => new RegExp(pattern).test(id));
  if (chosen.length === 0) throw new UsageError(`--tasks ${pattern} fits none of the ${all.length} tasks.`);
  return chosen;
}

async function tasksOfFile(path: string, { model, judge, env }: Models): Promise<EvalTask[]> {
  const { tasks } = await readSuiteFile(path);
  if (model === undefined)
    throw new UsageError('--suite with a file needs --model: the scripted model knows our own tasks alone.');
  const referee = (judge === undefined ? undefined : modelNamed(judge, env)) ?? model;
  return fileTasks(tasks, new Referee(referee.config));
}
