import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import type { BrowserSession, BrowserToolsetConfig } from '../../src/index.js';
import { expectFailure, expectSuccess, refOf, testToolset } from '../fixtures.js';
import { type PretendNetwork, serveAt } from './pretend-network.js';
import { refusedIn } from './refused-in.js';

const world: PretendNetwork = vi.hoisted(() => ({ names: new Map(), stands: new Map(), contacted: [] }));
vi.mock('#egress/system.js', async original => {
  const { pretended } = await import('./pretend-network.js');
  return pretended(world, await original());
});

const OWN = vi.hoisted(() => '203.0.113.77');
vi.mock('node:os', async original => ({
  ...(await original<typeof import('node:os')>()),
  networkInterfaces: () => ({ eth0: [{ address: OWN, family: 'IPv4' }] }),
}));

const PUBLIC = '203.0.113.1';
const PRIVATE = '10.0.0.5';
const OTHER = '192.168.1.1';
const METADATA = '169.254.169.254';
const closers: (() => void)[] = [];

beforeAll(async () => {
  for (const address of [PUBLIC, PRIVATE, OTHER, METADATA, OWN]) {
    const close = await serveAt(world, address, (request, response) => {
      const { pathname, searchParams } = new URL(request.url ?? '/', 'http://x');
      if (pathname === '/to') return void response.writeHead(302, { location: searchParams.get('url') ?? '' }).end();
      response.writeHead(200, { 'content-type': 'text/html', 'access-control-allow-origin': '*' });
      response.end(
        `<link rel="icon" href="data:,"><title>${address}</title><p>${request.headers.host}</p>${searchParams.get('html') ?? ''}`,
      );
    });
    closers.push(close);
  }
  world.names.set('public.test', [PUBLIC]);
  world.names.set('printer.test', [PRIVATE]);
  world.names.set('both.test', [PRIVATE, PUBLIC]);
  world.names.set('cloud.test', [METADATA]);
});

beforeEach(() => {
  world.contacted.length = 0;
});

afterAll(() => {
  for (const close of closers) close();
});

function opened(urlPolicy?: BrowserToolsetConfig['urlPolicy']) {
  const toolset = testToolset(urlPolicy && { urlPolicy });
  return { toolset, session: toolset.session('a'), refused: refusedIn(toolset) };
}

/** A page that fetches these urls and then says what came of it in its title. */
function fetching(...urls: string[]): string {
  const script = `Promise.all(${JSON.stringify(urls)}.map(u => fetch(u).then(() => 'yes', () => 'no'))).then(a => document.title = a.join())`;
  return `?html=${encodeURIComponent(`<script>${script}</script>`)}`;
}

async function titleIs(session: BrowserSession, title: string): Promise<void> {
  await expect.poll(async () => (await session.tabs({ action: 'list' })).tabs?.[0]?.title).toBe(title);
}

test("an address of the machine's own is private, however public it looks", async () => {
  const { session, refused } = opened();
  const url = `http://public.test/${fetching(`http://${OWN}/`)}`;
  expectSuccess(await session.navigate({ url }));
  await titleIs(session, 'no');
  expect(refused.map(({ host, rule }) => [host, rule])).toEqual([[OWN, 'urlPolicy.privateNetwork']]);
  expect(world.contacted).toEqual([PUBLIC]);
  // The driver may name it all the same.
  expectSuccess(await session.navigate({ url: `http://${OWN}/` }));
});

test('a session that another process goes on with stays where it was let', async () => {
  const values = new Map<string, string>();
  const records = {
    get: async (key: string) => values.get(key),
    set: async (key: string, value: string) => void values.set(key, value),
    delete: async (key: string) => void values.delete(key),
  };
  const [first, second] = [testToolset({ records }).session('a'), testToolset({ records }).session('a')];
  expectSuccess(await first.navigate({ url: 'http://public.test/' }));
  expectSuccess(await first.navigate({ url: `http://printer.test/${fetching(`http://${OTHER}/`)}` }));
  await titleIs(first, 'no');
  world.contacted.length = 0;
  expect(expectSuccess(await second.snapshot()).recovered?.now).toBe('1 of 1 tab reopened');
  await titleIs(second, 'no');
  expect(new Set(world.contacted)).toEqual(new Set([PRIVATE]));
});

test('link-local and metadata addresses are refused with privateNetwork as well, by name and by what a name stands for', async () => {
  const { session } = opened({ privateNetwork: true });
  const urls = [
    ...[
      `http://${METADATA}/latest/meta-data/`,
      'http://2852039166/',
      'http://0xA9.0xFE.0xA9.0xFE/',
      'http://100.100.100.200/',
    ],
    ...[
      'http://[::ffff:169.254.169.254]/',
      'http://[64:ff9b::a9fe:a9fe]/',
      'http://[fd00:ec2::254]/',
      'http://[fe80::1]/',
    ],
    ...['http://metadata.google.internal./', 'http://METADATA/', 'http://cloud.test/'],
  ];
  for (const url of urls)
    expect(expectFailure(await session.navigate({ url }), 'url_blocked').message).toContain('always refused');
  const tries = fetching(...urls);
  expectSuccess(await session.navigate({ url: `http://public.test/${tries}` }));
  await titleIs(session, urls.map(() => 'no').join());
  expect(new Set(world.contacted)).toEqual(new Set([PUBLIC]));
});

test('a session that has been on the public network is led to no private address', async () => {
  const { session, refused } = opened();
  const tries = [`http://${PRIVATE}/`, 'http://printer.test/', `http://public.test/to?url=http://${PRIVATE}/`];
  expectSuccess(await session.navigate({ url: `http://public.test/${fetching(...tries)}` }));
  await titleIs(session, 'no,no,no');

  const html = `<a href="http://public.test/to?url=http://${OTHER}/">Away</a><iframe src="http://${PRIVATE}/"></iframe>`;
  expectSuccess(await session.navigate({ url: `http://public.test/?html=${encodeURIComponent(html)}` }));
  const page = expectSuccess(await session.snapshot());
  const { consoleErrors } = await session.click({ ref: refOf(page, 'link', 'Away') });
  expect(consoleErrors?.join()).toContain(`${OTHER} is a private address`);
  expect(new Set(world.contacted)).toEqual(new Set([PUBLIC]));
  expect(new Set(refused.map(({ rule }) => rule))).toEqual(new Set(['urlPolicy.privateNetwork']));
});

test('a redirect to a private address fails the navigation with the rule', async () => {
  const { session } = opened();
  const result = await session.navigate({ url: `http://public.test/to?url=http://${PRIVATE}/` });
  expect(expectFailure(result, 'url_blocked').message).toContain('urlPolicy.privateNetwork');
  expect(world.contacted).not.toContain(PRIVATE);
});

test('a private host that the driver names is open while a tab is there, its own requests too', async () => {
  const { session } = opened();
  expectSuccess(await session.navigate({ url: 'http://public.test/' }));
  const own = fetching('http://printer.test/api', 'http://public.test/cdn', `http://${OTHER}/`);
  expectSuccess(await session.navigate({ url: `http://printer.test/${own}` }));
  await titleIs(session, 'yes,yes,no');

  expectSuccess(await session.navigate({ url: `http://public.test/${fetching('http://printer.test/api')}` }));
  await titleIs(session, 'no');
  // Back there is where the driver has been.
  expectSuccess(await session.history({ direction: 'back' }));
  await titleIs(session, 'yes,yes,no');
});

test('a session that has only been on private addresses is led from one to another', async () => {
  const { session } = opened();
  expectSuccess(
    await session.navigate({ url: `http://${PRIVATE}/${fetching(`http://${OTHER}/`, 'http://printer.test/')}` }),
  );
  await titleIs(session, 'yes,yes');
});

test('of a name with public and private addresses only the public ones are used', async () => {
  const { session } = opened();
  expectSuccess(await session.navigate({ url: 'http://public.test/' }));
  expectSuccess(await session.navigate({ url: `http://public.test/${fetching('http://both.test/')}` }));
  await titleIs(session, 'yes');
  expect(new Set(world.contacted)).toEqual(new Set([PUBLIC]));
});

test('of such a name only the public ones are used when the driver names it first, too', async () => {
  const { session } = opened();
  expectSuccess(await session.navigate({ url: 'http://both.test/' }));
  expect(new Set(world.contacted)).toEqual(new Set([PUBLIC]));
});

test('privateNetwork: false keeps the driver out as well, true lets pages in', async () => {
  const shut = opened({ privateNetwork: false });
  for (const url of [`http://${PRIVATE}/`, 'http://printer.test/', 'http://localhost/', 'http://0/', 'http://[::1]/'])
    expect(expectFailure(await shut.session.navigate({ url }), 'url_blocked').message).toContain(
      'privateNetwork: false',
    );
  expect(world.contacted).toEqual([]);

  const open = opened({ privateNetwork: true });
  expectSuccess(await open.session.navigate({ url: `http://public.test/${fetching(`http://${PRIVATE}/`)}` }));
  await titleIs(open.session, 'yes');
});

test('with an allow list nothing else is reached, and the block list wins', async () => {
  const { session } = opened({ allow: ['*.test'], block: ['printer.test'] });
  expectSuccess(
    await session.navigate({ url: `http://public.test/${fetching('http://both.test/', `http://${PUBLIC}/`)}` }),
  );
  await titleIs(session, 'yes,no');
  for (const url of ['http://printer.test/', 'http://PRINTER.test./', 'http://a@printer.test/', `http://${PUBLIC}/`])
    expectFailure(await session.navigate({ url }), 'url_blocked');
});

test('a range on the block list stands for names that lead there', async () => {
  const { session } = opened({ block: ['203.0.113.0/24'] });
  const { message } = expectFailure(await session.navigate({ url: 'http://public.test/' }), 'url_blocked');
  expect(message).toContain('urlPolicy.block: "203.0.113.0/24"');
});

test('what a person types is held to it too', async () => {
  const { toolset } = opened({ block: ['public.test'] });
  await toolset.launch('a');
  await expect(toolset.visit('http://public.test/', 'a')).rejects.toMatchObject({ code: 'url_blocked' });
  await expect(toolset.openTab('http://cloud.test/', 'a')).rejects.toMatchObject({ code: 'url_blocked' });
  expect(world.contacted).toEqual([]);
});
