import { randomUUID } from 'node:crypto';
import { plainError } from '@browser-toolset/core/files';
import { type ActionDefinition, type ActionOutcome, existsOn } from '../actions/action.js';
import type { ActionResult } from '../actions/action-result.js';
import { elementsIn, namedRefs } from '../actions/elements.js';
import { type AgentOutput, actionOf } from '../agent-output.js';
import { type BrowserState, lookAt } from '../browser/browser-state.js';
import type { Suspended } from '../browser/browser-tools.js';
import { InvalidAnswer } from '../model/invalid-answer.js';
import { addTokens, type TokenUsage } from '../model/token-usage.js';
import type { RunContext } from './run-context.js';

export interface Taking {
  step: number;
  output: AgentOutput;
  /** The page that the actions were meant for. */
  state: BrowserState;
  signal: AbortSignal;
  /** Tokens that the models which actions ask may use; any number when left out. */
  tokensLeft?: number;
  /**
   * The caller's own actions, which were meant for no page that a model saw: each is taken on the page as it is by then, and
   * there may be any number.
   */
  isInitial?: true;
  /** The action that waited for a person, and what they answered. */
  resumed?: { index: number; callId: string; data: unknown; answer?: string | undefined };
}

export interface Taken {
  results: ActionResult[];
  /** Why the rest was not taken. */
  dropped?: string;
  waits?: { index: number; callId: string; payload: Suspended };
}

/**
 * Takes the actions of a step one after another. The rest is dropped when one fails, when the signal is aborted, or when
 * what they were meant for is there no more: a ref that means something else by then is refused by the toolset itself.
 * Where another page came, those go on that mean no element, up to the first that may mean one.
 */
export async function takeActions(context: RunContext, taking: Taking): Promise<Taken> {
  const { output, signal, isInitial, resumed, step } = taking;
  const results: ActionResult[] = [];
  /** Why the page is not the one that the actions were meant for, once it is so. */
  let ended: string | undefined;
  const most = context.options.maxActionsPerStep;
  let { tokensLeft = Number.POSITIVE_INFINITY } = taking;
  for (let index = resumed?.index ?? 0; index < output.actions.length; index++) {
    const action = output.actions[index];
    if (action === undefined) break;
    if (index >= most && !isInitial) return { results, dropped: `a step has at most ${most} actions` };
    const { name, input } = actionOf(action);
    const state = isInitial && name !== 'navigate' ? await pageNow(context, signal) : taking.state;
    if (state === undefined || signal.aborted) return { results, dropped: STOPPED };
    if (ended !== undefined && (context.tools.openDialog !== undefined || !meansAnyPage(name, input)))
      return { results, dropped: ended };
    const isResumed = resumed?.index === index;
    const callId = isResumed ? resumed.callId : randomUUID();
    context.emit({ type: 'action-started', step, action: name, input });
    const began = performance.now();
    // Once an action is taken its element may be gone.
    const identities = await context.tools.identify(namedRefs(input));
    const { usage, ...outcome } = await perform(
      context,
      { state, signal, tokensLeft },
      { name, input, callId, ...(isResumed && { resumeData: resumed.data }) },
    );
    if (outcome.suspended !== undefined) return { results, waits: { index, callId, payload: outcome.suspended } };
    const { endsStep, ...said } = outcome;
    const elements = elementsIn(input, state.refs, { identities, metadata: outcome.metadata });
    const result: ActionResult = {
      action: name,
      input,
      ...said,
      success: said.success ?? true,
      text: said.text ?? name,
      ...(isResumed && resumed.answer !== undefined && { answer: resumed.answer }),
      ...(elements !== undefined && { elements }),
      ...(usage !== undefined && { usage }),
      duration: Math.round(performance.now() - began),
    };
    results.push(result);
    context.emit({ type: 'action-ended', step, result });
    if (signal.aborted) return { results, dropped: STOPPED };
    const isLast = index === output.actions.length - 1;
    if (result.isDone || isLast) return { results };
    if (usage !== undefined) tokensLeft -= usage.input + usage.output;
    if (tokensLeft <= 0) return { results, dropped: SPENT };
    if (!result.success && result.error !== undefined) return { results, dropped: 'an action failed' };
    if (!isInitial) ended ??= endsStep;
  }
  return { results };
}

const STOPPED = 'the run was stopped';
const SPENT = 'the run has used up its tokens (maxTokens)';

/**
 * They act on nothing that the model saw, and wait for nobody: they can be meant for the page that an action before them
 * leads to.
 */
const FOR_ANY_PAGE = new Set(
  'snapshot find read extract screenshot console network pdf wait scroll navigate search history tabs write_file read_file replace_file'.split(
    ' ',
  ),
);

function meansAnyPage(name: string, input: Record<string, unknown>): boolean {
  return FOR_ANY_PAGE.has(name) && namedRefs(input).length === 0 && input.x === undefined;
}

/** Undefined when the run was stopped meanwhile. */
async function pageNow({ tools }: RunContext, signal: AbortSignal): Promise<BrowserState | undefined> {
  try {
    return await lookAt(tools, { takesPicture: false, signal });
  } catch (error) {
    if (!signal.aborted) throw error;
    return undefined;
  }
}

interface RequestedAction {
  name: string;
  input: Record<string, unknown>;
  callId: string;
  resumeData?: unknown;
}

const EXTRACTOR = 'You extract information from web pages.';

/** The outcome of an action, and the tokens of the models that it asked. */
type Performed = ActionOutcome & { usage?: TokenUsage };

async function perform(
  context: RunContext,
  { state, signal, tokensLeft }: Pick<Taking, 'state' | 'signal'> & { tokensLeft: number },
  asked: RequestedAction,
): Promise<Performed> {
  const { tools, files, extractor, actions } = context;
  const { name, input, callId, resumeData } = asked;
  const definition = actions.find(each => each.name === name);
  if (definition === undefined || !existsOn(definition, state.url))
    return failedAction(`There is no action ${name} on this page.`);
  let spent: TokenUsage | undefined;
  const spend = (usage: TokenUsage): void => {
    spent = spent === undefined ? usage : addTokens(spent, usage);
  };
  const ask = async (question: string): Promise<string> => {
    if (spent !== undefined && spent.input + spent.output >= tokensLeft)
      throw new Error(`Nothing more is read: ${SPENT}`);
    try {
      const { given, usage } = await extractor.ask({ system: EXTRACTOR, text: question, signal });
      spend(usage);
      return typeof given === 'string' ? given : JSON.stringify(given);
    } catch (error) {
      if (error instanceof InvalidAnswer && error.usage !== undefined) spend(error.usage);
      throw error;
    }
  };
  try {
    const outcome = await definition.run(parsedInput(definition, input), {
      tools,
      state,
      files,
      ask,
      callId,
      signal,
      resumeData,
    });
    return { ...(typeof outcome === 'string' ? { text: outcome } : outcome), ...(spent && { usage: spent }) };
  } catch (error) {
    const reason = plainError(error);
    const what = signal.aborted ? 'It was interrupted when the run was stopped, so its outcome is unknown.' : reason;
    return { ...failedAction(what), ...(spent && { usage: spent }) };
  }
}

/** Tools check their input by themselves, with what they repair in it. */
function parsedInput(definition: ActionDefinition, input: unknown): unknown {
  const parsed = definition.input.safeParse(input);
  return parsed.success ? parsed.data : input;
}

function failedAction(error: string): ActionOutcome {
  return { success: false, text: error, error };
}
