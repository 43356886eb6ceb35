import { expect, test } from 'vitest';
import { type AgentEvent, toCode } from '../src/index.js';
import { pageOf, stage } from './fixtures.js';
import { type Mind, refOn, says } from './model-server.js';

const VALUE = 'correct-horse-battery';
const { server, shop, agent } = stage({ secrets: { PASSWORD: { value: VALUE, domains: ['127.0.0.1'] } } });

test('a secret reaches the page and nothing else: no prompt, event, history, export or file', async () => {
  const page = `<title>Login</title><label>Password <input id="p" oninput="document.title = this.value; echo.textContent = this.value"></label>
    <button onclick="fetch('/got?' + p.value)">Log in</button><h1 id="echo">nothing</h1>`;
  const got: string[] = [];
  shop.reset({ pages: { '/login': page, '/got': 'ok' } });
  shop.onRequest = path => void got.push(path);
  const mind: Mind = asked => {
    const shown = pageOf(asked);
    if (asked.n === 0) {
      const text = '<secret>PASSWORD</secret>';
      return says(
        [
          { type: { ref: refOn(shown, 'textbox', 'Password'), text } },
          { click: { ref: refOn(shown, 'button', 'Log in') } },
        ],
        {
          memory: `The password is ${text}`,
        },
      );
    }
    if (asked.n === 1) return says([{ extract: { query: 'What does the heading say?' } }]);
    if (asked.system.startsWith('You extract')) return asked.text;
    return says([{ done: { text: 'In', success: true } }]);
  };
  const events: AgentEvent[] = [];
  const run = agent(mind, { vision: false }).run({ task: 'Log in', url: `${shop.url}login` });
  run.onEvent(event => void events.push(event));
  const { history, stopReason } = await run.result;
  expect(stopReason).toBe('done');
  expect(got).toContain(`GET /got`);
  const all = JSON.stringify([
    server.asked,
    events,
    history,
    toCode(history, { as: 'playwright' }),
    toCode(history, { as: 'mastra' }),
  ]);
  expect(all).not.toContain(VALUE);
  expect(all).toContain('<secret>PASSWORD</secret>');
});
