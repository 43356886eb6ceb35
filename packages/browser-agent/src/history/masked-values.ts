import type { ActionResult } from '../actions/action-result.js';
import { leavesMark, MASK, maskedPaths, valueAt } from '../rerun/recorded-actions.js';
import { mapTexts, withValueAt, wordPattern } from '../rerun/variables.js';
import type { AgentHistory, StepRecord } from './history.js';

/** Values of fewer characters stand in other texts by chance. */
const SHORTEST_MASKED = 3;

type Masking = <Words>(words: Words) => Words;

/**
 * A history as it is kept: dots stand for what was put into fields that mask their value, also where the task, a person or
 * the model says it.
 */
export function withoutMaskedValues(history: AgentHistory): AgentHistory {
  const { steps, ...said } = history;
  const all = steps.flatMap(({ results }) => results);
  const values = all.flatMap(result => {
    const each = maskedPaths(result).map(path => String(valueAt(result.input, path)));
    // Keys that are pressed one after another are a value together.
    return result.action === 'press' ? [...each, each.join('')] : each;
  });
  if (values.every(value => value.replaceAll(MASK, '') === '')) return history;
  const words = values.filter(value => value.length >= SHORTEST_MASKED && !value.includes(MASK));
  // The longest first: one value may stand in another.
  const patterns = words.sort((a, b) => b.length - a.length).map(wordPattern);
  const pattern = new RegExp(patterns.join('|') || '(?!)', 'gu');
  const mask: Masking = texts => mapTexts(texts, text => text.replace(pattern, MASK)) as typeof texts;
  const { version, runId, threadId, stopReason, ...spoken } = said;
  return {
    ...{ version, runId, threadId, ...mask(spoken) },
    ...(stopReason !== undefined && { stopReason }),
    steps: steps.map(step => maskedStep(step, mask)),
  };
}

function maskedStep({ output, said, error, ...step }: StepRecord, mask: Masking): StepRecord {
  const results = step.results.map(result => maskedResult(result, mask));
  const spoken = mask({ ...(said && { said }), ...(error !== undefined && { error }) });
  if (output === undefined) return { ...step, ...spoken, results };
  const { actions, ...words } = output;
  // The model asked for them in this order.
  const taken = actions.map((action, index) => {
    const { action: name, input } = results[index] ?? {};
    return name !== undefined && input !== undefined && name in action ? { [name]: input } : mask(action);
  });
  return { ...step, ...spoken, results, output: { ...mask(words), actions: taken } };
}

function maskedResult(result: ActionResult, mask: Masking): ActionResult {
  const { input, elements, metadata, text, ...rest } = result;
  const own = maskedPaths(result).reduce((masked, path) => withValueAt(masked, path, MASK), input);
  const words = mask({ text, ...rest });
  // What is taken again keeps its other texts, and so do the elements that it finds.
  return leavesMark(result)
    ? { ...words, input: own, ...(elements && { elements }), ...(metadata && { metadata }) }
    : { ...words, input: mask(own), ...(elements && { elements }), ...(metadata && { metadata: mask(metadata) }) };
}
