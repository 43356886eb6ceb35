import type { ActionResult, AgentEvent, AgentOutput, StepRecord } from '@browser-toolset/browser-agent';
import { asRecord } from '../../demo/unknown-values.js';
import { refIn, refsIn } from '../call-words.js';
import { elementWords, type ThreadElements } from '../element-names.js';
import type { ActionView, StepView } from './api.js';

/** A recorded step as the page shows it. */
export function stepView(record: StepRecord, hasPicture: boolean): StepView {
  const { step, url, title, output, results, error, said = [], startedAt, duration, modelDuration, usage } = record;
  const { input, output: written } = usage;
  return {
    step,
    phase: 'ended',
    url,
    title,
    ...(output && outputWords(output)),
    actions: actionViews(output?.actions ?? [], results),
    ...(error !== undefined && { error }),
    said,
    hasPicture,
    startedAt,
    duration,
    modelDuration,
    tokens: { input, output: written },
  };
}

/** A step that has just begun. */
export function newStepView(step: number): StepView {
  const nothing = { url: '', title: '', actions: [], said: [], hasPicture: false };
  return { step, phase: step === 0 ? 'acting' : 'looking', ...nothing, startedAt: Date.now() };
}

/** A step that goes on, after one more event of its run; the same one where the event tells nothing of it. */
export function stepAfter(step: StepView, event: AgentEvent): StepView {
  switch (event.type) {
    case 'looked':
      return { ...step, phase: 'thinking', url: event.state.url, title: event.state.title };
    case 'answered':
      return { ...step, phase: 'acting', ...outputWords(event.output), actions: actionViews(event.output.actions, []) };
    case 'answer-refused':
      return { ...step, error: event.error };
    case 'action-started':
      return { ...step, actions: withStarted(step.actions, event.action, event.input) };
    case 'action-ended':
      return {
        ...step,
        actions: step.actions.map(each => (each.status === 'running' ? resultView(event.result) : each)),
      };
    default:
      return step;
  }
}

type Words = Partial<Pick<StepView, 'evaluation' | 'thinking' | 'memory' | 'progress' | 'plan' | 'nextGoal'>>;

function outputWords({ evaluation, thinking, memory, progress, plan, nextGoal }: Omit<AgentOutput, 'actions'>): Words {
  const said = Object.entries({ evaluation, thinking, memory, progress, plan, nextGoal });
  return Object.fromEntries(said.filter(([, words]) => words));
}

function actionViews(asked: AgentOutput['actions'], results: readonly ActionResult[]): ActionView[] {
  const taken = results.map(resultView);
  const rest = asked.slice(results.length).map(action => {
    const [[name, input] = ['', {}]] = Object.entries(action);
    return { action: name, input, status: results.length > 0 ? ('dropped' as const) : ('pending' as const) };
  });
  return [...taken, ...rest];
}

function resultView({
  action,
  input,
  success,
  isDone,
  text,
  extractedContent,
  elements,
  duration,
}: ActionResult): ActionView {
  return {
    action,
    input,
    // `done` that says the task failed was taken all the same.
    status: success || isDone ? 'done' : 'failed',
    ...namesOf(input, elements),
    text,
    ...(extractedContent !== undefined && { content: extractedContent }),
    duration,
  };
}

/** The step with the names that the agent read before it acts; an action that has ended brings its own. */
export function withNames(step: StepView, elements: ThreadElements): StepView {
  const actions = step.actions.map(action => {
    const read = [...refsIn(action.input)].flatMap(ref => {
      const name = elements.elementOf(ref);
      return name === undefined ? [] : [[ref, name] as const];
    });
    return read.length === 0 ? action : { ...action, names: { ...Object.fromEntries(read), ...action.names } };
  });
  return { ...step, actions };
}

/** The names of the elements of an input, by their refs, for those tell a person nothing. */
export function namesOf(
  input: ActionView['input'],
  elements: ActionResult['elements'] = {},
): Pick<ActionView, 'names'> {
  const names = Object.entries(elements).flatMap(([path, { role, name = '', row = '' }]) => {
    const ref = refIn(path.split('.').reduce<unknown>((at, key) => asRecord(at)[key], input));
    return ref === undefined ? [] : [[ref, elementWords({ role, name, row })] as const];
  });
  return names.length === 0 ? {} : { names: Object.fromEntries(names) };
}

/** A call that waited for a person starts again; what the loop itself does first was not announced. */
function withStarted(actions: readonly ActionView[], action: string, input: ActionView['input']): ActionView[] {
  const started = { action, input, status: 'running' as const };
  if (actions.some(({ status }) => status === 'running')) return [...actions];
  const at = actions.findIndex(({ status }) => status === 'pending');
  return at < 0 ? [...actions, started] : actions.map((each, index) => (index === at ? started : each));
}
