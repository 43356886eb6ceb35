import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { foldText, matchLoosely, spellingPattern } from '../../src/actions/text-match.js';
import { expectSuccess } from '../fixtures.js';
import { pageOpener } from './open-page.js';

const { openPage } = pageOpener();

/** What a page shows, and what people and models type for it. */
const SPELLINGS: [shown: string, typed: string][] = [
  ['Don\u2019t ask', "Don't ask"],
  ['\u201cSoft\u201d opening', '"Soft" opening'],
  ['Mon \u2013 Fri', 'Mon - Fri'],
  ['Check\u2011in', 'Check-in'],
  ['Cafe\u0301 noir', 'Caf\u00e9 noir'],
  ['Caf\u00e9 cr\u00e8me', 'Cafe\u0301 cre\u0300me'],
  ['long\u200bword', 'longword'],
  ['hyphen\u00adated', 'hyphenated'],
  ['10\u00a0000 km', '10 000 km'],
  ['5\u202f% off', '5 % off'],
];

describe.each(SPELLINGS)('a page that shows %j', (shown, typed) => {
  test('is found, waited for, and chosen from by what people type, and the other way round', async () => {
    const page = `<p>Before. ${shown}. After.</p><label>Native <select><option>None<option>${shown}</select></label>
      <div role="listbox" tabindex="0" aria-label="List"><div role="option" tabindex="0" aria-selected="false" onclick="this.setAttribute('aria-selected', true)">${shown}</div></div>
      <label>Form <select><option>None<option>${shown}</select></label>`;
    for (const text of [typed, shown]) {
      const { session, ref } = await openPage(page);
      expectSuccess(await session.find({ text }));
      expectSuccess(await session.wait({ for: { text }, timeout: 15 }));
      const chosen = expectSuccess(await session.select({ ref: ref('combobox', 'Native'), labels: [text] }));
      expect(chosen.selected).toHaveLength(1);
      expect(chosen.selected?.[0]).not.toBe('None');
      expect(
        expectSuccess(await session.select({ ref: ref('listbox', 'List'), labels: [text] })).selected,
      ).toHaveLength(1);
      const fields = [{ ref: ref('combobox', 'Form'), value: text }];
      const filled = expectSuccess(await session.fillForm({ fields }));
      expect(filled.fields?.[0]?.error).toBeUndefined();
    }
  });
});

describe('typography', () => {
  test('does not hide that a text is still there', async () => {
    const { session, script } = await openPage('<p id="it">Don\u2019t wait</p><button>Else</button>');
    const waiting = session.wait({ for: { gone: "Don't wait" }, timeout: 0.3 });
    expect(await waiting).toMatchObject({ success: false, code: 'timeout' });
    await script('it.remove()');
    expectSuccess(await session.wait({ for: { gone: "Don't wait" }, timeout: 15 }));
  });

  test('does not keep an equal label from being chosen', async () => {
    const { session, ref } = await openPage(
      `<label>Sort <select><option>It\u2019s<option>It's<option>Else</select></label>`,
    );
    const chosen = expectSuccess(await session.select({ ref: ref('combobox', 'Sort'), labels: ["It's"] }));
    expect(chosen.selected).toEqual(["It's"]);
  });

  test('is ignored by regular expressions that match nothing else', async () => {
    const { session } = await openPage('<p>It\u2019s 5\u00a0pm</p><button>Else</button>');
    const { matches } = expectSuccess(await session.find({ regex: "it's \\d pm" }));
    expect(matches?.[0]?.text).toBe('It\u2019s 5 pm');
  });

  test.each(SPELLINGS)('of %j is the same to every comparison', (shown, typed) => {
    expect(foldText(shown)).toBe(foldText(typed));
    expect(spellingPattern(typed).test(`… ${shown} …`)).toBe(true);
    expect(spellingPattern(shown).test(typed)).toBe(true);
    expect(matchLoosely([`ab${shown}`], typed)).toEqual([{ index: 0, at: 2 }]);
  });

  test('in any text matches itself', () => {
    const text = fc.string({ unit: 'grapheme', minLength: 1 }).filter(each => foldText(each) !== '');
    fc.assert(fc.property(text, each => spellingPattern(each).test(each)));
  });
});
