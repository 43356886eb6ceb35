import { expect, test } from 'vitest';
import { doneAction } from '../src/actions/done.js';
import { VOCABULARY } from '../src/actions/vocabulary.js';
import { stage } from './fixtures.js';

const { agent } = stage({ tools: { also: ['browser_clipboard'] } });

/** Values for the words that stand for one in the inputs of the table. */
const VALUES = {
  url: 'https://shop.example/',
  tab: 't1',
  ref: '@e1',
  text: 'Red mug',
  keys: 'Enter',
  seconds: 1,
  labels: ['Red'],
  paths: ['/tmp/picture.png'],
  query: 'price',
  links: true,
  name: 'todo.md',
  content: 'x',
  old: 'y',
  success: true,
};

/** The input that an expression of the table stands for. */
function inputOf(expression: string): Record<string, unknown> {
  return new Function(...Object.keys(VALUES), `return (${expression});`)(...Object.values(VALUES));
}

test.each(Object.entries(VOCABULARY))(
  'what other agents call %s is done by an action that takes the input of the table',
  (_, row) => {
    const action = [...agent(() => '').actions, doneAction(undefined)].find(({ name }) => name === row.action);
    expect(action?.name).toBe(row.action);
    const input = inputOf(row.input);
    expect(action?.input.safeParse(input)).toEqual({ success: true, data: expect.objectContaining(input) });
    expect(action?.input.safeParse({ ...input, bogus: 1 })?.success).toBe(false);
  },
);
