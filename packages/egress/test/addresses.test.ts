import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addressClassOf, hostAndPortOf, parsePattern } from '../src/addresses.js';
import { ConnectionPolicy } from '../src/connection-policy.js';
import { Resolver } from '../src/resolver.js';
import { UrlPolicy, type UrlPolicyOptions } from '../src/url-policy.js';

const byte = fc.integer({ min: 0, max: 255 });
/** Two hyphens make a label punycode where another letter stands before it. */
const label = fc.stringMatching(/^[a-z]([a-z0-9-]{0,8}[a-z0-9])?$/).filter(name => !name.includes('--'));

function verdict(options: UrlPolicyOptions, url: string): string {
  return new UrlPolicy(options).checkUrl(new URL(url))?.rule ?? 'open';
}

describe('addresses', () => {
  test.each([
    ['93.184.216.34', 'public'],
    ['203.0.113.9', 'public'],
    ['2606:4700::1', 'public'],
    ['::ffff:8.8.8.8', 'public'],
    ['64:ff9b::808:808', 'public'],
    ['127.0.0.1', 'private'],
    ['127.255.255.254', 'private'],
    ['0.0.0.0', 'private'],
    ['10.1.2.3', 'private'],
    ['172.31.0.1', 'private'],
    ['192.168.0.1', 'private'],
    ['100.64.0.1', 'private'],
    ['198.18.0.1', 'private'],
    ['::', 'private'],
    ['::1', 'private'],
    ['fd12::1', 'private'],
    ['fec0::1', 'private'],
    ['::ffff:10.0.0.1', 'private'],
    ['::10.0.0.1', 'private'],
    ['64:ff9b::a00:1', 'private'],
    ['64:ff9b:1::1', 'private'],
    ['2002:a00:1::', 'private'],
    ['fe80::5efe:a00:1', 'forbidden'],
    ['169.254.169.254', 'forbidden'],
    ['::ffff:169.254.169.254', 'forbidden'],
    ['64:ff9b::a9fe:a9fe', 'forbidden'],
    ['2002:a9fe:a9fe::', 'forbidden'],
    ['fe80::1', 'forbidden'],
    ['fd00:ec2::254', 'forbidden'],
    ['100.100.100.200', 'forbidden'],
    ['168.63.129.16', 'forbidden'],
    ['224.0.0.1', 'forbidden'],
    ['255.255.255.255', 'forbidden'],
    ['ff02::1', 'forbidden'],
    ['no address', 'forbidden'],
  ])('%s is %s', (address, is) => {
    expect(addressClassOf(address)).toBe(is);
  });

  test('an IPv4 address is at least as strictly seen inside an IPv6 address as by itself', () => {
    const order = ['public', 'private', 'forbidden'];
    const hex = (high: number, low: number): string => ((high << 8) | low).toString(16);
    fc.assert(
      fc.property(fc.tuple(byte, byte, byte, byte), ([a, b, c, d]) => {
        const alone = order.indexOf(addressClassOf(`${a}.${b}.${c}.${d}`));
        const [high, low] = [hex(a, b), hex(c, d)];
        const [notHigh, notLow] = [hex(a ^ 255, b ^ 255), hex(c ^ 255, d ^ 255)];
        const inside = [`::ffff:${high}:${low}`, `64:ff9b::${high}:${low}`, `2002:${high}:${low}::1`];
        inside.push(`2001:0:cb00:7101:0:0:${notHigh}:${notLow}`, `::ffff:0:${high}:${low}`);
        for (const address of inside) expect(order.indexOf(addressClassOf(address))).toBeGreaterThanOrEqual(alone);
      }),
    );
  });
});

describe('patterns', () => {
  test.each([
    ['example.com', 'https://example.com/', true],
    ['example.com', 'https://www.example.com:8443/x', true],
    ['example.com', 'https://notexample.com/', false],
    ['example.com', 'https://example.com.evil.test/', false],
    ['example.com', 'https://example.com@evil.test/', false],
    ['example.com', 'https://EXAMPLE.COM./', true],
    ['EXAMPLE.com.', 'https://example.com/', true],
    ['*.example.com', 'https://a.b.example.com/', true],
    ['*.example.com', 'https://example.com/', false],
    ['example.com:8080', 'http://example.com:8080/', true],
    ['example.com:8080', 'http://example.com/', false],
    ['bücher.example', 'https://xn--bcher-kva.example/', true],
    ['127.0.0.1', 'http://2130706433/', true],
    ['127.0.0.1', 'http://0x7f.1/', true],
    ['127.0.0.1', 'http://0177.0.0.1/', true],
    ['10.0.0.0/8', 'http://10.9.8.7/', true],
    ['10.0.0.0/8', 'http://11.0.0.1/', false],
    ['[::1]', 'http://[0:0:0:0:0:0:0:1]/', true],
    ['fc00::/7', 'http://[fd12::1]/', true],
    ['*', 'https://anything.test/', true],
    ['https://example.com', 'http://example.com/', false],
    ['https://example.com', 'wss://example.com/socket', true],
    ['https://example.com/docs/*', 'https://example.com/docs/a?b', true],
    ['https://example.com/docs/*', 'https://example.com/documents', false],
    ['example.com/admin*', 'https://example.com/%61dmin', true],
    ['example.com/admin*', 'https://example.com//admin', true],
    ['example.com/admin', 'https://example.com/x/../admin?q=1', true],
  ])('%s on the block list means %s: %s', (pattern, url, isMeant) => {
    expect(verdict({ block: [pattern] }, url) !== 'open').toBe(isMeant);
  });

  test.each(['', ' ', 'a b', 'https://', 'ftp://example.com', 'exam*ple.com', '*.*', '*example.com', '.example.com'])(
    '%j is refused with what is expected',
    text => expect(() => parsePattern(text)).toThrow('is not a host or URL pattern such as example.com'),
  );
  test.each(['example.com:99999', '10.0.0.0/33', '*.10.0.0.1', 'http://user@example.com', '[::1', 'a:b:c'])(
    '%j is refused',
    text => expect(() => parsePattern(text)).toThrow('is not a host or URL pattern'),
  );

  test('a host means itself and its subdomains and never a host that merely ends like it', () => {
    fc.assert(
      fc.property(label, label, fc.array(label, { maxLength: 3 }), (name, other, sub) => {
        const host = `${name}.test`;
        const pattern = parsePattern(host);
        expect(pattern.matchesPlace({ host: [...sub, host].join('.'), port: 443 })).toBe(true);
        expect(pattern.matchesPlace({ host: `${other}${host}`, port: 443 })).toBe(false);
        expect(pattern.matchesPlace({ host: `${host}.${other}`, port: 443 })).toBe(false);
      }),
    );
  });

  test('block wins over allow, whatever the lists', () => {
    fc.assert(
      fc.property(label, name => {
        const both = { allow: [`${name}.test`, '*'], block: [`${name}.test`] };
        expect(verdict(both, `https://${name}.test/`)).toContain('urlPolicy.block');
        expect(verdict({ allow: [`${name}.test`] }, `https://x${name}.test/`)).toBe('urlPolicy.allow');
      }),
    );
  });

  test('what stands escaped in a url is not allowed as something else', () => {
    const allow = ['https://example.com/a/*'];
    expect(verdict({ allow }, 'https://example.com/a/b')).toBe('open');
    expect(verdict({ allow }, 'https://example.com/%61/b')).toBe('urlPolicy.allow');
  });

  test.each(['file:///etc/passwd', 'ftp://example.com/', 'chrome://settings'])('%s is refused', url => {
    expect(verdict({}, url)).toBe('always refused');
  });

  test('documents that pages make themselves are not', () => {
    for (const url of ['about:blank', 'data:text/plain,x', 'blob:https://a.test/1'])
      expect(verdict({ allow: [] }, url)).toBe('open');
  });
});

describe('a session', () => {
  /** A connection policy whose names stand for what `answers` has in turn. */
  function gateOf(answers: string[][], options: UrlPolicyOptions = {}, named: string[] = [], isNamedAgain = false) {
    const names = new Set(named);
    const resolver = { resolve: async ({ port }: { port: number }) => ({ addresses: answers.shift() ?? [], port }) };
    const connectionPolicy = new ConnectionPolicy({
      policy: new UrlPolicy(options),
      resolver: resolver as unknown as Resolver,
      isNamed: host => names.has(host),
      onPublic: host => {
        if (!isNamedAgain) names.delete(host);
      },
      onRefused: () => undefined,
    });
    return async (host: string) => (await connectionPolicy.admit({ host, port: 80 })).admitted;
  }

  test('is not led on by a name that stands for something else the second time', async () => {
    const admit = gateOf([['203.0.113.1'], ['127.0.0.1'], ['169.254.169.254']], {}, ['rebind.test']);
    expect([await admit('rebind.test'), await admit('rebind.test'), await admit('rebind.test')]).toEqual([
      true,
      false,
      false,
    ]);
  });

  test('is not led on by such a name when it is named again either', async () => {
    const admit = gateOf([['203.0.113.1'], ['10.0.0.1']], {}, ['rebind.test'], true);
    expect([await admit('rebind.test'), await admit('rebind.test')]).toEqual([true, false]);
  });

  test('reaches private addresses until it has been on the public network, then those that were named', async () => {
    const admit = gateOf([['10.0.0.1'], ['203.0.113.1'], ['10.0.0.1'], ['10.0.0.2']], {}, ['named.test']);
    expect(await admit('a.test')).toBe(true);
    expect(await admit('b.test')).toBe(true);
    expect(await admit('a.test')).toBe(false);
    expect(await admit('named.test')).toBe(true);
  });

  test('is let to a private host that the allow list names', async () => {
    const admit = gateOf([['203.0.113.1'], ['127.0.0.1'], ['127.0.0.1']], { allow: ['localhost', 'public.test'] });
    expect([await admit('public.test'), await admit('localhost'), await admit('public.test')]).toEqual([
      true,
      true,
      false,
    ]);
  });
});

test('the resolver follows the rules of the browser switch that the proxy takes the place of', async () => {
  const resolver = new Resolver([
    '--host-resolver-rules=MAP shop.test 127.0.0.1:8080, MAP *.gone.test ~NOTFOUND, EXCLUDE x.shop.test',
  ]);
  expect(await resolver.resolve({ host: 'shop.test', port: 80 })).toEqual({ addresses: ['127.0.0.1'], port: 8080 });
  await expect(resolver.resolve({ host: 'a.gone.test', port: 80 })).rejects.toThrow('no such host');
  expect(await resolver.resolve({ host: '203.0.113.1', port: 80 })).toEqual({ addresses: ['203.0.113.1'], port: 80 });
  expect((await resolver.resolve({ host: 'a.localhost', port: 1 })).addresses).toEqual(['127.0.0.1', '::1']);
});

test('a place is where a url connects to', () => {
  expect(hostAndPortOf(new URL('wss://a@B.test./x'))).toEqual({ host: 'b.test', port: 443 });
  expect(hostAndPortOf(new URL('http://[::1]:3000'))).toEqual({ host: '::1', port: 3000 });
});
