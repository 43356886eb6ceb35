import type { Locator, Page } from 'playwright-core';
import { describe, expect, onTestFinished } from 'vitest';
import { newContext } from '../../../playground-ui/test/chromium.js';
import { BROWSER_AGENT_ID } from '../../src/server/browser-agent/browser-runs.js';
import type { Playground } from '../../src/server/playground.js';
import { formatRoute } from '../../web/layout/route.js';
import { test } from './fixtures.js';
import { RunPage } from './run-page.js';

/** CSS pixels: the least side of what a finger presses (WCAG 2.2, 2.5.8). */
const FINGER = 24;
const PHONE = { width: 420, height: 800 };

const card = (page: Page, title: string) => page.getByRole('main').getByRole('button', { name: title });
const view = (page: Page, name: 'Chat' | 'Browser' | 'Threads') =>
  page.getByRole('tablist', { name: 'Views' }).getByRole('tab', { name });
const composer = (page: Page) => page.getByRole('textbox', { name: 'Message to the agent' });

/** The playground on a phone, with an empty thread. */
async function onPhone({ url }: Playground): Promise<Page> {
  const context = await newContext({ viewport: PHONE, hasTouch: true, isMobile: true });
  onTestFinished(() => context.close());
  const page = await context.newPage();
  await page.goto(url);
  return page;
}

/** Taps what is in sight, as it is, and large enough for a finger. */
async function tap(target: Locator): Promise<void> {
  await target.waitFor();
  const { width, height, y } = (await target.boundingBox()) ?? expect.fail(`not in sight: ${target}`);
  const facts = { target: `${target}`, isLarge: Math.min(width, height) >= FINGER };
  expect({ ...facts, isInSight: y >= 0 && y + height <= PHONE.height }).toEqual({
    target: `${target}`,
    isLarge: true,
    isInSight: true,
  });
  await target.tap();
}

/** Keeps requests waiting until it is told to let them go. */
async function held(page: Page, url: string): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route(url, async route => {
    await promise;
    await route.continue();
  });
  return resolve;
}

/** The text or accessible name of what has the focus. */
const focused = (page: Page) =>
  page.evaluate(() => {
    const { activeElement: element } = document;
    const { labels } = element as HTMLInputElement;
    return labels?.[0]?.textContent ?? element?.getAttribute('aria-label') ?? element?.textContent;
  });

describe('on a phone', () => {
  test('a task is done in tabs, with a finger', async ({ playground }) => {
    const page = await onPhone(playground);
    const isSidewaysFree = async () => {
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(PHONE.width);
    };
    await composer(page).waitFor();
    await isSidewaysFree();
    await tap(card(page, 'Ask me which mug'));
    await tap(view(page, 'Browser'));
    await page.getByRole('region', { name: 'Browser' }).getByText('Live', { exact: true }).waitFor();
    expect(await page.getByRole('list', { name: 'Conversation' }).isVisible()).toBe(false);
    await isSidewaysFree();
    await view(page, 'Chat').getByRole('img', { name: 'waiting for you' }).waitFor();
    await tap(view(page, 'Threads'));
    const thread = page.getByRole('link', { name: /^Look for mugs/ });
    await thread.waitFor();
    await isSidewaysFree();
    await tap(thread);
    expect(await view(page, 'Chat').getByRole('img', { name: 'waiting for you' }).count()).toBe(0);
    await tap(page.locator('.decision').getByRole('button', { name: 'Ember mug' }));
    await page.getByText('Done: 1 × Ember mug added to your cart.').waitFor();
    const box = (await composer(page).boundingBox()) ?? expect.fail('the composer is in sight');
    expect(box.y + box.height).toBeLessThanOrEqual(PHONE.height);
    await isSidewaysFree();
  });

  test('tabs go by arrows, and what they hold lives on in a window that grows', async ({ page }) => {
    await page.setViewportSize(PHONE);
    await page.reload();
    await composer(page).fill('Half a sentence');
    await view(page, 'Chat').focus();
    await page.keyboard.press('ArrowRight');
    expect(await view(page, 'Browser').getAttribute('aria-selected')).toBe('true');
    expect(await composer(page).count()).toBe(0);
    await page.setViewportSize({ width: 800, height: 700 });
    await page.getByRole('tablist', { name: 'Views' }).waitFor({ state: 'detached' });
    expect(await composer(page).inputValue()).toBe('Half a sentence');
    // They are sized by the window that there is, not by the one that there was.
    expect((await page.getByRole('complementary').locator('.right').boundingBox())?.width).toBeGreaterThanOrEqual(300);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(800);
  });
});

describe('the first stop of the Tab key', () => {
  for (const width of [1440, PHONE.width])
    test(`leads to the chat in ${width} pixels`, async ({ page }) => {
      await page.setViewportSize({ width, height: 800 });
      await composer(page).waitFor();
      if (width === PHONE.width) await view(page, 'Threads').click();
      const address = page.url();
      if (width === PHONE.width) await page.keyboard.press('Shift+Tab');
      else await page.keyboard.press('Tab');
      const link = page.getByRole('link', { name: 'Skip to the chat' });
      expect(await focused(page)).toBe('Skip to the chat');
      expect(await link.evaluate(element => getComputedStyle(element).clipPath)).toBe('none');
      await page.keyboard.press('Enter');
      expect(await page.evaluate('document.activeElement.id')).toBe('panel-Chat');
      expect(page.url()).toBe(address);
      await page.keyboard.press('Tab');
      expect(await focused(page)).toMatch(/^Buy a mug/);
    });
});

describe('the focus', () => {
  test('goes to where a person writes: after a card, a chip, and a thread of the list', async ({ page }) => {
    await card(page, 'Ask me which mug').click();
    await page.locator('.decision').getByRole('button', { name: 'Ember mug' }).waitFor();
    expect(await focused(page)).toBe('Your answer');
    const thread = page.locator(`a[href="${new URL(page.url()).hash}"]`);
    await page.locator('.decision').getByRole('button', { name: 'Ember mug' }).click();
    await page.getByText('Done: 1 × Ember mug added to your cart.').waitFor();
    await page.getByRole('button', { name: 'New thread' }).click();
    await page.getByText('What should Scripted shopper do?').waitFor();
    expect(await focused(page)).toBe('Message to the agent');
    await thread.click();
    await page.getByText('Done: 1 × Ember mug added to your cart.').waitFor();
    expect(await focused(page)).toBe('Message to the agent');
    await card(page, 'Read the terms').click();
    await page.getByText('The tab is closed, and the shop is open again.').waitFor();
    expect(await focused(page)).toBe('Message to the agent');
  });

  test('goes along when a run puts another field in the composer’s place', async ({ page }) => {
    const run = await RunPage.open(page);
    expect(await focused(page)).toBe('Message to the agent');
    await run.beginToAsk();
    expect(await focused(page)).toBe('Say something to the agent');
  });

  test('stays with who types elsewhere meanwhile', async ({ page }) => {
    // The run begins once the person is elsewhere.
    const begin = await held(page, '**/playground/runs');
    const run = await RunPage.open(page);
    await run.begin('Ask me which mug');
    await page.getByRole('tab', { name: 'Tools' }).click();
    const field = page.getByRole('form').getByRole('textbox').first();
    await field.fill('Half a word');
    begin();
    await run.steering.getByRole('button', { name: 'Ember mug' }).waitFor();
    expect(await field.evaluate(element => element === document.activeElement)).toBe(true);
    expect(new URL(page.url()).hash).toContain(BROWSER_AGENT_ID);
  });
});

describe('an address without a thread', () => {
  test('gets a new one, but not in place of what is opened while the page begins', async ({ page, playground }) => {
    const asked = formatRoute({ agentId: BROWSER_AGENT_ID, threadId: 'kept' });
    await page.addInitScript(setAddressBeforeItIsHeard, asked);
    await page.goto('about:blank');
    await page.goto(playground.url);
    await page.getByText('What should Browser agent do?').waitFor();
    expect(new URL(page.url()).hash).toBe(asked);
  });
});

/** Changes the page's fragment when the page has read it, and before it listens for changes. */
function setAddressBeforeItIsHeard(fragment: string): void {
  const listen = window.addEventListener;
  window.addEventListener = (...args: Parameters<typeof listen>) => {
    if (args[0] === 'hashchange' && window.location.hash === '') window.location.hash = fragment;
    listen(...args);
  };
}

describe('before the script runs', () => {
  test('the page to come is sketched, and the sketch goes', async ({ page }) => {
    const skeleton = page.locator('.skeleton');
    await composer(page).waitFor();
    expect(await skeleton.isVisible()).toBe(false);
    const answer = await held(page, '**/assets/*.js');
    await page.reload({ waitUntil: 'commit' });
    await skeleton.waitFor();
    expect(await page.locator('#root').innerHTML()).toBe('');
    expect(await skeleton.getByRole('main').boundingBox()).toMatchObject({ height: 900 });
    answer();
    await composer(page).waitFor();
    expect(await skeleton.isVisible()).toBe(false);
  });

  test('it stays while the server has not said what there is', async ({ page }) => {
    const answer = await held(page, '**/playground/state');
    const asked = page.waitForRequest('**/playground/state');
    await page.reload({ waitUntil: 'commit' });
    await asked;
    expect(await page.locator('.skeleton').isVisible()).toBe(true);
    answer();
    await composer(page).waitFor();
    expect(await page.locator('.skeleton').isVisible()).toBe(false);
  });
});
