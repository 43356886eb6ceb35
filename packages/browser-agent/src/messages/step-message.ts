import type { ActionResult } from '../actions/action-result.js';
import type { BrowserState } from '../browser/browser-state.js';
import type { StepRecord } from '../history/history.js';
import { bounded, inert, shortened, tagged } from './frame.js';
import { historyText } from './history-text.js';

const QUOTED = /"(?:[^"\\]|\\.)*"/g;
const REF_IN_TEXT = /@e\d+/g;

/** Marks the lines of elements that were not there before with `*`. Refs in page text, which is quoted, mark nothing. */
export function markNew(elements: string, newRefs: ReadonlySet<string>): string {
  if (newRefs.size === 0) return elements;
  return elements
    .split('\n')
    .map(line => {
      const [ref] = line.replace(QUOTED, '""').match(REF_IN_TEXT) ?? [];
      return ref !== undefined && newRefs.has(ref) ? line.replace(/^\s*/, indent => `${indent}*`) : line;
    })
    .join('\n');
}

interface StepMessage {
  task: string;
  additionalInfos?: string | undefined;
  /** What the run before on the thread leaves. */
  before?: string | undefined;
  steps: readonly StepRecord[];
  step: number;
  maxSteps: number;
  /** The day, as the person who runs it has it. */
  date: string;
  files: readonly string[];
  /** Words of a person that came since the last step. */
  said: readonly string[];
  /** Notes of the loop itself. */
  notes: readonly string[];
  /** Of the latest step that was decided on: what they read is shown. */
  results: readonly ActionResult[];
  state: BrowserState;
  /** Key of the numbers in the history. */
  boundary: string;
}

/** Characters of what was read. */
const MOST_READ = 40_000;
const MOST_TABS = 20;

/** The one message of a step: what stays the same first, what changes at each step last. */
export function stepMessage(message: StepMessage): string {
  const { task, additionalInfos, before, steps, step, maxSteps, date, files, said, notes, boundary } = message;
  const read = message.results.flatMap(({ action, extractedContent }) =>
    extractedContent === undefined ? [] : `${action}:\n${extractedContent}`,
  );
  return [
    tagged('task', inert(task), additionalInfos && `Additional information: ${inert(additionalInfos)}`),
    ...(before === undefined ? [] : [tagged('task_before', inert(before))]),
    tagged('agent_history', historyText(steps, boundary) || 'Nothing has been done yet.'),
    tagged(
      'agent_state',
      `Step ${step} of at most ${maxSteps}. Today is ${date}.`,
      files.length > 0 ? `Files: ${files.join(', ')}` : undefined,
      ...said.map(words => `<person>${inert(words)}</person>`),
      ...notes,
    ),
    ...(read.length > 0 ? [tagged('read_state', bounded(shortened(read.join('\n'), MOST_READ)))] : []),
    tagged('browser_state', browserText(message.state)),
  ].join('\n');
}

function browserText(state: BrowserState): string {
  const { pixelsAbove = 0, pixelsBelow = 0, tabs, dialog, problem, humanActions, elements, newRefs } = state;
  const others = tabs.length > 1 ? tabs.slice(0, MOST_TABS) : [];
  const page = [
    ...(problem === undefined ? [] : [`The page could not be read: ${problem}`]),
    ...others.map(
      ({ tab, url, title, active }) => `tab ${tab}${active ? ' (current)' : ''}: ${JSON.stringify(title)} ${url}`,
    ),
    ...(dialog === undefined ? [] : [`open dialog: ${dialog}; answer it with the dialog action`]),
    ...(humanActions === undefined ? [] : [`the user did this in the browser: ${JSON.stringify(humanActions)}`]),
    elements === '' ? '(empty page)' : markNew(elements, newRefs),
  ].join('\n');
  const more =
    pixelsAbove > 0 || pixelsBelow > 0
      ? `${pixelsAbove} pixels above and ${pixelsBelow} pixels below the visible area.`
      : '';
  return [more, bounded(page)].filter(Boolean).join('\n');
}
