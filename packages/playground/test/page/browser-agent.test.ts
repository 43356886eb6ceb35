import { describe, expect } from 'vitest';
import { answerInLiveView } from './answer-in-live-view.js';
import { test } from './fixtures.js';
import { RunPage } from './run-page.js';

describe('a run of the browser agent', () => {
  test('shows each step, the plan and how it ended', async ({ page }) => {
    const run = await RunPage.open(page);
    expect(await page.getByRole('note').textContent()).toContain('No model: a script decides');
    await run.begin('Buy a mug');
    await run.page.getByText('The agent is working.').waitFor();
    await run.ending.getByText(/Done\. The order number is HO-\d+/).waitFor();
    expect(await run.ending.textContent()).toMatch(/^Done *done.*15 steps.*tokens/s);

    const click = run.step(3);
    const text = await click.textContent();
    expect(text).toMatch(/Success/);
    expect(text).toContain('The Tidewater mug is the one.');
    expect(text).toContain('Step 3 of 15 of the script');
    expect(text).toMatch(/[\d,]+ tok/);
    expect(text).toContain('Clicked link "Tidewater mug"');
    const picture = click.getByRole('img', { name: 'The page after step 3' });
    await picture.scrollIntoViewIfNeeded();
    expect(
      await picture.evaluate(async (image: HTMLImageElement) => {
        await image.decode();
        return image.naturalWidth;
      }),
    ).toBeGreaterThan(300);
    await click.locator('summary').first().click();
    await click.getByText('"@e').first().waitFor();

    await page.getByText('Plan: 15 of 15 done').click();
    expect(await page.getByRole('list', { name: 'Plan' }).getByRole('img', { name: 'Done' }).count()).toBe(15);
    await run.history
      .getByText(/done · 15 steps/)
      .first()
      .waitFor();
  });

  test('says plainly that it has no script for a task', async ({ page }) => {
    const run = await RunPage.open(page);
    await page.getByRole('textbox', { name: 'Message to the agent' }).fill('Book a flight to Oslo');
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await run.ending.getByText('Not done').waitFor();
    await run.ending.getByText('No model is configured', { exact: false }).waitFor();
  });

  test('goes on in the same browser with the next task', async ({ page }) => {
    const run = await RunPage.open(page);
    await run.beginToAsk();
    await run.answer('Ember mug');
    await page.getByRole('button', { name: 'Ask me which mug' }).click();
    await run.answer('Tidewater mug');
    expect(await run.history.getByRole('link').count()).toBeGreaterThanOrEqual(2);
    const panel = page.getByRole('region', { name: 'Browser' });
    await panel.getByText('Live', { exact: true }).waitFor();
  });
});

describe('a person at a run', () => {
  test('approves, pauses, says something, lets it go on and declines', async ({ page }) => {
    const run = await RunPage.open(page);
    await page.getByRole('checkbox', { name: 'Ask before each action' }).check();
    await run.begin('Buy a mug');
    await run.steering.getByText('Type "mug" into searchbox "Search products"').waitFor();
    await run.steering.getByRole('button', { name: 'Pause' }).click();
    await run.steering.getByText('Pausing after this step.').waitFor();
    await run.steering.getByRole('textbox', { name: 'Say something to the agent' }).fill('Take the blue one');
    await page.keyboard.press('Enter');
    await run.steering.getByText('The agent reads this at its next step: “Take the blue one”').waitFor();
    await run.steering.getByRole('button', { name: 'Approve' }).click();
    await run.steering.getByText('Paused.').waitFor();
    await run.step(1).getByText('The field holds "mug"').waitFor();
    expect(await run.step(2).count()).toBe(0);

    await run.steering.getByRole('button', { name: 'Resume' }).click();
    await run.step(2).getByText('You said Take the blue one').waitFor();
    await run.step(2).getByText('You said: “Take the blue one”; a script cannot heed it').waitFor();
    await run.steering.getByRole('button', { name: 'Decline' }).click();
    await run.step(2).getByText('The user did not approve this action. Nothing was done.').waitFor();
    await run.step(2).getByRole('img', { name: 'Failed' }).waitFor();
    await run.step(3).getByText('Failed', { exact: true }).waitFor();
    await run.ending.getByText('Not done').waitFor();
  });

  test('stops it, also while it waits', async ({ page, playground }) => {
    const run = await RunPage.showAsking(page, playground);
    await run.steering.getByRole('button', { name: 'Stop' }).click();
    await run.ending.getByText('The run was stopped.').waitFor();
    await page.getByRole('textbox', { name: 'Message to the agent' }).waitFor();
    await run.history
      .getByText(/· stopped ·/)
      .first()
      .waitFor();
    expect(await page.getByRole('button', { name: 'Ember mug' }).count()).toBe(0);
  });

  test('finds it as it is after a reload, and answers then', async ({ page }) => {
    const run = await RunPage.open(page);
    await run.beginToAsk();
    await page.reload();
    await run.step(3).getByText('I look at what there is.').waitFor();
    await page.getByText('The agent waits for your answer.').waitFor();
    await run.answer('Kelp espresso mug');
  });

  test('answers in their own words', async ({ page, playground }) => {
    const run = await RunPage.showAsking(page, playground);
    await run.steering.getByRole('textbox', { name: 'Your answer' }).fill('The Kelp espresso mug, please');
    await page.keyboard.press('Enter');
    await run.ending.getByText('Done: 1 × Kelp espresso mug added to your cart.').waitFor();
  });

  test('is asked in one place, and may answer in a live view elsewhere', async ({ page, playground }) => {
    const run = await RunPage.showAsking(page, playground);
    await page.getByRole('region', { name: 'Browser' }).getByText('Live', { exact: true }).waitFor();
    expect(await page.getByRole('button', { name: 'Ember mug' }).count()).toBe(1);
    await answerInLiveView(page, 'Ember mug');
    await run.ending.getByText('Done: 1 × Ember mug added to your cart.').waitFor();
  });

  test('can do so on a small screen', async ({ page, playground }) => {
    await page.setViewportSize({ width: 390, height: 844 });
    const run = await RunPage.showAsking(page, playground);
    for (const name of ['Ember mug', 'Pause', 'Stop', 'Say', 'Answer']) {
      const box = await run.steering.getByRole('button', { name, exact: true }).boundingBox();
      expect({ name, right: (box?.x ?? 999) + (box?.width ?? 0) <= 390 }).toEqual({ name, right: true });
    }
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
    await run.answer('Ember mug');
    await page.getByRole('tab', { name: 'Rerun' }).click();
    await run.rerun.getByRole('button', { name: 'Rerun' }).click({ trial: true });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  });
});
