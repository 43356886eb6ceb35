import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { plainChromium } from './chromium.js';
import type { Told } from './role-and-name-engine.js';
import { ask } from './role-and-name-page.js';
import { articlePage, formPage, shopPage, widgetPage } from './sample-pages.js';

type Role = Parameters<Page['getByRole']>[0];

/** Where the specifications say something else than Playwright 1.65 does. */
const SPECIFIED_OTHERWISE: readonly { selector: string; why: string }[] = [
  { selector: 'optgroup', why: 'HTML-AAM 4.1: an option group is named by its label attribute' },
  { selector: 's, address, hgroup', why: 'HTML-AAM 3.5: they have roles' },
  { selector: 'summary', why: 'it is shown as a button that expands, see role.ts' },
  { selector: 'dt, dd, time', why: 'WAI-ARIA 1.2: terms, definitions and times may be named' },
  {
    selector: ':is(article, aside, nav, section) aside:not([aria-label])',
    why: 'HTML-AAM 3.5: no landmark of the page',
  },
  {
    selector: 'input[type="file"][title]',
    why: 'HTML-AAM 4.1: a title comes before what the browser shows on the button',
  },
  { selector: 'form[title], section[title]', why: 'HTML-AAM 3.5: a title names a landmark too' },
];

let page: Page;

beforeAll(async () => {
  page = await (await plainChromium()).newPage();
});
afterAll(() => page.close());

/** Numbers what is exposed and can be compared; Playwright looks at nothing else. */
async function open(html: string): Promise<Told[]> {
  await page.setContent(html);
  const excluded = ['[aria-hidden="true"]', '[aria-hidden="true"] *', ...SPECIFIED_OTHERWISE.map(one => one.selector)];
  await page.evaluate(selector => {
    for (const [i, element] of document.body.querySelectorAll('*').entries()) {
      if (element.checkVisibility() && !element.matches(selector)) element.setAttribute('data-n', String(i));
    }
  }, excluded.join());
  return ask(page, '[data-n]');
}

/** Numbers of what Playwright finds by a role, and a name if one is given. */
async function foundBy(role: string, name?: string | RegExp): Promise<string[]> {
  const locator = page.getByRole(role as Role, name === undefined ? {} : { name, exact: true });
  const numbers = await locator.evaluateAll(elements => elements.map(element => element.getAttribute('data-n') ?? ''));
  return numbers.filter(number => number !== '').sort();
}

const isRole = (role: string): boolean => role !== '' && role !== 'none';
const roleAndName = (key: string): [role: string, name: string] => JSON.parse(key) as [string, string];
const numbersOf = (told: Told[]) => told.map(({ n }) => n).sort();

describe.each([
  ['shop', shopPage(40)],
  ['form', formPage()],
  ['widget', widgetPage()],
  ['article', articlePage()],
])('on the %s page', (_name, html) => {
  test('every element has the role that Playwright gives it, or both give none', async () => {
    const told = await open(html);
    expect(told.length).toBeGreaterThan(200);
    const roles = new Set([...told.map(({ role }) => role), ...PLAYWRIGHT_ROLES].filter(isRole));
    const found = await Promise.all([...roles].map(async role => [role, await foundBy(role)]));
    expect(found).toEqual([...roles].map(role => [role, numbersOf(told.filter(one => one.role === role))]));
  });

  test('every element has the name that Playwright gives it, or both give none', async () => {
    const told = (await open(html)).filter(({ role }) => isRole(role));
    const named = Map.groupBy(
      told.filter(({ name }) => name !== ''),
      ({ role, name }) => JSON.stringify([role, name]),
    );
    const found = await Promise.all([...named.keys()].map(async key => [key, await foundBy(...roleAndName(key))]));
    expect(found).toEqual([...named].map(([key, members]) => [key, numbersOf(members)]));
    const roles = Map.groupBy(told, ({ role }) => role);
    const withName = await Promise.all([...roles.keys()].map(async role => [role, await foundBy(role, /\S/)]));
    expect(withName).toEqual(
      [...roles].map(([role, members]) => [role, numbersOf(members.filter(({ name }) => name !== ''))]),
    );
  });
});

const PLAYWRIGHT_ROLES =
  `alert article banner blockquote button caption cell checkbox code columnheader combobox complementary
  contentinfo definition deletion dialog document emphasis figure form grid gridcell group heading img insertion link list
  listbox listitem log main mark math menu menubar menuitem meter navigation note option paragraph progressbar radio
  radiogroup region row rowgroup rowheader search searchbox separator slider spinbutton status strong subscript superscript
  switch tab table tablist tabpanel term textbox time toolbar tooltip tree treegrid treeitem`.split(/\s+/);
