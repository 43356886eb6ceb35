import { expect, test } from 'vitest';
import { EgressProxyPool } from '#egress/proxy-pool.js';
import { openSockets } from './machine.js';

test.each([
  ['straight', undefined],
  ['through another proxy', { server: 'http://127.0.0.1:1' }],
])('a way out that is still being opened when the browser ends is shut: %s', async (_, upstream) => {
  const before = openSockets();
  const egressProxies = new EgressProxyPool(upstream);
  const opening = egressProxies.open();
  await egressProxies.close();
  await opening;
  expect(openSockets()).toBe(before);
});
