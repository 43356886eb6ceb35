import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { NamedStorage } from '../../src/browser/storage/named-storage.js';
import { expectFailure, expectSuccess, servePages, testToolset } from '../fixtures.js';

const root = await mkdtemp(join(tmpdir(), 'named-storage-test-'));
afterAll(() => rm(root, { recursive: true }));

const site = await servePages({
  '/': '<!doctype html><title>Account</title><p id="who"></p><script>who.textContent = (document.cookie || "nobody") + " " + (localStorage.cart ?? "empty")</script>',
  '/login': (_, response) =>
    response
      .writeHead(200, { 'set-cookie': 'user=ann-secret; Path=/', 'content-type': 'text/html' })
      .end('<!doctype html><title>In</title><script>localStorage.cart = "mug-secret"</script>'),
});

test('a login is saved, loaded in another session, and cleared; nobody is told what is in it', async () => {
  const toolset = testToolset({
    storagePath: ({ threadId }) => join(root, 'users', threadId.slice(0, 1)),
    storageKey: 'correct horse battery',
  });
  const [first, second, stranger] = [toolset.session('a1'), toolset.session('a2'), toolset.session('b1')];
  const who = async (session = second) => {
    await session.navigate({ url: site.url() });
    return (await session.snapshot({ interactiveOnly: false })).tree;
  };
  await first.navigate({ url: site.url('/login') });
  const saved = expectSuccess(await first.storage({ action: 'save', name: '../Work account' }));
  expect(saved).toMatchObject({ cookies: 1, origins: 1 });
  expect(JSON.stringify(saved)).not.toContain('secret');
  expect(await who()).toContain('nobody empty');
  expectSuccess(await second.storage({ action: 'load', name: '../Work account' }));
  expect(await who()).toContain('user=ann-secret mug-secret');
  expectFailure(await stranger.storage({ action: 'load', name: '../Work account' }), 'invalid_input');
  expectSuccess(await second.storage({ action: 'clear' }));
  expect(await who()).toContain('nobody empty');
  expectSuccess(await second.storage({ action: 'clear', name: '../Work account' }));
  expectFailure(await second.storage({ action: 'load', name: '../Work account' }), 'invalid_input');
  expectFailure(await second.storage({ action: 'save' }), 'invalid_input');
});

test("what is saved is the thread's own where no folder is named, and goes with the toolset", async () => {
  const toolset = testToolset();
  const [first, second] = [toolset.session('a/b'), toolset.session('a_b')];
  expectSuccess(await first.storage({ action: 'save', name: 'work' }));
  expectSuccess(await first.storage({ action: 'load', name: 'work' }));
  expectFailure(await second.storage({ action: 'load', name: 'work' }), 'invalid_input');
});

test('a folder that is named is shared by all threads', async () => {
  const toolset = testToolset({ storagePath: join(root, 'shared') });
  expectSuccess(await toolset.session('a').storage({ action: 'save', name: 'work' }));
  expectSuccess(await toolset.session('b').storage({ action: 'load', name: 'work' }));
});

describe('what is saved', () => {
  const state = {
    cookies: [
      {
        name: 'user',
        value: 'ann-secret',
        domain: 'shop.example',
        path: '/',
        expires: -1,
        httpOnly: true,
        secure: true,
        sameSite: 'Lax' as const,
      },
    ],
    origins: [],
  };
  const inside = async (folder: string) =>
    Promise.all((await readdir(folder)).map(file => readFile(join(folder, file), 'utf8')));

  test('is for its owner alone, under one name in one folder whatever it is called', async () => {
    const folder = join(root, 'plain');
    const named = new NamedStorage(folder, undefined);
    const names = [
      'work',
      'Work',
      '../../escape',
      '/etc/passwd',
      'a/b',
      'a_b',
      '..',
      '.',
      'CON\0',
      '%2e%2e',
      'é'.repeat(90),
    ];
    for (const name of names) await named.save(name, state);
    const files = await readdir(folder);
    expect(files).toHaveLength(names.length);
    expect(await readdir(root)).toEqual(expect.not.arrayContaining(['escape', 'escape.json']));
    for (const file of files) expect((await stat(join(folder, file))).mode & 0o777).toBe(0o600);
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
    for (const name of names) expect(await named.load(name)).toEqual(state);
  });

  test.each([
    ['hex', 'ab'.repeat(32)],
    ['base64', Buffer.alloc(32, 7).toString('base64')],
    ['a passphrase', 'correct horse battery staple'],
  ])('is unreadable without the key: %s', async (kind, key) => {
    const folder = join(root, `sealed-${kind.replace(' ', '-')}`);
    await new NamedStorage(folder, key).save('work', state);
    expect((await inside(folder)).join()).not.toMatch(/ann|shop|cookies/);
    expect(await new NamedStorage(folder, key).load('work')).toEqual(state);
    await expect(new NamedStorage(folder, 'cd'.repeat(32)).load('work')).rejects.toThrow(/different key/);
    await expect(new NamedStorage(folder, undefined).load('work')).rejects.toThrow(/encrypted/);
  });

  test('is refused when it was changed, given another name, or written without the key', async () => {
    const folder = join(root, 'changed');
    const named = new NamedStorage(folder, 'ab'.repeat(32));
    await named.save('work', state);
    const [text = ''] = await inside(folder);
    await writeFile(join(folder, 'home.json'), text);
    await expect(named.load('home')).rejects.toThrow(/damaged/);
    const { data, ...rest } = JSON.parse(text) as { data: string };
    await writeFile(join(folder, 'work.json'), JSON.stringify({ ...rest, data: `AAAA${data.slice(4)}` }));
    await expect(named.load('work')).rejects.toThrow(/damaged/);
    await writeFile(join(folder, 'work.json'), JSON.stringify(state));
    await expect(named.load('work')).rejects.toThrow(/is not encrypted/);
  });
});
