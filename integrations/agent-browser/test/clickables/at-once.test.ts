import { expect, test } from 'vitest';
import { expectSuccess, servePages, testToolset } from '../fixtures.js';

const TOOLS = `<div id="tools"><span data-op="zoom">Zoom</span><span data-op="pan">Pan</span></div>
  <script>tools.addEventListener('click', () => {})</script>`;

const site = servePages({
  '/before': '<!doctype html><title>Before</title><h1>Before</h1>',
  '/tools': `<!doctype html><title>Tools</title>${TOOLS}`,
  '/closed': `<!doctype html><title>Closed</title><h1>Closed</h1><div id="host" style="height: 40px"></div><script>
    const root = host.attachShadow({ mode: 'closed' });
    root.innerHTML = '<span>Redeem</span>';
    root.firstChild.addEventListener('click', () => {})</script>`,
});

test('each navigation, also back and by reload, has refs for what listens', async () => {
  const session = testToolset().session('a');
  const url = (await site).url('/tools');
  expect(expectSuccess(await session.navigate({ url })).changes).toMatch(/clickable "Zoom" @e\d+/);
  expectSuccess(await session.navigate({ url: (await site).url('/before') }));
  expect(expectSuccess(await session.navigate({ url })).changes).toMatch(/clickable "Pan" @e\d+/);
  expect(expectSuccess(await session.history({ direction: 'reload' })).changes).toMatch(/clickable "Pan" @e\d+/);
  expectSuccess(await session.history({ direction: 'back' }));
  expect(expectSuccess(await session.history({ direction: 'forward' })).changes).toMatch(/clickable "Pan" @e\d+/);
});

test('what listens in a closed shadow root has a ref at the first look', async () => {
  const session = testToolset().session('a');
  const { changes } = expectSuccess(await session.navigate({ url: (await site).url('/closed') }));
  expect(changes).toMatch(/clickable "Redeem" @e\d+/);
});
