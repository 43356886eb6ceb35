import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished } from 'vitest';
import { chosenModel } from '../../src/demo/model-choice.js';
import { type Playground, startPlayground } from '../../src/server/playground.js';
import { startModelService } from '../demo/model-service.js';
import { Running } from '../demo/running.js';
import { openPage, test } from './fixtures.js';
import { RunPage } from './run-page.js';

/** A folder for runs of the browser agent that goes with the test. */
async function testFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'playground-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** A playground whose model answers at this service. */
async function playgroundOf({ url }: { url: string }): Promise<Playground> {
  const model = chosenModel({ MODEL_URL: url, MODEL: 'for-tests' });
  return startPlayground({ port: 0, model, dataFolder: await testFolder() });
}

describe('with a model', () => {
  test('a real agent answers, and nothing is said of scripts', async ({ playground }) => {
    await using service = await startModelService([
      { text: 'I go there.', call: { name: 'browser_navigate', arguments: { url: `${playground.demoUrl}/terms` } } },
      { text: 'They are taken for **sixty days**.' },
    ]);
    const running = new Running([], {
      PORT: '0',
      PLAYGROUND_DATA: await testFolder(),
      MODEL: 'groq/llama-3.3-70b-versatile',
      GROQ_API_KEY: 'for-tests',
      GROQ_BASE_URL: service.url,
    });
    try {
      const [url = ''] = await running.printed(/http:\/\/127\.0\.0\.1:\d+/);
      await using page = await openPage(url);
      await page.getByText('What should Web agent do?').waitFor();
      expect(await page.getByRole('note').count()).toBe(0);
      await page.getByRole('textbox', { name: 'Message to the agent' }).fill('How long are returns taken?');
      await page.keyboard.press('Enter');
      await page.getByRole('strong').getByText('sixty days').waitFor();
      expect(service.requests[1]).toContain('Terms of sale');
    } finally {
      running.interrupt();
      await running.ended();
    }
  });

  test('what the model refuses is shown', async () => {
    await using service = await startModelService([]);
    await using playground = await playgroundOf(service);
    await using page = await openPage(playground.url);
    await page.getByRole('textbox', { name: 'Message to the agent' }).fill('Anything');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').getByText('No more answers.').waitFor();
    await page.getByRole('button', { name: 'Send', exact: true }).waitFor();
  });

  test('one that cannot be reached is named before anything is asked, and used once it can be', async () => {
    const gone = await startModelService([]);
    await gone[Symbol.asyncDispose]();
    const running = new Running([], {
      PORT: '0',
      PLAYGROUND_DATA: await testFolder(),
      MODEL: 'for-tests',
      MODEL_URL: gone.url,
    });
    try {
      const sentence =
        `The model for-tests at ${gone.url} cannot be reached: nothing answers at that address. ` +
        'Start its server, or correct MODEL_URL.';
      const [url = ''] = await running.printed(/http:\/\/127\.0\.0\.1:\d+/);
      await using page = await openPage(url);
      const banner = page.getByRole('alert').filter({ hasText: sentence });
      await banner.first().waitFor();
      await page.getByRole('button', { name: 'Web agent' }).getByText('Cannot be used').waitFor();
      const message = page.getByRole('textbox', { name: 'Message to the agent' });
      await message.fill('How long are returns taken?');
      await page.keyboard.press('Enter');
      await page.getByText('Not sent: the model cannot be used, as said above.').first().waitFor();
      expect(await message.inputValue()).toBe('How long are returns taken?');

      await page.getByRole('button', { name: 'Browser agent' }).click();
      await message.fill('How long are returns taken?');
      await page.keyboard.press('Enter');
      await page.getByText(`Not started. ${sentence}`).first().waitFor();
      expect(await page.locator('.thread-row').count()).toBe(0);

      await page.getByRole('button', { name: 'Web agent' }).click();
      await using _service = await startModelService([{ text: 'For sixty days.' }], Number(new URL(gone.url).port));
      await page.getByRole('button', { name: 'Check again' }).click();
      await banner.waitFor({ state: 'detached' });
      await message.fill('How long are returns taken?');
      await page.keyboard.press('Enter');
      await page.getByText('For sixty days.').waitFor();
      running.interrupt();
      expect((await running.ended()).stderr).toContain(`✗ ${sentence}\n`);
    } finally {
      running.interrupt();
      await running.ended();
    }
  });

  test('the browser agent asks it, and shows what it thinks', async ({ playground }) => {
    const answer = (words: object, actions: object[]) => ({ text: JSON.stringify({ ...words, actions }) });
    await using service = await startModelService([
      answer(
        {
          thinking: 'The terms say it.',
          evaluation: 'Unknown: nothing was done yet',
          memory: 'Nothing yet',
          plan: '- [ ] Read the terms\n- [ ] Answer',
          nextGoal: 'Open the terms',
        },
        [{ navigate: { url: `${playground.demoUrl}/terms` } }],
      ),
      answer(
        { evaluation: 'Success: they are open', memory: 'Sixty days', progress: 'Read the terms', nextGoal: 'Answer' },
        [{ done: { text: 'They are taken for **sixty days**.', success: true } }],
      ),
    ]);
    await using withModel = await playgroundOf(service);
    await using page = await openPage(withModel.url);
    const run = await RunPage.open(page);
    expect(await page.getByRole('note').count()).toBe(0);
    await page.getByRole('textbox', { name: 'Message to the agent' }).fill('How long are returns taken?');
    await page.keyboard.press('Enter');
    await run.ending.getByRole('strong').getByText('sixty days').waitFor();
    await run.step(1).getByText('Reasoning').click();
    await run.step(1).getByText('The terms say it.').waitFor();
    await run.step(2).getByText('they are open').waitFor();
    await page.getByRole('tab', { name: 'Rerun' }).click();
    await run.rerun.getByRole('checkbox', { name: /^Let the model do a step/ }).waitFor();
    expect(service.requests[1]).toContain('Terms of sale');
  });
});
