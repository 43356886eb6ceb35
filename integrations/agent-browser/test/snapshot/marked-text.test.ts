import { describe, expect, test } from 'vitest';
import { casePage } from '../case-page.js';
import { expectSuccess } from '../fixtures.js';
import { pageOpener } from '../tools/open-page.js';

const { openPage, toolset } = pageOpener();
const page = casePage(toolset);
const hidden = pageOpener({ secrets: { DOOR: { value: 'sesame-4711-open', domains: ['127.0.0.1'] } } });

const RAISED: [what: string, html: string, text: string][] = [
  ['cents', 'Mug $19<sup>99</sup>', 'Mug $19^99'],
  ['cents by style', 'Mug $19<span style="vertical-align: super">99</span>', 'Mug $19^99'],
  ['cents by size', 'Mug $<span>19</span><span style="font-size: 60%">99</span>', 'Mug $19^99'],
  ['an exponent', 'About 10<sup>6</sup> people', 'About 10^6 people'],
  ['a negative exponent', '10<sup>-6</sup> m', '10^-6 m'],
  ['a unit', '45 m<sup>2</sup>', '45 m^2'],
  ['a variable', 'e<sup>x</sup> and 2<sup><span>n</span></sup>', 'e^x and 2^n'],
  ['a number after it', '10<sup>6</sup>5', '10^6 5'],
  ['a base', 'log<sub>2</sub>8', 'log2 8'],
];
const PLAIN: [what: string, html: string, text: string][] = [
  ['ordinals', 'May 5<sup>th</sup>, 2<sup>e</sup>, N<sup>o</sup> 7', 'May 5th, 2e, No 7'],
  ['cents after a point', '$19.<sup>99</sup>', '$19.99'],
  ['formulas', 'H<sub>2</sub>O and CO<sub>2</sub>', 'H2O and CO2'],
  ['notes', 'So they say<sup>[1]</sup>', 'So they say[1]'],
  ['links in a line', 'Page <a>1</a>2', 'Page 12'],
];
const DELETED: [what: string, html: string, text: string][] = [
  ['a price', '<del>$29</del> $19', '~~$29~~ $19'],
  ['a price by style', '<span style="text-decoration: line-through">$29.00</span> $19.00', '~~$29.00~~ $19.00'],
  ['a price around its parts', 'Was <s><span>$</span><span>29</span></s> now $19', 'Was ~~$29~~ now $19'],
  [
    'a price by the style around it',
    '<span style="text-decoration: line-through"><span>29 kr</span></span> 19 kr',
    '~~29 kr~~ 19 kr',
  ],
  ['words', 'Red <strike>or blue</strike> paint', 'Red ~~or blue~~ paint'],
];

describe('what is raised or deleted', () => {
  test.each([...RAISED, ...PLAIN, ...DELETED])('reads the same in texts and names: %s', async (_what, html, text) => {
    const tree = await page.read(`<p>${html}</p><button>${html}</button><h2>${html}</h2>`, {});
    const lines = tree.split('\n').map(line => line.replace(/ @e\d+/, ''));
    expect(lines).toContain(`text ${JSON.stringify(text)}`);
    expect(lines).toContain(`button ${JSON.stringify(text)}`);
    expect(lines).toContain(`heading ${JSON.stringify(text)} level=2`);
    for (const format of ['markdown', 'text'] as const) {
      const { content = '' } = expectSuccess(await page.session.read({ format, full: true }));
      expect(content.replace(/\\(?=[[\]])/g, '')).toContain(text);
    }
  });

  test.each([
    ['as it is told', 'Mug $19^99', 'Mug $19<sup>99</sup>'],
    ['with a point', 'mug $19.99', 'Mug $19<sup>99</sup>'],
    ['as it is written', '$1999', 'Mug $19<sup>99</sup>'],
    ['without its exponent sign', '10^6 people', 'About 10<sup>6</sup> people'],
    ['without the marks of a deleted text', 'Red or blue paint', 'Red <s>or blue</s> paint'],
    ['with them', 'Red ~~or blue~~ paint', 'Red <s>or blue</s> paint'],
  ])('is found %s', async (_how, text, html) => {
    await page.show(`<p>${html}</p><p>Nothing</p>`);
    expect(expectSuccess(await page.session.find({ text })).matches).toHaveLength(1);
  });

  test.each(['Mug $19^99', 'Mug $1999', 'Red ~~or blue~~ paint', 'Red or blue paint'])(
    'is waited for as %s',
    async text => {
      await page.show('<p>Mug $19<sup>99</sup></p><p>Red <s>or blue</s> paint</p>');
      expectSuccess(await page.session.wait({ for: { text } }));
    },
  );

  test('does not hide a secret from whoever hides it', async () => {
    const { read, session } = await hidden.openPage(
      '<p>sesame-47<sup>11</sup>-open</p><button>sesame-<s>4711</s>-open</button><h2>sesame-<span style="text-decoration: line-through">4711</span>-open</h2>',
    );
    const texts = [await read(), expectSuccess(await session.read({ full: true })).content];
    for (const text of texts) {
      expect(text).not.toMatch(/sesame|open/);
      expect(text).toContain('<secret>DOOR</secret>');
    }
  });

  test('is told as it changes, and refuses no ref: a page may strike out what was clicked', async () => {
    const { session, ref } = await openPage(
      `<ul><li><button onclick="this.style.textDecoration = this.style.textDecoration ? '' : 'line-through'">Buy milk</button>
        <li><button>Buy bread</button></ul>`,
    );
    const milk = ref('button', 'Buy milk');
    expect(expectSuccess(await session.click({ ref: milk })).changes).toMatch(/~ struck through button "Buy milk"/);
    expect(expectSuccess(await session.click({ ref: milk })).changes).toMatch(
      /~ no longer struck through button "Buy milk"/,
    );
  });
});
