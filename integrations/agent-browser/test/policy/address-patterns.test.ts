import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import { parsePattern } from '#egress/addresses.js';
import { UrlPolicy, type UrlPolicyOptions } from '#egress/url-policy.js';
import { expectFailure, expectSuccess, servePages, testToolset } from '../fixtures.js';

type Bytes = [number, number, number, number];
const hex = (...bytes: number[]): string => bytes.map(byte => byte.toString(16).padStart(2, '0')).join('');
const number = ([a, b, c, d]: Bytes): number => ((a * 256 + b) * 256 + c) * 256 + d;

/** Ways to write the same address. */
const spellings: Record<string, (bytes: Bytes) => string> = {
  'as four numbers': bytes => bytes.join('.'),
  'with a final dot': bytes => `${bytes.join('.')}.`,
  'as one number': bytes => `${number(bytes)}`,
  'as one hexadecimal number': bytes => `0x${hex(...bytes)}`,
  'as one octal number': bytes => `0${number(bytes).toString(8)}`,
  'as octal numbers': bytes => bytes.map(byte => `0${byte.toString(8)}`).join('.'),
  'as hexadecimal numbers': bytes => bytes.map(byte => `0x${byte.toString(16)}`).join('.'),
  'as two numbers': ([a, ...rest]) => `${a}.${number([0, ...rest])}`,
  'as three numbers': ([a, b, c, d]) => `${a}.${b}.${c * 256 + d}`,
  mapped: bytes => `[::ffff:${bytes.join('.')}]`,
  'mapped and in hexadecimal': ([a, b, c, d]) => `[0:0:0:0:0:FFFF:${hex(a, b)}:${hex(c, d)}]`,
};
/** Addresses that lead to it, and are others. */
const carriers: Record<string, (bytes: Bytes) => string> = {
  NAT64: bytes => `[64:ff9b::${bytes.join('.')}]`,
  'NAT64 for one network': ([a, b, c, d]) => `[64:ff9b:1:${hex(a, b)}:${hex(0, c)}:${hex(d, 0)}::]`,
  '6to4': ([a, b, c, d]) => `[2002:${hex(a, b)}:${hex(c, d)}::1]`,
  Teredo: ([a, b, c, d]) => `[2001:0:cb00:7101:0:0:${hex(a ^ 255, b ^ 255)}:${hex(c ^ 255, d ^ 255)}]`,
  translated: bytes => `[::ffff:0:${bytes.join('.')}]`,
};
const byte = fc.integer({ min: 1, max: 255 });
const bytes = fc.tuple(fc.integer({ min: 11, max: 90 }), byte, byte, byte);
const verdict = (options: UrlPolicyOptions, host: string) =>
  new UrlPolicy(options).checkUrl(new URL(`http://${host}/`))?.rule ?? 'open';
const open = (options: UrlPolicyOptions, host: string) => verdict(options, host) === 'open';

describe('a pattern of an address', () => {
  test('means the address, however both are written', () => {
    fc.assert(
      fc.property(bytes, address => {
        for (const pattern of Object.values(spellings)) {
          for (const [how, spell] of Object.entries({ ...spellings, ...carriers }))
            expect([how, open({ block: [pattern(address)] }, spell(address))]).toEqual([how, false]);
          for (const [how, spell] of Object.entries(spellings))
            expect([how, open({ allow: [pattern(address)] }, spell(address))]).toEqual([how, true]);
        }
      }),
      { numRuns: 30 },
    );
  });

  test('that leads to another is blocked with it, and allows nothing but itself', () => {
    fc.assert(
      fc.property(bytes, address => {
        const plain = address.join('.');
        for (const carrier of Object.values(carriers)) {
          expect(open({ block: [carrier(address)] }, plain)).toBe(false);
          expect(open({ allow: [carrier(address)] }, plain)).toBe(false);
          expect(open({ allow: [plain] }, carrier(address))).toBe(false);
        }
      }),
    );
  });

  test('means no other address', () => {
    fc.assert(
      fc.property(bytes, bytes, (one, other) => {
        fc.pre(one.join() !== other.join());
        for (const pattern of Object.values({ ...spellings, ...carriers }))
          expect(open({ block: [pattern(one)] }, other.join('.'))).toBe(true);
      }),
    );
  });

  test.each([
    ['10.0.0.0/8', '[::ffff:10.1.2.3]'],
    ['10.0.0.0/8', '[64:ff9b::10.1.2.3]'],
    ['10.0.0.0/8', '[2002:0a01:0203::1]'],
    ['10.0.0.0./8', '10.1.2.3'],
    ['0x0a000000/8', '10.1.2.3'],
    ['167772160/8', '10.1.2.3'],
    ['012.0.0.0/8', '10.1.2.3'],
    ['[::ffff:10.0.0.0]/104', '10.1.2.3'],
    ['::ffff:10.0.0.0/104', '[64:ff9b::10.1.2.3]'],
    ['64:ff9b::10.0.0.0/104', '10.1.2.3'],
    ['64:ff9b::/96', '[64:ff9b::10.1.2.3]'],
    ['2002:a00::/24', '10.1.2.3'],
    ['::/0', '[::ffff:10.1.2.3]'],
    ['fd00::%eth0/8', '[fd12::1]'],
    ['[fd12::1%25eth0]', '[fd12::1]'],
    ['fd12::1%eth0', '[fd12:0:0::1]'],
  ])('on the block list, such as %s, means %s', (pattern, host) => {
    expect(verdict({ block: [pattern] }, host)).toBe(`urlPolicy.block: ${JSON.stringify(pattern)}`);
  });

  test.each([
    ['64:ff9b::/96', '10.1.2.3'],
    ['2002::/16', '10.1.2.3'],
    ['::ffff:10.0.0.0/104', '11.1.2.3'],
  ])('on the block list, such as %s, does not mean %s', (pattern, host) => {
    expect(verdict({ block: [pattern] }, host)).toBe('open');
  });

  test.each([
    ['10.0.0.0/8', '[64:ff9b::10.1.2.3]'],
    ['64:ff9b::10.0.0.0/104', '10.1.2.3'],
  ])('on the allow list, such as %s, does not let %s in', (pattern, host) => {
    expect(verdict({ allow: [pattern] }, host)).toBe('urlPolicy.allow');
  });

  test.each(['10/8', '192.168/16', '127.2/16', '[::1]/129', '0x7f000001/33'])('cannot be %s', text => {
    expect(() => parsePattern(text)).toThrow('is not a host or URL pattern');
  });

  test('means the address that a name stands for as well, however the resolver writes it', () => {
    const policy = new UrlPolicy({ block: ['10.1.2.3'] });
    for (const address of [
      '10.1.2.3',
      '::ffff:10.1.2.3',
      '::ffff:a01:203',
      '64:ff9b::a01:203',
      '0:0::ffff:10.1.2.3%lo',
    ])
      expect(policy.checkAddress({ host: 'a.test', port: 80 }, address)).toMatchObject({
        rule: 'urlPolicy.block: "10.1.2.3"',
      });
  });
});

test('a host on the block list is reached under none of its addresses', async () => {
  const seen: string[] = [];
  const server = createServer((request, response) => {
    seen.push(request.url ?? '');
    response.end('reached');
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.2', resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const hosts = [...Object.values(spellings), ...Object.values(carriers)].map(spell => spell([127, 0, 0, 2]));
  const site = await servePages({
    '/': `<title>Trying</title>${hosts.map(host => `<img src="http://${host}:${port}/image">`).join('')}
      <script>Promise.allSettled(${JSON.stringify(hosts)}.map(host => fetch('http://' + host + ':${port}/fetch', { mode: 'no-cors' })))
        .then(() => { document.title = 'Tried' })</script>`,
  });
  const session = testToolset({ urlPolicy: { block: ['127.0.0.2'] } }).session();
  for (const host of hosts) {
    const result = await session.navigate({ url: `http://${host}:${port}/page` });
    expect(expectFailure(result, 'url_blocked').message).toMatch(/127\.0\.0\.2/);
  }
  expectSuccess(await session.navigate({ url: site.url() }));
  await expect.poll(async () => (await session.tabs({ action: 'list' })).tabs?.[0]?.title).toBe('Tried');
  expect(seen).toEqual([]);
});
