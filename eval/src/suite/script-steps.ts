import { type Step, step, type View } from '@browser-toolset/playground/dist/scripted-model/index.js';

type Name = string | RegExp;

/** Steps of scripts. Each looks its refs up in the text that the model was shown. */
export const click = (role: string, name: Name): Step =>
  step(`I click ${told(role, name)}.`, 'browser_click', view => ({ ref: view.ref(role, name) }));

/**
 * Clicks a control of a row: the ref is the first one that fits behind the row's words. These do not stand in what it
 * says, which it reads again with the page.
 */
export const clickBehind = (row: string, control: string): Step =>
  step('I click what stands in that row.', 'browser_click', view => ({ ref: refBehind(view, row, control) }));

export const type = (role: string, name: Name, text: string, more: { submit?: true } = {}): Step =>
  step(`I write into ${told(role, name)}.`, 'browser_type', view => ({ ref: view.ref(role, name), text, ...more }));

export const choose = (name: Name, label: string): Step =>
  step(`I choose ${label}.`, 'browser_select', view => ({ ref: view.ref('combobox', name), labels: [label] }));

type Field = readonly [role: string, name: Name, value: string | boolean | string[]];

export const fill = (...fields: readonly Field[]): Step =>
  step('I fill in the form.', 'browser_fill_form', view => ({
    fields: fields.map(([role, name, value]) => ({ ref: view.ref(role, name), value })),
  }));

export const waitFor = (text: string): Step => step(`I wait for “${text}”.`, 'browser_wait', () => ({ for: { text } }));

/** The last words. */
export const end = (say: string | ((view: View) => string)): Step => ({ say });

/** The last words of a task with an answer. */
export const answer = (read: (view: View) => string): Step => end(view => `Here it is.\nANSWER: ${read(view)}`);

function refBehind(view: View, row: string, control: string): string {
  return view.find(new RegExp(`${escaped(row)}[\\s\\S]*?${escaped(control)} (@e\\d+)`));
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

function told(role: string, name: Name): string {
  return `${role} ${typeof name === 'string' ? `“${name}”` : name}`;
}
