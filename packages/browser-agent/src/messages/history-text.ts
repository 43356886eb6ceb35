import type { ActionResult } from '../actions/action-result.js';
import { actionOf } from '../agent-output.js';
import type { StepRecord } from '../history/history.js';
import { dropped } from '../history/history.js';
import { bounded, inert, shortened } from './frame.js';

/** Characters of all steps together, at which the oldest are shortened to half of that. */
const HISTORY_TEXT_LIMIT = 3_500;
/** Latest steps that are told in full whatever their size. */
const IN_FULL = 3;
const MOST_INPUT = 160;
const SAID_LIMIT = 1_000;
const MOST_SENTENCE = 400;
const MOST_NOTES = 1_200;
const MOST_GOAL = 100;

/** What a model writes for its later steps. It repeats much of it at each: only what is new is told again. */
const NOTES = ['memory', 'progress', 'plan'] as const;
type Notes = Partial<Record<(typeof NOTES)[number], string>>;

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
 *
 * @param key Of the numbers in the lines around page text: those of a step stay what they were.
 */
export function historyText(steps: readonly StepRecord[], key: string, most = HISTORY_TEXT_LIMIT): string {
  let before: Notes = {};
  const told = steps.map(step => {
    const each = toldOf(step, { before, key });
    before = notesOf(step, before);
    return each;
  });
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
  const shortenedSteps = steps.slice(0, levels.findLastIndex(level => level !== 'full') + 1);
  return [...lastNotes(shortenedSteps), ...lines].join('\n');
}

/** The notes of steps that are told in short, as they were in the end: those that were left out later still hold. */
function lastNotes(steps: readonly StepRecord[]): string[] {
  return NOTES.flatMap(field => {
    const last = steps.findLast(({ output }) => output?.[field]);
    if (last === undefined) return [];
    return `${capitalized(field)} at step ${last.step}: ${inert(shortened(last.output?.[field] ?? '', 2_000))}`;
  });
}

/** The notes as a step leaves them. */
function notesOf({ output }: StepRecord, before: Notes): Notes {
  const notes = { ...before };
  for (const field of NOTES) if (output?.[field]) notes[field] = output[field];
  return notes;
}

/** A note without the sentences that were told before; a plan is told whole, or not at all. */
function noteText(field: (typeof NOTES)[number], now: string, before: string): string {
  if (now === '' || now === before) return '';
  const known = new Set(field === 'plan' ? [] : sentences(shortened(before, MOST_NOTES)));
  const all = sentences(now);
  const fresh = all.filter(sentence => !known.has(sentence));
  if (fresh.length === 0) return '';
  const label = fresh.length === all.length ? capitalized(field) : `New in ${field}`;
  return `${label}: ${shortened(fresh.length === all.length ? now : fresh.join(' '), MOST_NOTES)}`;
}

function sentences(text: string): string[] {
  return text.split(/(?<=[.!?;])\s+|\n+/);
}

function capitalized(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

/** A line of the history. */
interface Said {
  text: string;
  /** Words of a person, the model or the loop, in which no page has a say. */
  isOwn?: boolean | undefined;
}

/** Lines, with those that pages may have a say in between boundary lines: as few of these as can be. */
function separated(lines: readonly Said[], key: string): string[] {
  const out: string[] = [];
  let ofPage: string[] = [];
  const close = (): void => {
    if (ofPage.length > 0) out.push(bounded(ofPage.join('\n'), key));
    ofPage = [];
  };
  for (const { text, isOwn } of lines) {
    if (isOwn) {
      close();
      out.push(text);
    } else ofPage.push(text);
  }
  close();
  return out;
}

function personText(words: string): Said {
  return { text: `<person>${inert(words)}</person>`, isOwn: true };
}

function toldOf(record: StepRecord, { before, key }: { before: Notes; key: string }): ShortHistory {
  const { step, output, results, error, said = [] } = record;
  const person = said.map(words => personText(words).text);
  const written = (lines: readonly Said[]): string[] => separated(lines, `${key} ${step}`);
  const answerTo = ({ answer, isOwn }: ActionResult): Said[] =>
    answer === undefined || isOwn ? [] : [personText(answer)];
  const remembered = written(
    results.flatMap(result => [
      ...(result.longTermMemory === undefined ? [] : [saidOf(result, result.longTermMemory)]),
      ...answerTo(result),
    ]),
  );
  const answer = [
    output?.evaluation && `Evaluation: ${shortened(output.evaluation, MOST_SENTENCE)}`,
    ...NOTES.map(field => noteText(field, output?.[field] ?? '', before[field] ?? '')),
    output?.nextGoal && `Goal: ${shortened(output.nextGoal, MOST_SENTENCE)}`,
  ].flatMap(line => (line ? inert(line) : []));
  const left = dropped(record).map(({ name }) => name);
  const full = [
    `<step ${step}>`,
    ...person,
    ...answer,
    ...written(results.flatMap(result => [resultText(result), ...answerTo(result)])),
    ...(left.length > 0 ? [`Skipped: ${left.join(', ')}`] : []),
    ...(error === undefined ? [] : [`This step failed: ${inert(shortened(error, 1_500))}`]),
    '</step>',
  ].join('\n');
  const did = results.map(({ action, success }) => (success ? action : `${action} failed`)).join(', ');
  const why = shortened(output?.nextGoal || output?.memory || '', MOST_GOAL);
  const brief = [...person, ...remembered, `step ${step}: ${inert(why)} (${did || 'nothing'})`].join('\n');
  return { full, brief, kept: [...person, ...remembered].join('\n') };
}

/** Such as `click {"ref":"@e4"}: Clicked button "Send"`. */
function resultText(result: ActionResult): Said {
  const { action, input, success, text, longTermMemory } = result;
  const given = shortened(JSON.stringify(input), MOST_INPUT);
  // The lines of a result stand below it, so that none can be taken for a line of the step.
  const said = shortened(withoutAddress(longTermMemory ?? text, input.url), SAID_LIMIT).replaceAll('\n', '\n  ');
  return saidOf(result, `${success ? 'Did' : 'Failed'}: ${action} ${given}: ${said}`);
}

function saidOf({ isOwn }: ActionResult, text: string): Said {
  return { text: isOwn ? inert(text) : text, isOwn };
}

/** How far a page is scrolled is shown with the page, and its address with the input that named it. */
function withoutAddress(text: string, url: unknown): string {
  const [first = '', ...more] = text.split('\n');
  const named = first.replace(/ +\((?:scrolled [^()]*|all text)\)$/, '');
  const isTwice = typeof url === 'string' && named.endsWith(` ${url}`);
  return [isTwice ? named.slice(0, -url.length - 1) : named, ...more].join('\n');
}

/** For those who show a step to a person. */
export function actionsText(output: { actions: readonly Record<string, Record<string, unknown>>[] }): string {
  return output.actions
    .map(actionOf)
    .map(({ name, input }) => `${name} ${shortened(JSON.stringify(input), MOST_INPUT)}`)
    .join('; ');
}
