import { z } from 'zod/v4';
import type { ActionResult } from '../actions/action-result.js';
import type { AgentHistory } from '../history/history.js';

/** An action of a history that is taken again. */
export interface RecordedAction extends Pick<ActionResult, 'action' | 'input' | 'elements'> {
  step: number;
  /** The goal of the step. */
  goal: string;
  /** Where `search` searched; `%s` stands for the query. */
  searchUrl?: string;
  /** The tab that opened by it. */
  opened?: string;
  /** The tab that `tabs` left active. */
  activeTab?: string;
  /** It led to another page. */
  hasNavigated?: true;
  /** Milliseconds that the step took: so long is waited for its elements. */
  took: number;
}

/** They looked, or wrote for the model: nothing of the page hangs on them. */
const LOOKED = new Set(
  'done snapshot find read extract screenshot console network write_file read_file replace_file ask_user pdf'.split(
    ' ',
  ),
);

const told = z.looseObject({
  searchUrl: z.string().optional(),
  selected: z.array(z.string()).optional(),
  navigated: z.unknown().optional(),
  newTab: z.looseObject({ tab: z.string() }).optional(),
  tabs: z.array(z.looseObject({ tab: z.string(), active: z.boolean() })).optional(),
});

function factsOf(
  metadata: ActionResult['metadata'],
): Pick<RecordedAction, 'searchUrl' | 'opened' | 'activeTab' | 'hasNavigated'> {
  const { searchUrl, navigated, newTab, tabs = [] } = told.safeParse(metadata).data ?? {};
  const active = tabs.find(tab => tab.active);
  return {
    ...(searchUrl !== undefined && { searchUrl }),
    ...(navigated === true && { hasNavigated: true as const }),
    ...(newTab !== undefined && { opened: newTab.tab }),
    ...(active !== undefined && { activeTab: active.tab }),
  };
}

/** What was chosen by its number is recorded by what it says: that is found in another order, too. */
function inputOf({
  action,
  input,
  metadata,
}: Pick<ActionResult, 'action' | 'input' | 'metadata'>): ActionResult['input'] {
  const { indexes, ...rest } = input;
  const { selected } = told.safeParse(metadata).data ?? {};
  if (action !== 'select' || !Array.isArray(indexes) || selected?.length !== indexes.length) return input;
  return { ...rest, labels: selected };
}

/** Whether an action can have changed something that hangs on it. */
export function leavesMark({ action, input }: Pick<ActionResult, 'action' | 'input'>): boolean {
  return !LOOKED.has(action) && !(action === 'tabs' && input.action === 'list');
}

/** Stands for what was put into a field that masks its value. */
export const MASK = '••••••••';
/** Fields of an input that hold what is put into the element beside them. */
const ENTERED = ['text', 'value', 'keys'];

/** The paths of what an action put into fields that mask their value, but for names of secrets and of keys. */
export function maskedPaths({ input, elements = {} }: Pick<ActionResult, 'input' | 'elements'>): string[] {
  return Object.entries(elements).flatMap(([path, { masked }]) =>
    masked ? ENTERED.flatMap(field => enteredAt(input, path.replace(/[^.]+$/, field))) : [],
  );
}

function enteredAt(input: unknown, path: string): string[] {
  const value = valueAt(input, path);
  if (Array.isArray(value)) return value.flatMap((_, i) => enteredAt(input, `${path}.${i}`));
  if (typeof value === 'number') return [path];
  const isKeyName = path.startsWith('keys') && typeof value === 'string' && value !== MASK && [...value].length > 1;
  return typeof value === 'string' && !isKeyName && !/<secret>/.test(value) ? [path] : [];
}

export function valueAt(input: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((at, key) => (at as Record<string, unknown> | undefined)?.[key], input);
}

/** The actions that changed something in the browser, in order. Failed ones are not repeated. */
export function recordedActions({ steps }: AgentHistory): RecordedAction[] {
  return steps.flatMap(({ step, output, results, duration, modelDuration }) =>
    results
      .filter(result => result.success && leavesMark(result))
      .map(({ action, input, elements, metadata }) => ({
        step,
        action,
        input: inputOf({ action, input, metadata }),
        ...(elements && { elements }),
        ...factsOf(metadata),
        goal: output?.nextGoal ?? '',
        took: Math.max(0, duration - modelDuration),
      })),
  );
}
