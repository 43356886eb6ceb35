import { describe, expect, test } from 'vitest';
import { z } from 'zod/v4';
import { defineAction, toCode, toWorkflow } from '../src/index.js';
import { exportRunner } from './exported.js';
import { pageOf, purchaseRecorder, stage } from './fixtures.js';
import { type Mind, refOn, says } from './model-server.js';

const PASSWORD = 'correct-horse';
const scene = stage({ secrets: { PASSWORD: { value: PASSWORD, domains: ['127.0.0.1'] } } });
const { shop, browser, agent } = scene;
const exports = exportRunner();

describe('a recorded task', () => {
  test('with a secret, a search, another tab and a dialog runs as source too, and as a workflow with own actions', async () => {
    const pages = {
      '/start': `<title>Start</title><label>Password <input oninput="fetch('/got-' + this.value, { keepalive: true })"></label>`,
      '/find': '<title>Found</title><a href="/two" target="_blank">Two</a>',
      '/two': '<title>Two</title><button onclick="if (confirm(`Sure?`)) fetch(`/sent`)">Send</button>',
    };
    shop.reset({ pages });
    const noted: string[] = [];
    const note = defineAction({
      name: 'note',
      description: 'Note it',
      input: z.object({}),
      run: async () => String(noted.push('note')),
    });
    const mind: Mind = asked => {
      const shown = pageOf(asked);
      const steps = [
        () => [
          { type: { ref: refOn(shown, 'textbox', 'Password'), text: '<secret>PASSWORD</secret>' } },
          { search: { query: 'red & blue' } },
        ],
        () => [{ click: { ref: refOn(shown, 'link', 'Two') } }],
        () => [{ tabs: { action: 'switch', tab: 't2' } }],
        () => [{ click: { ref: refOn(shown, 'button', 'Send') } }],
        () => [{ dialog: { action: 'accept' } }],
        () => [{ note: {} }, { done: { text: '', success: true } }],
      ];
      return says(steps[asked.n]?.() ?? []);
    };
    const one = agent(mind, { searchUrl: `${shop.url}find?q=%s`, actions: [note] });
    const { history, success } = await one.run({ task: 'x', url: `${shop.url}start` }).result;
    expect(success).toBe(true);
    const requests: string[] = [];
    shop.onRequest = path => void requests.push(path);
    const all = [`GET /got-${PASSWORD}`, 'GET /find', 'GET /two', 'GET /sent'];
    const sent = async (): Promise<void> => {
      await expect.poll(() => requests).toEqual(expect.arrayContaining(all));
      requests.length = 0;
    };

    const workflow = toWorkflow(history, { browser, actions: [note] });
    expect((await (await workflow.createRun()).start({ inputData: {} as never })).status).toBe('success');
    expect(noted).toHaveLength(2);
    await sent();

    for (const as of ['playwright', 'mastra'] as const)
      expect(() => toCode(history, { as })).toThrow(/^Step 6: .*note/);
    const [, ...withoutNote] = history.steps.toReversed();
    const exported = { ...history, steps: withoutNote.toReversed() };
    try {
      process.env.PASSWORD = PASSWORD;
      await exports.playwright(exported);
      await sent();
      expect(await exports.mastra(exported, browser)).toBe('success');
      await sent();
    } finally {
      delete process.env.PASSWORD;
      shop.onRequest = () => undefined;
    }
  });

  test('is no source of another kind', async () => {
    const history = { version: 1, runId: 'r', threadId: 't', task: 'x', steps: [] } as const;
    expect(() => toCode({ ...history, steps: [] }, { as: 'pyton' as never })).toThrow(
      /as must be 'mastra' or 'playwright', not "pyton"/,
    );
  });

  test('is source that runs, for Playwright and for Mastra', async () => {
    const history = await purchaseRecorder(scene)();
    await exports.playwright(history, { email: 'pw@example.com' });
    expect(await exports.mastra(history, browser, { email: 'mastra@example.com' })).toBe('success');
    expect(shop.orders.map(({ email }) => email)).toEqual(['pw@example.com', 'mastra@example.com']);
    // Of two that are alike none is taken where there was one.
    shop.reset({ goods: ['Red mug', 'Red mug'].map(name => [name, '$9.50']) });
    expect([await exports.mastra(history, browser), shop.cart]).toEqual(['failed', []]);
  });
});
