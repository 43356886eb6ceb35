import { describe, expect } from 'vitest';
import { startModelService } from '../demo/model-service.js';
import { Running } from '../demo/running.js';
import { openPage, test } from './fixtures.js';

describe('with a model', () => {
  test('a real agent answers, and nothing is said of scripts', async ({ playground }) => {
    await using service = await startModelService([
      { text: 'I go there.', call: { name: 'browser_navigate', arguments: { url: `${playground.demoUrl}/terms` } } },
      { text: 'They are taken for **sixty days**.' },
    ]);
    const running = new Running([], {
      PORT: '0',
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

  test('what the model refuses is shown', async ({ playground }) => {
    await using service = await startModelService([]);
    const running = new Running([], {
      PORT: '0',
      MODEL: 'groq/llama-3.3-70b-versatile',
      GROQ_API_KEY: 'for-tests',
      GROQ_BASE_URL: service.url,
    });
    try {
      const [url = ''] = await running.printed(/http:\/\/127\.0\.0\.1:\d+/);
      expect(url).not.toBe(playground.url);
      await using page = await openPage(url);
      await page.getByRole('textbox', { name: 'Message to the agent' }).fill('Anything');
      await page.keyboard.press('Enter');
      await page.getByRole('alert').getByText('No more answers.').waitFor();
      await page.getByRole('button', { name: 'Send', exact: true }).waitFor();
    } finally {
      running.interrupt();
      await running.ended();
    }
  });
});
