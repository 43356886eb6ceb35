import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Told } from './role-and-name-engine.js';
import { ask, launchWithEngine } from './role-and-name-page.js';
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

let browser: Browser;
let page: Page;

beforeAll(async () => {
  browser = await launchWithEngine();
  page = await browser.newPage();
});
afterAll(() => browser.close());

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
    const roles = new Set([...told.map(({ role }) => role), ...PLAYWRIGHT_ROLES]);
    for (const role of roles) {
      if (role === '' || role === 'none') continue;
      expect([role, await foundBy(role)]).toEqual([role, numbersOf(told.filter(one => one.role === role))]);
    }
  });

  test('every element has the name that Playwright gives it, or both give none', async () => {
    const told = await open(html);
    const named = told.filter(({ role, name }) => role !== '' && role !== 'none' && name !== '');
    for (const key of new Set(named.map(({ role, name }) => JSON.stringify([role, name])))) {
      const [role, name] = JSON.parse(key) as [string, string];
      const members = named.filter(one => one.role === role && one.name === name);
      expect([key, await foundBy(role, name)]).toEqual([key, numbersOf(members)]);
    }
    for (const role of new Set(told.map(one => one.role))) {
      if (role === '' || role === 'none') continue;
      const members = named.filter(one => one.role === role);
      expect([role, await foundBy(role, /\S/)]).toEqual([role, numbersOf(members)]);
    }
  });
});

const PLAYWRIGHT_ROLES =
  `alert article banner blockquote button caption cell checkbox code columnheader combobox complementary
  contentinfo definition deletion dialog document emphasis figure form grid gridcell group heading img insertion link list
  listbox listitem log main mark math menu menubar menuitem meter navigation note option paragraph progressbar radio
  radiogroup region row rowgroup rowheader search searchbox separator slider spinbutton status strong subscript superscript
  switch tab table tablist tabpanel term textbox time toolbar tooltip tree treegrid treeitem`.split(/\s+/);
