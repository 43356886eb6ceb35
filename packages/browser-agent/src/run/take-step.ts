import { readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { plainError } from '@browser-toolset/core/files';
import { existsOn } from '../actions/action.js';
import type { ActionResult } from '../actions/action-result.js';
import type { AgentOutput } from '../agent-output.js';
import { type BrowserState, lookAt } from '../browser/browser-state.js';
import type { Picture } from '../browser/browser-tools.js';
import { isDecided, type StepRecord } from '../history/history.js';
import { actionsText } from '../messages/history-text.js';
import { stepMessage } from '../messages/step-message.js';
import { InvalidAnswer } from '../model/invalid-answer.js';
import { ModelFailure } from '../model/model-client.js';
import { outputSchema } from '../model/output-schema.js';
import { readAnswer } from '../model/read-answer.js';
import type { AnswerPart } from '../model/sent-form.js';
import type { AgentState } from './agent-state.js';
import { judgeClaim } from './judge-claim.js';
import { isLastStep, noteLook, tokensLeft, warnings } from './limits.js';
import { answerWords, personsDecision } from './persons-answer.js';
import type { RunContext } from './run-context.js';
import { type Taken, takeActions } from './take-actions.js';

/** A page with fewer characters of text than this, and something to see, is looked at as a picture. */
const LITTLE_TEXT = 300;

/**
 * The first half of a step: looks, and asks the model once. What it decided on stands in the state, to be taken by `act`.
 * Throws nothing but what the signal was aborted with.
 */
export async function decide(state: AgentState, context: RunContext, signal: AbortSignal): Promise<void> {
  state.step++;
  const { step } = state;
  const startedAt = Date.now();
  const worked = stopwatch(context);
  context.emit({ type: 'step-started', step, maxSteps: state.maxSteps });
  // What a person is in the midst of would be out of date when the model has answered.
  await context.tools.whenFree(signal);
  const browser = await look(state, context, signal);
  // The toolset tells it once: it is kept until the model has answered.
  const humanActions = [state.humanActions ?? [], browser.humanActions ?? []].flat();
  if (humanActions.length > 0) browser.humanActions = state.humanActions = humanActions;
  context.emit({ type: 'looked', step, state: browser });
  noteLook(state, browser);
  if (state.unchanged >= context.options.maxUnchangedSteps) {
    // No model is asked about a page that it has seen so often: there is no such step.
    state.step--;
    state.stopReason = 'stuck';
    return;
  }
  const { url, title, tabs, screenshot, elements, refs } = browser;
  const record: StepRecord = {
    step,
    url,
    title,
    tabs,
    ...(screenshot !== undefined && { screenshot: screenshot.path }),
    results: [],
    startedAt,
    duration: 0,
    modelDuration: 0,
    usage: { input: 0, output: 0 },
    ...(state.said.length > 0 && { said: state.said }),
  };
  // What a person says from now on is for the step after this one.
  state.said = [];
  const output = await answer(state, { context, browser, record, signal }).catch((error: unknown) => {
    state.said.unshift(...(record.said ?? []));
    throw error;
  });
  // A page that could not be read, such as one behind a dialog, has no elements to compare with.
  if (browser.code === undefined) state.seen = { url, refs: Object.keys(refs) };
  if (output !== undefined) record.output = output;
  record.duration = worked();
  state.decided = { record, seen: { url, title, elements, refs } };
}

/** Measures milliseconds from now on, without the time in which somebody else had the browser. */
function stopwatch({ tools: { held } }: RunContext): () => number {
  const began = Date.now();
  const heldBefore = held.total;
  return () => Math.max(0, Math.round(Date.now() - began - (held.total - heldBefore)));
}

export interface ActOptions {
  signal: AbortSignal;
  /** The answer of a person to the call that waits. */
  answer?: { data: unknown };
  /** The process that began to act has died: what it did is not known. */
  isInterrupted?: boolean;
}

/** The second half of a step: takes the actions, and records them. */
export async function act(state: AgentState, context: RunContext, options: ActOptions): Promise<void> {
  const { decided } = state;
  const worked = stopwatch(context);
  if (decided === undefined) throw new Error('nothing was decided');
  const { record, seen, waiting } = decided;
  const { output } = record;
  if (waiting !== undefined && options.answer === undefined) throw new Error('a person has to answer first');
  if (output === undefined || record.error !== undefined) return end(state, context, { record, worked });
  if (options.isInterrupted && waiting === undefined && !onlyOpens(record))
    return interrupted(state, context, { record, worked });
  const browser: BrowserState = { ...EMPTY, ...seen };
  const resumed = waiting &&
    options.answer && {
      index: waiting.index,
      callId: waiting.callId,
      data: personsDecision(waiting.payload, options.answer.data),
      ...(waiting.payload.question !== undefined && { answer: answerWords(options.answer.data) }),
    };
  const { signal } = options;
  const taken = await takeActions(context, {
    step: record.step,
    output: output as AgentOutput,
    state: browser,
    signal,
    tokensLeft: tokensLeft(state, context.options),
    ...(record.step === 0 && { isInitial: true }),
    ...(resumed && { resumed }),
  });
  delete decided.waiting;
  delete state.stopReason;
  await finish(state, { context, record, worked, taken, signal });
  // The history has all finished actions by now.
  signal.throwIfAborted();
}

const EMPTY: BrowserState = { url: '', title: '', tabs: [], elements: '', refs: {}, newRefs: new Set() };

/** The page that the task begins on can be opened again. */
function onlyOpens({ step, output }: StepRecord): boolean {
  const [first, ...more] = output?.actions ?? [];
  return step === 0 && more.length === 0 && first?.navigate !== undefined;
}

/** Nothing is done twice: the model looks at what became of it. */
function interrupted(state: AgentState, context: RunContext, acted: Acted): void {
  const { record } = acted;
  const { actions } = record.output ?? { actions: [] };
  record.error = `The process ended in the middle of this step. It is not known whether its actions were taken: check the page before you repeat any of them. They were: ${actionsText({ actions })}`;
  end(state, context, acted);
}

async function look(state: AgentState, { tools, options }: RunContext, signal: AbortSignal): Promise<BrowserState> {
  const { vision, visionLabels: labels, snapshotTokens, fullText } = options;
  const takesPicture = vision === true;
  const before = state.seen;
  const asked = {
    ...(snapshotTokens !== undefined && { maxTokens: snapshotTokens }),
    ...(before && { before }),
    fullText,
    labels,
    signal,
  };
  const browser = await lookAt(tools, { ...asked, takesPicture });
  const isPicture = vision === 'auto' && !takesPicture && browser.url.startsWith('http') && saysLittle(browser);
  return isPicture ? lookAt(tools, { ...asked, takesPicture: true }) : browser;
}

function saysLittle({ elements, problem }: BrowserState): boolean {
  return problem === undefined && elements.length < LITTLE_TEXT && /\b(?:img|canvas|figure|clickable)\b/.test(elements);
}

interface Answering {
  context: RunContext;
  browser: BrowserState;
  record: StepRecord;
  signal: AbortSignal;
}

/** The model's answer; without actions, or undefined, with the reason in the record, where it gave none that can be used. */
async function answer(
  state: AgentState,
  { context, browser, record, signal }: Answering,
): Promise<AgentOutput | undefined> {
  const { options, models, boundary, system, inPrompt, files } = context;
  const isLast = isLastStep(state);
  const actions = context.offered.filter(action => (isLast ? action.name === 'done' : existsOn(action, browser.url)));
  const notes = [...state.notes, ...warnings(state, options)];
  const pictures = await picturesFor(state.lastResults, { context, browser, notes });
  const text = stepMessage({
    task: state.history.task,
    additionalInfos: state.history.additionalInfos,
    before: state.before,
    steps: state.history.steps,
    step: state.step,
    maxSteps: state.maxSteps,
    date: new Date().toISOString().slice(0, 10),
    files: await files.list(),
    said: record.said ?? [],
    notes,
    results: state.lastResults,
    state: browser,
    boundary,
  });
  const { mode } = options;
  const asked = performance.now();
  try {
    const { given, usage, model } = await models.ask({
      system,
      text,
      pictures,
      schema: outputSchema(mode, actions),
      inPrompt,
      ...(context.hears('thinking') && {
        onPart: (part: AnswerPart, words: string) =>
          context.emit({ type: 'thinking', step: state.step, part, text: words }),
      }),
      signal,
    });
    record.usage = usage;
    record.model = model;
    const { output, ignored } = readAnswer(given, { mode, actions });
    state.notes = ignored.length > 0 ? [`Unknown fields of your answer were ignored: ${ignored.join(', ')}.`] : [];
    context.emit({ type: 'answered', step: state.step, output });
    return output;
  } catch (error) {
    if (!(error instanceof InvalidAnswer || error instanceof ModelFailure)) throw error;
    if (error instanceof ModelFailure && error.isLockedOut) state.stopReason = 'failures';
    const refused = error instanceof InvalidAnswer ? error : undefined;
    if (refused?.usage !== undefined) record.usage = refused.usage;
    if (refused?.model !== undefined) record.model = refused.model;
    record.error = `${refused === undefined ? 'The model failed' : 'Your answer did not fit'}: ${error.message}`;
    context.emit({ type: 'answer-refused', step: state.step, error: record.error });
    return refused?.kept && { ...refused.kept, actions: [] };
  } finally {
    record.modelDuration = Math.round(performance.now() - asked);
  }
}

interface Acted {
  record: StepRecord;
  /** Milliseconds of this half of the step. */
  worked: () => number;
}

/** The picture of the page, and those that actions of the last step took for the model. */
async function picturesFor(
  results: readonly ActionResult[],
  { context, browser, notes }: Pick<Answering, 'context' | 'browser'> & { notes: string[] },
): Promise<Picture[]> {
  const pictures: Picture[] = browser.screenshot === undefined ? [] : [browser.screenshot];
  if (context.options.vision === false) return pictures;
  for (const path of results.flatMap(({ images = [] }) => images)) {
    try {
      const data = await readFile(path, 'base64');
      pictures.push({ data, mediaType: `image/${extname(path).slice(1).replace('jpg', 'jpeg')}` });
    } catch (error) {
      notes.push(`A picture cannot be shown: ${plainError(error)}`);
    }
  }
  return pictures;
}

interface Finishing extends Omit<Answering, 'browser'>, Acted {
  taken: Taken;
}

async function finish(state: AgentState, { context, record, worked, taken, signal }: Finishing): Promise<void> {
  record.results.push(...taken.results);
  if (taken.waits !== undefined) {
    if (state.decided !== undefined) state.decided.waiting = taken.waits;
    state.stopReason = 'suspended';
    record.duration += worked();
    context.emit({ type: 'waits', step: record.step, for: taken.waits.payload });
    return;
  }
  if (taken.dropped !== undefined)
    state.notes.push(`The remaining actions of the last step were skipped: ${taken.dropped}.`);
  const done = record.results.find(({ isDone }) => isDone);
  if (done !== undefined && !signal.aborted) await judgeClaim(state, context, { done, record, signal });
  end(state, context, { record, worked });
}

/** The record is complete: it becomes history, and the state what the next step begins with. */
function end(state: AgentState, context: RunContext, { record, worked }: Acted): void {
  delete state.decided;
  record.duration += worked();
  state.active += record.duration;
  const { step, output, results, error } = record;
  if (output !== undefined) {
    state.memory = output.memory || state.memory;
    state.progress = output.progress ?? state.progress;
    state.plan = output.plan ?? state.plan;
  }
  if (isDecided(record)) {
    state.lastResults = results;
    delete state.humanActions;
  }
  // The model is not to blame for what its caller wanted first.
  const hasFailed =
    step > 0 &&
    (error !== undefined || (results.length > 0 && results.every(({ success, isDone }) => !success && !isDone)));
  state.consecutiveFailures = hasFailed ? state.consecutiveFailures + 1 : 0;
  state.history.steps.push(record);
  context.emit({ type: 'step-ended', record });
}
