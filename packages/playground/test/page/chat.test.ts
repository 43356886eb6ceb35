import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { answerInLiveView } from './answer-in-live-view.js';
import { test } from './fixtures.js';

const card = (page: Page, title: string) => page.getByRole('main').getByRole('button', { name: title });
const calls = (page: Page, tool: string) => page.locator(`.tool-call[data-tool="${tool}"]`);
const conversation = (page: Page) => page.getByRole('list', { name: 'Conversation' });

describe('the chat', () => {
  test('says plainly that no model is configured', async ({ page }) => {
    expect(await page.getByRole('note').textContent()).toContain('No model: a script decides');
  });

  test('shows a task being done: words, calls with their effects and pictures, and the answer', async ({ page }) => {
    await card(page, 'Buy a mug').click();
    await calls(page, 'browser_navigate').getByText('went to').waitFor();
    await conversation(page)
      .getByText(/Done\. The order number is HO-\d+/)
      .waitFor();

    expect(await calls(page, 'browser_click').count()).toBeGreaterThan(5);
    // What calls did comes by another way than what the agent says.
    await expect.poll(() => calls(page, 'browser_click').getByText('downloaded').count()).toBe(1);
    const given = await page.locator('.tool-call .gist').allTextContents();
    expect(given.join('\n')).toContain('button "Place order"');
    expect(given.filter(text => text.includes('ref="@e'))).toEqual([]);
    const picture = calls(page, 'browser_navigate').getByRole('img', { name: 'The page after this action' });
    await picture.scrollIntoViewIfNeeded();
    await picture.evaluate((image: HTMLImageElement) => image.decode());

    const type = calls(page, 'browser_type').first();
    await type.locator('summary').first().click();
    expect(await type.textContent()).toContain('What the model reads');
    expect(await type.locator('.model-text').textContent()).toContain('mug');
  });

  test('lets a person answer the agent with a button', async ({ page }) => {
    await card(page, 'Ask me which mug').click();
    await conversation(page).getByText('Which mug shall I put into the cart?', { exact: true }).waitFor();
    await page.locator('.decision').getByRole('button', { name: 'Ember mug' }).click();
    await conversation(page).getByText('Done: 1 × Ember mug added to your cart.').waitFor();
    await conversation(page).getByText('You said: Ember mug').waitFor();
    await page.reload();
    await conversation(page).getByText('You said: Ember mug').waitFor();
  });

  test('tells what a person did in the browser, in the words that the agent is told', async ({ page, playground }) => {
    await card(page, 'Ask me which mug').click();
    await page.locator('.decision').waitFor();
    const browser = page.getByRole('region', { name: 'Browser' });
    await browser.getByRole('button', { name: 'Take control' }).click();
    await browser.getByText('You are in control').waitFor();
    await browser.getByPlaceholder('Enter an address').fill(`${playground.demoUrl}/terms`);
    await page.keyboard.press('Enter');
    await browser.getByRole('tab', { name: /^Terms of sale/ }).waitFor();
    await browser.getByRole('button', { name: 'Hand back' }).click();
    await page.locator('.decision').getByRole('button', { name: 'Ember mug' }).click();
    const did = `went from ${playground.demoUrl}/?search=mug to ${playground.demoUrl}/terms`;
    const told = calls(page, 'ask_user').locator('.person-actions');
    await expect.poll(() => told.textContent()).toBe(`You${did}`);
    const agentRead = calls(page, 'ask_user').locator('.call-details');
    expect(await agentRead.textContent()).toContain(`While a person had control, they:  ${did}`);

    await page.reload();
    await expect.poll(() => told.textContent()).toBe(`You${did}`);
    await page.setViewportSize({ width: 420, height: 800 });
    const who = (await told.locator('strong').boundingBox()) ?? expect.fail('it says who');
    expect(who.width).toBeGreaterThan(who.height);
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.getByRole('tab', { name: /^Timeline/ }).click();
    await page
      .getByRole('tabpanel', { name: /^Timeline/ })
      .getByText(did)
      .waitFor();
  });

  test('takes an answer in a person’s own words', async ({ page }) => {
    await card(page, 'Ask me which mug').click();
    await page.getByRole('main').getByRole('textbox', { name: 'Your answer' }).fill('The Kelp espresso mug, please');
    await page.keyboard.press('Enter');
    await conversation(page).getByText('Done: 1 × Kelp espresso mug added to your cart.').waitFor();
  });

  test('asks in one place, and goes on when a viewer of the live view has answered elsewhere', async ({ page }) => {
    await card(page, 'Ask me which mug').click();
    await page.locator('.decision').waitFor();
    await page.getByRole('region', { name: 'Browser' }).getByText('Live', { exact: true }).waitFor();
    expect(await page.getByRole('button', { name: 'Ember mug' }).count()).toBe(1);
    await answerInLiveView(page, 'Ember mug');
    await conversation(page).getByText('Done: 1 × Ember mug added to your cart.').waitFor();
  });

  test('stops when nobody wants to answer', async ({ page }) => {
    await card(page, 'Ask me which mug').click();
    await page.getByRole('button', { name: 'Skip question' }).click();
    await conversation(page)
      .getByText(/^I stop here/)
      .waitFor();
  });

  test('still waits with its question after a reload', async ({ page }) => {
    await card(page, 'Ask me which mug').click();
    await page.locator('.decision').waitFor();
    await page.reload();
    await page.locator('.decision').getByRole('button', { name: 'Tidewater mug' }).click();
    await conversation(page).getByText('Done: 1 × Tidewater mug added to your cart.').waitFor();
  });

  test('asks before each action when it is told to', async ({ page, playground }) => {
    await page.getByRole('checkbox', { name: 'Ask before each action' }).check();
    const message = page.getByRole('textbox', { name: 'Message to the agent' });
    await message.fill(`Read the terms at ${playground.demoUrl}`);
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Approve' }).click();
    await calls(page, 'browser_navigate').getByRole('img', { name: 'Done' }).waitFor();
    await page.getByRole('button', { name: 'Decline' }).click();
    await page.locator('.tool-call').getByRole('img', { name: 'Declined' }).waitFor();
    await conversation(page).getByText('I stop here: the last step failed.').waitFor();
    await page.getByText('The agent waits').waitFor({ state: 'detached' });
  });

  test('says in words what waits for approval and where, and takes words for a reason to decline', async ({ page }) => {
    await page.getByRole('checkbox', { name: 'Ask before each action' }).check();
    await card(page, 'Buy a mug').click();
    await page.locator('.decision').getByText('Open http://').waitFor();
    await page.getByRole('button', { name: 'Approve' }).click();
    await page
      .locator('.decision')
      .getByText(/^Type "mug" into searchbox "Search products" on 127\.0\.0\.1/)
      .waitFor();
    await page.locator('.bt-highlight[data-phase="waiting"]').getByText('Waits for your approval').waitFor();
    expect(await page.title()).toMatch(/^Waits for your approval · Buy one Tidewater mug/);
    await page.getByRole('main').getByRole('textbox', { name: 'Why not' }).fill('Look for tea instead');
    await page.keyboard.press('Enter');
    await conversation(page).getByText('You said: Look for tea instead').waitFor();
    await conversation(page).getByText('I stop here: the last step failed.').waitFor();
    await page.locator('.bt-highlight[data-phase="waiting"]').waitFor({ state: 'detached' });
  });

  test('stops while an approved call is under way, and asks for nothing after a reload', async ({ page }) => {
    await page.getByRole('checkbox', { name: 'Ask before each action' }).check();
    await card(page, 'Buy a mug').click();
    await page.getByRole('button', { name: 'Approve' }).click();
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.getByRole('button', { name: 'Send', exact: true }).waitFor();
    await page.reload();
    await conversation(page).getByText('Buy one Tidewater mug').waitFor();
    expect(await page.locator('.decision').count()).toBe(0);
  });

  test('stops while it waits, with a question or for approval', async ({ page }) => {
    const main = page.getByRole('main');
    for (const [title, asks] of [
      ['Ask me which mug', false],
      ['Buy a mug', true],
    ] as const) {
      await page.getByRole('checkbox', { name: 'Ask before each action' }).setChecked(asks);
      await card(page, title).click();
      await page.locator('.decision').waitFor();
      await main.getByRole('button', { name: 'Stop' }).click();
      await main.getByRole('button', { name: 'Send', exact: true }).waitFor();
      expect(await page.locator('.decision').count()).toBe(0);
      await page.getByRole('button', { name: 'New thread' }).click();
    }
  });

  test('stops at once', async ({ page }) => {
    await card(page, 'Buy a mug').click();
    await calls(page, 'browser_navigate').getByText('went to').waitFor();
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.getByRole('button', { name: 'Send', exact: true }).waitFor();
    expect(await conversation(page).getByText('The order number is').count()).toBe(0);
    await page.getByText('Stopped by you.', { exact: true }).waitFor();

    await page.reload();
    await page.getByText('Stopped by you.', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Resume' }).click();
    await page.getByText('Stopped by you.', { exact: true }).waitFor({ state: 'detached' });
    await conversation(page)
      .getByText(/^Done\. The order number is/)
      .waitFor();
  });

  test('says when it has no script for a message', async ({ page }) => {
    await page.getByRole('textbox', { name: 'Message to the agent' }).fill('Book a flight to Oslo');
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await conversation(page).getByText('I know the suggested tasks.').waitFor();
  });
});

describe('threads', () => {
  test('keep their messages, also after a reload', async ({ page }) => {
    const message = page.getByRole('textbox', { name: 'Message to the agent' });
    await message.fill('First words');
    await page.keyboard.press('Enter');
    await conversation(page).getByText('I know the suggested tasks.').waitFor();
    await page.getByRole('button', { name: 'New thread' }).click();
    await page.getByText('What should Scripted shopper do?').waitFor();
    await message.fill('Second words');
    await page.keyboard.press('Enter');
    await conversation(page).getByText('Second words').waitFor();

    await page.getByRole('link', { name: /^First words/ }).click();
    await conversation(page).getByText('First words').waitFor();
    expect(await conversation(page).getByText('Second words').count()).toBe(0);
    await page.reload();
    await conversation(page).getByText('First words').waitFor();
  });

  test('are marked in other windows as soon as they wait, and no longer', async ({ page, context, playground }) => {
    await page.getByRole('checkbox', { name: 'Ask before each action' }).check();
    await card(page, 'Read the terms').click();
    await page.getByRole('button', { name: 'Approve' }).waitFor();
    const other = await context.newPage();
    await other.goto(playground.url);
    const row = other.locator('.thread-row').filter({ hasText: 'How long does the shop' });
    const mark = row.getByText('Waits for your approval');
    await mark.waitFor();
    await page.getByRole('button', { name: 'Decline' }).click();
    await mark.waitFor({ state: 'detached' });
    await row.waitFor();

    const composer = page.getByRole('main');
    await composer.getByRole('button', { name: 'Ask me which mug' }).click();
    await mark.waitFor();
    await page.getByRole('button', { name: 'Stop' }).click();
    await mark.waitFor({ state: 'detached' });
  });

  test('can be deleted', async ({ page }) => {
    await page.getByRole('textbox', { name: 'Message to the agent' }).fill('Not for long');
    await page.keyboard.press('Enter');
    await conversation(page).getByText('I know the suggested tasks.').waitFor();
    await page.getByRole('link', { name: /^Not for long/ }).hover();
    await page.getByRole('button', { name: 'Delete Not for long' }).click();
    await page.getByText('What should Scripted shopper do?').waitFor();
    await page.getByRole('link', { name: /^Not for long/ }).waitFor({ state: 'detached' });
  });
});
