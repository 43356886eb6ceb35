import { describe, expect, test } from 'vitest';
import { casePage } from '../case-page.js';
import { expectSuccess } from '../fixtures.js';
import { pageOpener } from '../tools/open-page.js';

const { openPage, toolset } = pageOpener();
const page = casePage(toolset);
const hidden = pageOpener({ secrets: { DOOR: { value: 'sesame-4711-open', domains: ['127.0.0.1'] } } });

const lineOf = async (html: string): Promise<string> => (await page.read(html)).replace(/ @e\d+/g, '');
const options = (names: readonly (string | number)[]): string => names.map(name => `<option>${name}</option>`).join('');
const count = (length: number): number[] => Array.from({ length }, (_, index) => index + 1);

describe('a closed drop-down', () => {
  test.each([
    [
      'says its options',
      `<select aria-label="Sort">${options(['Newest', 'Price: low to high', '4 and up'])}</select>`,
      'combobox "Sort" value="Newest" options: "Newest", "Price: low to high", "4 and up"',
    ],
    [
      'says those that a person sees',
      '<select aria-label="Why"><option hidden selected>Choose</option><optgroup label="Box"><option label="Arrived damaged">x</option></optgroup></select>',
      'combobox "Why" value="Choose" options: "Arrived damaged"',
    ],
    [
      'says how many they are where they are many',
      `<select aria-label="Land">${options(['Norway', ...count(194)])}</select>`,
      'combobox "Land" value="Norway" 195 options',
    ],
    [
      'says how many they are where they are long',
      `<select aria-label="Plan">${options(['Basic', 'word '.repeat(20)])}</select>`,
      'combobox "Plan" value="Basic" 2 options',
    ],
    [
      'says where numbers begin and end',
      `<select aria-label="Quantity">${options(count(10))}</select>`,
      'combobox "Quantity" value="1" options: "1", "2", …, "10"',
    ],
    [
      'of the page says its options, if they are in it',
      `<div role="combobox" tabindex="0" aria-label="Size" aria-expanded="false" aria-controls="sizes">M</div>
        <ul role="listbox" id="sizes" hidden><li role="option">S</li><li role="option" aria-selected="true">M</li></ul>`,
      'combobox "Size" value="M" options: "S", "M" collapsed',
    ],
    ['without options is listed', '<select aria-label="City"></select>', 'combobox "City"'],
  ])('%s', async (_what, html, line) => {
    expect(await lineOf(html)).toBe(line);
  });

  test.each([
    ['of its own', '<li role="option">S</li><li role="option">M</li>', 'sizes.hidden = false'],
    ['in a popover', '<li role="option">S</li><li role="option">M</li>', "sizes.removeAttribute('hidden')"],
    ['drawn then', '', "sizes.innerHTML = '<li role=option>S<li role=option>M'; sizes.hidden = false"],
  ])('does not lose its options with a list %s that opens', async (_, list, open) => {
    const { session, ref } = await openPage(`
      <div id="size" role="combobox" tabindex="0" aria-label="Size" aria-expanded="false" aria-controls="sizes"
        onclick="this.setAttribute('aria-expanded', true); ${open}">M</div><ul role="listbox" id="sizes" hidden>${list}</ul>`);
    const { changes } = expectSuccess(await session.click({ ref: ref('combobox', 'Size') }));
    expect(changes).toContain('option "S"');
    expect(changes).not.toContain('no options');
  });

  test('says its options again only when they change', async () => {
    const { session, ref } = await openPage(`
      <select id="land" aria-label="Country">${options(['Norway', 'Sweden', 'Iceland'])}</select>
      <select id="city" aria-label="City">${options(['Oslo', 'Bergen'])}</select>
      <script>
        land.onchange = () => { if (land.value === 'Sweden') city.innerHTML = '${options(['Malmö', 'Lund'])}' };
      </script>`);
    const choose = async (label: string): Promise<string[]> => {
      const { changes } = expectSuccess(await session.select({ ref: ref('combobox', 'Country'), labels: [label] }));
      return (changes ?? '').split('\n').filter(line => line.includes('combobox'));
    };
    for (const line of await choose('Iceland')) expect(line).not.toContain('Sweden');
    const told = await choose('Sweden');
    expect(told.filter(line => line.includes('"City"'))).toEqual([
      expect.stringMatching(/~ combobox "City" @e\d+ value="Malmö" options: "Malmö", "Lund"/),
    ]);
    for (const line of told) expect(line).not.toContain('Iceland');
  });

  test('hides the secrets among its options', async () => {
    const { read } = await hidden.openPage(
      `<select aria-label="Key">${options(['None', 'Word sesame-4711-open', '<b>sesame</b>-4711-open'])}</select>`,
    );
    const tree = await read();
    expect(tree).toContain('options: "None", "Word <secret>DOOR</secret>');
    expect(tree).not.toMatch(/sesame|4711/);
  });

  test('that is gone is told without what it held and offered', async () => {
    const { session, ref } = await openPage(`
      <div><select aria-label="Sort">${options(['Newest', 'Oldest'])}</select></div>
      <button onclick="this.previousElementSibling.remove()">Close</button>`);
    const { changes } = expectSuccess(await session.click({ ref: ref('button', 'Close') }));
    expect(changes).toContain('- combobox "Sort"');
    expect(changes).not.toMatch(/Newest|Oldest/);
  });
});
