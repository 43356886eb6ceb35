import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ALL_TOOLS } from '../../src/tools/index.js';
import { actionName } from '../../src/tools/session-actions.js';
import { expectFailure } from '../fixtures.js';
import { pageOpener } from './open-page.js';

const { newSession } = pageOpener();

type Call = (input: unknown) => Promise<{ success: boolean; code?: 'invalid_input'; message?: string }>;

/** A tool of a session that has not begun: what is refused must not start a browser. */
function call(name: string): Call {
  return (newSession() as unknown as Record<string, Call>)[name] as Call;
}

/** Tool, input, and what the message must say: the field, and what is expected of it. */
const CASES: [string, unknown, RegExp][] = [
  ['navigate', {}, /url: .*string/],
  ['navigate', { url: '' }, /url: .*>=1/],
  ['navigate', { url: 5 }, /url: .*expected string/],
  ['navigate', { url: 'example.com', waitUntil: 'soon' }, /waitUntil: .*"load"\|"domcontentloaded"\|"networkidle"/],
  ['history', { direction: 'up' }, /direction: .*"back"\|"forward"\|"reload"/],
  ['tabs', { action: 'open' }, /action: .*"list"/],
  ['tabs', { action: 'switch' }, /tab: is required to switch/],
  ['find', {}, /give at least one of text, regex and role/],
  ['find', { text: '' }, /text: .*>=1/],
  ['find', { text: 'a', regex: 'b' }, /regex: cannot be combined with text/],
  ['screenshot', { quality: 0 }, /quality: .*>=1/],
  ['screenshot', { quality: 101 }, /quality: .*<=100/],
  ['screenshot', { format: 'gif' }, /format: .*"jpeg"/],
  ['click', {}, /give either ref, or both x and y/],
  ['click', { ref: '@e1', x: 1, y: 1 }, /give either ref, or both x and y/],
  ['click', { x: 1 }, /give either ref, or both x and y/],
  ['click', { x: -1, y: 1 }, /x: .*>=0/],
  ['click', { x: 1, y: 1e308 }, /y: .*<=100000/],
  ['click', { x: Number.NaN, y: 1 }, /x: .*number/],
  ['click', { x: Number.POSITIVE_INFINITY, y: 1 }, /x: .*number/],
  ['click', { ref: '' }, /ref: .*>=1/],
  ['click', { ref: '@e1', clickCount: 21 }, /clickCount: .*<=20/],
  ['click', { ref: '@e1', clickCount: 1.5 }, /clickCount: .*int/],
  ['click', { ref: '@e1', waitAfter: 31 }, /waitAfter: .*<=30/],
  ['click', { ref: '@e1', modifiers: ['Hyper'] }, /modifiers\.0: .*"Alt"/],
  ['click', { ref: '@e1', onDialog: { text: 'x' } }, /onDialog\.accept: .*boolean/],
  ['click', { ref: '@e1', force: true }, /Unrecognized key: "force"/],
  ['hover', { x: 1 }, /give either ref, or both x and y/],
  ['drag', { from: '@e1' }, /to: /],
  ['drag', { from: { x: 1 }, to: '@e2' }, /from/],
  ['type', { ref: '@e1' }, /text: .*string/],
  ['type', { ref: '@e1', text: 5 }, /text: .*expected string/],
  ['press', {}, /keys: /],
  ['press', { keys: [] }, /keys: /],
  ['select', { ref: '@e1', values: ['a'], labels: ['b'] }, /only one of values, labels or indexes/],
  ['select', { ref: '@e1', indexes: [-1] }, /indexes\.0: .*>=0/],
  ['fillForm', { fields: [] }, /fields: .*>=1/],
  ['fillForm', { fields: [{ ref: '@e1' }] }, /fields\.0\.value: /],
  ['fillForm', { fields: [{ ref: '@e1', value: 5 }] }, /fields\.0\.value: /],
  ['scroll', {}, /direction: give direction or to/],
  ['scroll', { direction: 'down', amount: -5 }, /amount: /],
  ['scroll', { direction: 'down', amount: 'much' }, /amount: /],
  ['scroll', { to: '@e1', amount: 5 }, /to: cannot be combined with ref or amount/],
  ['wait', { for: {} }, /for: give exactly one of/],
  ['wait', { for: { seconds: 1000 } }, /for\.seconds: .*<=60/],
  ['wait', {}, /for: .*object/],
  ['dialog', { action: 'close' }, /action: .*"accept"\|"dismiss"/],
  ['close', { now: true }, /Unrecognized key: "now"/],
];

/** The tools that plain code has. */
const ACTIONS = ALL_TOOLS.filter(({ id }) => id.startsWith('browser_')).map(({ id }) => actionName(id));

describe('input that does not fit', () => {
  test.each(CASES)('of %s is refused: %j', async (name, input, message) => {
    const result = expectFailure(await call(name)(input), 'invalid_input');
    expect(result.message).toMatch(message);
  });

  test.each(ACTIONS)('of %s names an unknown key', async name => {
    const result = expectFailure(await call(name)({ nonsense: 1 }), 'invalid_input');
    expect(result.message).toContain('Unrecognized key: "nonsense"');
  });

  test.each(ACTIONS)('of %s is never thrown', async name => {
    const run = call(name);
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.string(), fc.double(), fc.array(fc.anything()), fc.constant(null)), async input => {
        const result = await run(input ?? Number.NaN);
        expect(result).toMatchObject({ success: false, code: 'invalid_input' });
      }),
      { numRuns: 30 },
    );
  });
});

describe('a ref', () => {
  test.each(['e', '@x1', '12', 'e-1', '@e1.5', 'e1; drop', '@e99999999999'])('%j is none', async ref => {
    const result = await newSession().click({ ref });
    expect(result).toMatchObject({ success: false, code: 'invalid_ref' });
  });

  test.each(['@e7', 'e7', 'ref=e7', 'E7'])('%j is read, and was never given out', async ref => {
    const result = await newSession().click({ ref });
    expect(result).toMatchObject({ code: 'invalid_ref', message: '@e7 does not exist in this session.' });
  });
});
