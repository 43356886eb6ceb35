import { expect, it } from 'vitest';
import { connector, textOf } from './connected.js';
import { site } from './site.js';

const apart = connector();
const together = connector({ scope: 'shared' });
const url = site({ '/': '<title>One</title><button>Press</button>' });

it('a client that goes takes its browser along, and no other one', async () => {
  const first = await apart();
  const second = await apart();
  await first.call('browser_navigate', { url: url('/') });
  await second.call('browser_navigate', { url: url('/') });
  await first.mcp.close();
  expect(textOf(await second.call('browser_snapshot'))).toContain('button "Press"');
});

it('a shared browser stays for the others when a client goes', async () => {
  const first = await together();
  const second = await together();
  await first.call('browser_navigate', { url: url('/') });
  await first.mcp.close();
  expect(textOf(await second.call('browser_snapshot'))).toContain('button "Press"');
});
