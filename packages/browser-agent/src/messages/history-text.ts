import type { ActionResult } from '../actions/action-result.js';
import { actionOf } from '../agent-output.js';
import type { StepRecord } from '../history/history.js';
import { dropped } from '../history/history.js';
import { inert, shortened } from './frame.js';

/** Characters of all steps together, at which the oldest are shortened to half of that. */
const HISTORY_TEXT_LIMIT = 7_000;
/** Latest steps that are told in full whatever their size. */
const IN_FULL = 3;
const MOST_INPUT = 160;
const SAID_LIMIT = 1_000;

interface ShortHistory {
  full: string;
  /** One line. */
  brief: string;
  /** The texts that stay for the whole run. */
  kept: string;
}

type Level = 'full' | 'brief' | 'kept';

/**
 * The steps as the model reads them. A step is appended to what was there, which stays as it is until there is too much:
 * then the oldest are shortened at once to half of it, so that prompts begin alike for as many steps as they can.
 */
export function historyText(steps: readonly StepRecord[], most = HISTORY_TEXT_LIMIT): string {
  const told = steps.map(toldOf);
  const levels: Level[] = [];
  const sizeAt = (i: number): number => told[i]?.[levels[i] ?? 'full'].length ?? 0;
  let size = 0;
  for (let n = 0; n < told.length; n++) {
    levels.push('full');
    size += sizeAt(n);
    if (size <= most) continue;
    for (const level of ['brief', 'kept'] as const) {
      for (let i = 0; i <= n - IN_FULL && size > most / 2; i++) {
        if (levels[i] === level || levels[i] === 'kept') continue;
        size -= sizeAt(i);
        levels[i] = level;
        size += sizeAt(i);
      }
    }
  }
  const lines = told.map((each, i) => each[levels[i] ?? 'full']).filter(line => line !== '');
  const memory = lastMemory(steps, levels);
  return [memory, ...lines].filter(line => line !== '').join('\n');
}

/** The memory of the last step that is told in short. */
function lastMemory(steps: readonly StepRecord[], levels: readonly Level[]): string {
  const last = levels.lastIndexOf('brief');
  const at = last < 0 ? levels.lastIndexOf('kept') : last;
  const memory = steps[at]?.output?.memory ?? '';
  return memory === '' ? '' : `Memory at step ${steps[at]?.step}: ${inert(shortened(memory, 2_000))}`;
}

function toldOf(record: StepRecord): ShortHistory {
  const { step, output, results, error, said = [] } = record;
  const person = said.map(words => `<person>${inert(words)}</person>`);
  const remembered = results.flatMap(({ longTermMemory }) =>
    longTermMemory === undefined ? [] : inert(longTermMemory),
  );
  const answer = [
    output?.evaluation && `Evaluation: ${output.evaluation}`,
    output?.memory && `Memory: ${output.memory}`,
    output?.progress && `Progress: ${output.progress}`,
    output?.plan && `Plan: ${output.plan}`,
    output?.nextGoal && `Goal: ${output.nextGoal}`,
  ].flatMap(line => (line ? inert(shortened(line, 1_200)) : []));
  const left = dropped(record).map(({ name }) => name);
  const full = [
    `<step ${step}>`,
    ...person,
    ...answer,
    ...results.map(resultText),
    ...(left.length > 0 ? [`Skipped: ${left.join(', ')}`] : []),
    ...(error === undefined ? [] : [`This step failed: ${inert(shortened(error, 1_500))}`]),
    '</step>',
  ].join('\n');
  const did = results.map(({ action, success }) => (success ? action : `${action} failed`)).join(', ');
  const why = shortened(output?.nextGoal || output?.memory || '', 120);
  const brief = [...person, ...remembered, `step ${step}: ${inert(why)} (${did || 'nothing'})`].join('\n');
  return { full, brief, kept: [...person, ...remembered].join('\n') };
}

/** Such as `click {"ref":"@e4"}: Clicked button "Send"`. */
function resultText({ action, input, success, text, longTermMemory }: ActionResult): string {
  const given = shortened(JSON.stringify(input), MOST_INPUT);
  // The lines of a result stand below it, so that none can be taken for a line of the step.
  const said = shortened(longTermMemory ?? text, SAID_LIMIT).replaceAll('\n', '\n  ');
  return inert(`${success ? 'Did' : 'Failed'}: ${action} ${given}: ${said}`);
}

/** For those who show a step to a person. */
export function actionsText(output: { actions: readonly Record<string, Record<string, unknown>>[] }): string {
  return output.actions
    .map(actionOf)
    .map(({ name, input }) => `${name} ${shortened(JSON.stringify(input), MOST_INPUT)}`)
    .join('; ');
}
