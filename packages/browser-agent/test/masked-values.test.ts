import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { detectVariables, loadHistory, type RerunStep, toCode, toWorkflow } from '../src/index.js';
import { pageOf, stage } from './fixtures.js';
import { type Mind, refOn, says } from './model-server.js';

const CODE = '737';
const { shop, browser, agent } = stage();

const card = (code: string) => `<title>Pay</title><label>Card <input id="card"></label>${code}
  <button onclick="fetch('/paid?' + card.value + '-' + code.value)">Pay</button>`;
const masked = '<label>Security code <input id="code" type="password"></label>';
const later = '<label>Security code <input id="code" onfocus="type = \'password\'"></label>';
const dotted = '<label>Security code <input id="code" style="-webkit-text-security: disc"></label>';

/** How a model may put the code in, by the refs of the card and the code. */
const ways: Record<string, { page: string; actions(card: string, code: string): Record<string, unknown>[] }> = {
  'typed into a password field': {
    page: card(masked),
    actions: (number, code) => [{ type: { ref: number, text: '4111' } }, { type: { ref: code, text: CODE } }],
  },
  'filled in with a form': {
    page: card(dotted),
    actions: (number, code) => [
      {
        fill_form: {
          fields: [
            { ref: number, value: '4111' },
            { ref: code, value: CODE },
          ],
        },
      },
    ],
  },
  'typed into a field that masks it once it has the focus': {
    page: card(later),
    actions: (number, code) => [{ type: { ref: number, text: '4111' } }, { type: { ref: code, text: CODE } }],
  },
  'pressed key by key': {
    page: card(masked),
    actions: (number, code) => [{ type: { ref: number, text: '4111' } }, { press: { ref: code, keys: [...CODE] } }],
  },
};

test.each(Object.entries(ways))('a code that is %s stands in no record, and a rerun needs it', async (how, way) => {
  const folder = await mkdtemp(join(tmpdir(), 'masked-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const got: string[] = [];
  shop.reset({ pages: { '/start': way.page, '/paid': 'ok' } });
  shop.onRequest = path => void got.push(path);
  const mind: Mind = asked => {
    const shown = pageOf(asked);
    if (asked.n > 0) return says([{ done: { text: `Paid with the code ${CODE}.`, success: true } }]);
    const pay = { click: { ref: refOn(shown, 'button', 'Pay') } };
    const actions = way.actions(refOn(shown, 'textbox', 'Card'), refOn(shown, 'textbox', 'Security code'));
    return says([...actions, pay], { memory: `The code is ${CODE}.`, next_goal: `Pay with ${CODE}` });
  };
  const historyFile = join(folder, 'history.json');
  const task = `Pay with card 4111, code ${CODE}`;
  const run = agent(mind).run({ task, url: `${shop.url}start`, historyFile });
  const { history, success } = await run.result;
  expect(success).toBe(true);
  await expect.poll(() => got).toContain(`GET /paid`);
  const kept = await loadHistory(historyFile);
  const records = [
    await readFile(historyFile, 'utf8'),
    JSON.stringify(history),
    toCode(kept, { as: 'mastra' }),
    toCode(kept, { as: 'playwright' }),
    JSON.stringify(detectVariables(kept)),
  ];
  for (const record of records) {
    expect(record).not.toMatch(/(?<!\d)737(?!\d)/);
    expect(record).toContain('4111');
  }
  const needed = Object.values(detectVariables(kept)).filter(({ value }) => value === undefined);
  expect(needed.map(({ name }) => name)).toEqual(
    how === 'pressed key by key' ? ['security_code', 'security_code_2', 'security_code_3'] : ['security_code'],
  );
  const [mastra = '', playwright = ''] = records.slice(2);
  expect(mastra).toContain('  security_code: z.string(),');
  expect(mastra).toContain("  card: z.string().default('4111'),");
  expect(playwright).toMatch(/given: Partial<typeof defaults> & \{ security_code: string.* \}\): Promise<void>/);
  const again = agent(() => '');
  await expect(again.rerun(kept)).rejects.toThrow('The history does not hold security_code');
  expect(toWorkflow(kept, { browser, variables: ['card'] }).inputSchema).toMatchObject({
    shape: { security_code: expect.anything() },
  });
  const keys = how === 'pressed key by key' ? [...'808'] : ['808'];
  const variables = Object.fromEntries(needed.map(({ name }, index) => [name, keys[index] ?? '']));
  const steps: RerunStep[] = [];
  const rerun = await again.rerun(kept, { variables, onStep: step => void steps.push(step) });
  expect(rerun.problem).toBe(undefined);
  expect(JSON.stringify([rerun, steps])).not.toMatch(/(?<!\d)808(?!\d)/);
});
