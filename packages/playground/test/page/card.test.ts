import type { Locator, Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { test } from './fixtures.js';
import { RunPage } from './run-page.js';

const main = (page: Page) => page.getByRole('main');
const decision = (page: Page) => page.locator('.decision, .run-question');
const sentence = (page: Page) => decision(page).locator('.decision-what');
const outlines = (page: Page) => page.locator('.bt-highlight[data-phase="waiting"]');
const approve = (page: Page) => decision(page).getByRole('button', { name: 'Approve', exact: true });
const allOfKind = (page: Page) => decision(page).getByRole('button', { name: 'Allow all of this kind in this run' });
const allowed = (page: Page) => page.getByRole('region', { name: 'Approved for this run' });

const PAYMENT = [
  'Name on card: Ann Berg',
  'Card number: 4242 4242 4242 4242',
  'Expiry date: 12/49',
  'Security code: ••••••••',
  'Then press: button "Confirm card"',
];

async function begin(page: Page, title: string): Promise<void> {
  await page.getByRole('checkbox', { name: 'Ask before each action' }).check();
  await main(page).getByRole('button', { name: title }).click();
}

/** What waits, with the marks of what it may do, without the site. */
async function waiting(page: Page): Promise<string> {
  const [words, ...marks] = await sentence(page).evaluate(({ childNodes }) =>
    [...childNodes].map(each => each.textContent),
  );
  return [words?.split(/ on 127|(?<=Open) /)[0], ...marks].join(' · ');
}

/** Answers what waits, and waits until it waits no longer. */
async function answer(page: Page, button: Locator): Promise<void> {
  const [words = ''] = (await waiting(page)).split(' · ');
  await button.click();
  await sentence(page).filter({ hasText: words }).waitFor({ state: 'detached' });
}

/** Approves what waits, until something with these words does. Returns what waited on the way. */
async function untilAsked(page: Page, words: string): Promise<string[]> {
  const seen: string[] = [];
  for (;;) {
    const said = await waiting(page);
    seen.push(said);
    if (said.includes(words)) return seen;
    await answer(page, approve(page));
  }
}

/** The part of the live view's picture that an element is in. */
async function isInPicture(page: Page, element: Locator): Promise<boolean> {
  const [box, picture] = await Promise.all([element.boundingBox(), page.locator('.bt-canvas').boundingBox()]);
  if (!box || !picture) return false;
  return box.y >= picture.y - 4 && box.y + box.height <= picture.y + picture.height + 4;
}

const focusedText = (page: Page) => page.evaluate(() => document.activeElement?.textContent ?? '');

async function tabTo(page: Page, text: string): Promise<void> {
  for (let presses = 0; presses < 60 && (await focusedText(page)) !== text; presses++) await page.keyboard.press('Tab');
  expect(await focusedText(page)).toBe(text);
}

describe('the card of a call that waits for approval', () => {
  test('has a form in lines, all of it outlined and in sight, by keyboard alone', async ({ page }) => {
    await begin(page, 'Buy a mug');
    expect(await untilAsked(page, 'Confirm card')).toEqual([
      'Open',
      'Type "mug" into searchbox "Search products"',
      'Wait until "Pier kettle" is gone',
      'Click link "Tidewater mug"',
      'Click button "Add to cart" · may send',
      'Click link "Cart, 1 item"',
      'Click link "Go to checkout"',
      'Choose "Norway" in combobox "Country"',
      'Fill in 5 fields',
      'Click radio "Express 1 to 2 working days $14.00"',
      'Fill in 4 fields, then press button "Confirm card" · may send · may pay',
    ]);
    const lines = decision(page).locator('.call-lines > li');
    expect(await lines.allTextContents()).toEqual(PAYMENT);
    await expect.poll(() => outlines(page).count()).toBe(5);
    for (const outline of await outlines(page).all()) expect(await isInPicture(page, outline)).toBe(true);
    expect(await page.locator('.tool-call').allInnerTexts()).not.toContainEqual(expect.stringMatching(/@e\d|[{[]"/));

    await decision(page).getByRole('button', { name: 'Card number' }).focus();
    const current = outlines(page).and(page.locator('[data-current]'));
    await expect.poll(() => current.count()).toBe(1);
    await tabTo(page, 'Then press: button "Confirm card"');
    await expect.poll(() => outlines(page).last().getAttribute('data-current')).toBe('true');

    await page.setViewportSize({ width: 420, height: 800 });
    await expect.poll(() => lines.allTextContents()).toEqual(PAYMENT);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(420);

    const views = page.getByRole('tablist', { name: 'Views' });
    await views.getByRole('tab', { name: 'Browser' }).click();
    for (const outline of await outlines(page).all()) await expect.poll(() => isInPicture(page, outline)).toBe(true);

    await views.getByRole('tab', { name: 'Chat' }).focus();
    await page.keyboard.press('Enter');
    await tabTo(page, 'Decline');
    await page.keyboard.press('Enter');

    const call = page.locator('.tool-call.denied');
    const gist = 'Name on card, Card number, Expiry date, Security code, then button "Confirm card"';
    await call.getByText(gist).waitFor();
    await page.reload();
    await call.getByText(gist).waitFor();
    await call.locator('summary').first().click();
    expect(await call.textContent()).not.toMatch(/@e\d/);
  });

  test('lets a person approve all of a kind for the rest of the run', async ({ page }) => {
    await begin(page, 'Buy a mug');
    await untilAsked(page, 'Tidewater');
    await answer(page, allOfKind(page));
    await allowed(page)
      .getByText(/^click on/)
      .waitFor();
    const asked = await untilAsked(page, 'Confirm card');
    expect(asked).toContain('Click button "Add to cart" · may send');
    expect(asked.filter(words => /^Click (?:link|radio)/.test(words) && !words.includes(' · may'))).toEqual([]);
  });

  test('is the same for a run of the browser agent', async ({ page }) => {
    await RunPage.open(page);
    await begin(page, 'Buy a mug');
    await untilAsked(page, 'Tidewater');
    await answer(page, allOfKind(page));
    await allowed(page)
      .getByText(/^click on/)
      .waitFor();
    expect(await untilAsked(page, 'Confirm card')).toEqual([
      'Click button "Add to cart" · may send',
      'Choose "Norway" in combobox "Country"',
      'Fill in 5 fields',
      'Fill in 4 fields, then press button "Confirm card" · may send · may pay',
    ]);
    expect(await decision(page).locator('.call-lines > li').allTextContents()).toEqual(PAYMENT);
    await expect.poll(() => outlines(page).count()).toBe(5);
    await decision(page).getByRole('button', { name: 'Expiry date' }).focus();
    await expect.poll(() => outlines(page).and(page.locator('[data-current]')).count()).toBe(1);
    await allowed(page)
      .getByRole('button', { name: /^Ask again/ })
      .click();
    await allowed(page).waitFor({ state: 'detached' });
    await approve(page).click();
    expect((await untilAsked(page, 'Place order'))[0]).toContain('Place order');
    expect(await page.locator('.tool-call').allInnerTexts()).not.toContainEqual(expect.stringMatching(/[{[]"/));
  });
});
