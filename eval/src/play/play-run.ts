import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { BrowserToolset } from '@browser-toolset/agent-browser';
import type { MastraModelConfig } from '@mastra/core/llm';
import { transcript } from '../report/transcript.ts';
import type { RunResult } from '../results.ts';
import type { Ending, EvalTask, Stage, TracedStep, Verdict } from '../suite/task.ts';
import type { FaultyModel } from './faulty-model.ts';
import type { Played } from './player.ts';
import { type AgentName, PLAYERS } from './players.ts';

export interface RunOptions {
  task: EvalTask;
  agent: AgentName;
  repeat: number;
  model: MastraModelConfig;
  /** What the model means, where it is one that errs. */
  faulty?: FaultyModel;
  maxSteps: number;
  /** Seconds that the run may take. */
  seconds: number;
  headed: boolean;
  /** Folder of the eval, and that of this run below it. */
  out: string;
  folder: string;
  signal: AbortSignal;
  onStep: (step: TracedStep) => void;
}

const THREAD = 'eval';
/** Tokens of the last page, for whoever judges. */
const LAST_PAGE = 6_000;

/**
 * Plays a task once, in a browser and on a site of its own, judges it and writes the trace.
 *
 * @throws What the signal was aborted with.
 */
export async function playRun(options: RunOptions): Promise<RunResult> {
  const { task, folder, out } = options;
  const at = join(out, folder);
  // What an eval left that was killed in the midst of this run.
  await rm(at, { recursive: true, force: true });
  await mkdir(at, { recursive: true });
  const stage = await task.open(at);
  const browser = new BrowserToolset({
    headless: !options.headed,
    downloadsPath: join(at, 'files'),
    uploadRoots: stage.uploads === undefined ? [] : [stage.uploads],
  });
  try {
    return await playOn(options, stage, browser);
  } finally {
    await browser.close();
    await stage[Symbol.asyncDispose]();
  }
}

async function playOn(options: RunOptions, stage: Stage, browser: BrowserToolset): Promise<RunResult> {
  const { task, agent, repeat, faulty, folder, out, signal } = options;
  const at = join(out, folder);
  const { played, steps, seconds } = await play(options, stage, browser);
  const lastPage = await lastPageOf(browser, steps);
  const { verdict, error = played.error } = await judged(stage, { answer: played.answer, steps, lastPage, signal });
  const sum = (of: (step: TracedStep) => number): number => steps.reduce((total, step) => total + of(step), 0);
  const calls = steps.flatMap(step => step.calls).filter(({ name }) => name !== 'done');
  const run: RunResult = {
    task: task.id,
    site: task.site,
    ...(task.level !== undefined && { level: task.level }),
    agent,
    repeat,
    passed: verdict.passed && error === undefined,
    by: verdict.by,
    reason: verdict.reason,
    answer: played.answer,
    ended: played.ended,
    ...(error !== undefined && { error }),
    steps: steps.filter(({ number }) => number > 0).length,
    calls: calls.length,
    failedCalls: calls.filter(({ success }) => !success).length,
    tokens: {
      input: sum(({ tokens }) => tokens.input),
      output: sum(({ tokens }) => tokens.output),
      cached: sum(({ tokens }) => tokens.cached),
    },
    seconds,
    ...(verdict.tokens && { judgeTokens: verdict.tokens }),
    ...(faulty && { faults: faulty.findings(played.record, verdict.passed) }),
    folder,
  };
  await writeFile(join(at, 'record.json'), `${JSON.stringify(played.record, null, 2)}\n`);
  await writeFile(join(at, 'transcript.md'), transcript({ run, prompt: stage.prompt, steps, folder: at }));
  return run;
}

/** A run that nobody could judge keeps its trace, and is played again like others with an error. */
async function judged(stage: Stage, ending: Ending): Promise<{ verdict: Verdict; error?: string }> {
  try {
    return { verdict: await stage.judge(ending) };
  } catch (error) {
    ending.signal.throwIfAborted();
    const message = error instanceof Error ? error.message : String(error);
    return { verdict: { passed: false, by: 'model', reason: '' }, error: `Nobody could judge: ${message}` };
  }
}

interface PlayedRun {
  played: Played;
  steps: TracedStep[];
  seconds: number;
}

async function play(options: RunOptions, { prompt }: Stage, browser: BrowserToolset): Promise<PlayedRun> {
  const { agent, model, maxSteps, signal } = options;
  const steps: TracedStep[] = [];
  const pictures = new Map<number, string>();
  let paused = 0;
  const onStep = (step: TracedStep): void => {
    steps.push(step);
    options.onStep(step);
  };
  const between = async (number: number): Promise<void> => {
    const since = performance.now();
    const picture = await pictureOf(browser);
    if (picture !== undefined) pictures.set(number, picture);
    paused += performance.now() - since;
  };
  const isOver = AbortSignal.timeout(options.seconds * 1000);
  const both = AbortSignal.any([signal, isOver]);
  const begun = performance.now();
  const job = { prompt, browser, threadId: THREAD, model, maxSteps, signal: both, onStep, between };
  const played = await PLAYERS[agent](job).catch((error: unknown): Played => {
    signal.throwIfAborted();
    if (!isOver.aborted) throw error;
    return { answer: '', ended: 'time', record: steps };
  });
  const seconds = (performance.now() - begun - paused) / 1000;
  const traced = steps.map(step => {
    const picture = pictures.get(step.number);
    return picture === undefined ? step : { ...step, picture };
  });
  return { played, steps: traced, seconds };
}

/** A page with an open dialog has no picture. */
async function pictureOf(browser: BrowserToolset): Promise<string | undefined> {
  const shot = await browser.session(THREAD).screenshot({});
  return shot.success ? shot.path : undefined;
}

async function lastPageOf(browser: BrowserToolset, steps: readonly TracedStep[]): Promise<string> {
  if (steps.length === 0) return '';
  const seen = await browser.session(THREAD).snapshot({ interactiveOnly: false, maxTokens: LAST_PAGE });
  return seen.success ? `${seen.url}\n${seen.tree ?? ''}` : (seen.message ?? '');
}
