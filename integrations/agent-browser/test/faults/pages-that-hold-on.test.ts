import { describe, expect, test } from 'vitest';
import type { BrowserSession } from '../../src/index.js';
import { effectLines } from '../../src/results/effects.js';
import { expectFailure, expectSuccess, refOf, servePages, testToolset } from '../fixtures.js';

const holding = (script: string, body = ''): string =>
  `<!doctype html><link rel="icon" href="data:,"><title>Holds on</title><button>Do</button>${body}<script>${script}</script>`;
const onClick = (script: string): string => holding(`document.querySelector('button').onclick = () => { ${script} }`);
const asks = (event: string): string =>
  `addEventListener('${event}', event => { alert('${event}'); event.preventDefault() })`;

/** Pages that a press of their button makes hold on, by how they do it. */
const PAGES = {
  'confirms in a loop': onClick(`while (!confirm('Stay?'));`),
  'confirms in a loop that no answer ends': onClick(`for (;;) confirm('Stay?')`),
  'prompts in a loop': onClick(`while (prompt('Your mail?') === null);`),
  'alerts on a timer': onClick(`setInterval(() => alert('Still here?'), 20); alert('Begins')`),
  'confirms one after another, by timers': onClick(
    `const again = () => { confirm('Stay?'); setTimeout(again) }; again()`,
  ),
  'asks whether to leave': onClick(`onbeforeunload = event => event.preventDefault()`),
  'asks whether to leave, and alerts': onClick(
    `onbeforeunload = event => { setInterval(() => alert('No'), 20); event.preventDefault() }`,
  ),
  'opens dialogs in its handlers of leaving': holding(
    `${asks('beforeunload')}; ${asks('pagehide')}; ${asks('unload')}; ${asks('visibilitychange')}`,
  ),
  'has a frame that confirms in a loop': holding(
    `document.querySelector('button').onclick = () => frames[0].postMessage('go')`,
    `<iframe srcdoc="<script>onmessage = () => { while (!confirm('Stay?')); }</script>"></iframe>`,
  ),
  'goes to other parts of itself and alerts': onClick(
    `let n = 0; setInterval(() => { history.replaceState(null, '', '?part=' + n++); alert('Part ' + n) }, 20); alert('Begins')`,
  ),
  'goes to other parts of itself without a dialog': onClick(
    `let n = 0; setInterval(() => history.replaceState(null, '', '?part=' + n++), 50)`,
  ),
};
type Holding = keyof typeof PAGES;
const NAMES = Object.keys(PAGES) as Holding[];
const pathOf = (name: Holding): string => `/holding-${NAMES.indexOf(name)}`;

const site = await servePages({
  ...Object.fromEntries(NAMES.map(name => [pathOf(name), PAGES[name]])),
  '/before': '<!doctype html><title>Before</title><h1>Before</h1>',
  '/next': '<!doctype html><title>Next</title><h1>Next</h1>',
  '/hello': `<!doctype html><title>Hello</title><script>alert('Hello')</script><h1>After</h1>`,
  '/file': (_, response) => {
    response.writeHead(200, { 'content-type': 'text/csv', 'content-disposition': 'attachment; filename="f.csv"' });
    response.end('a,b\n');
  },
});

async function held(name: Holding, toolset = testToolset()): Promise<BrowserSession> {
  const session = toolset.session('a');
  expectSuccess(await session.navigate({ url: site.url('/before') }));
  expectSuccess(await session.navigate({ url: site.url(pathOf(name)) }));
  const page = expectSuccess(await session.snapshot());
  await session.click({ ref: refOf(page, 'button', 'Do') });
  return session;
}

async function expectAt(session: BrowserSession, result: { success: boolean; url?: string }, path: string) {
  expectSuccess(result);
  expect(result.url).toBe(site.url(path));
  // The page answers, and nothing of the one before is in the way; Chromium is still there.
  const { title, dialog, recovered } = expectSuccess(await session.snapshot());
  expect([title, dialog, recovered]).toEqual([path === '/next' ? 'Next' : 'Before', undefined, undefined]);
}

describe.each(NAMES)('a page that %s', name => {
  test('is left by one navigation', async () => {
    const session = await held(name);
    const left = expectSuccess(await session.navigate({ url: site.url('/next') }));
    expect(left.navigated).toBe(true);
    for (const { answered, type } of left.dialogs ?? [left.dialog ?? []].flat())
      expect(answered).toBe(type === 'beforeunload' ? 'accepted' : 'dismissed');
    await expectAt(session, left, '/next');
  });
});

describe.each(NAMES)('a page that %s', name => {
  test('is left by going back', async () => {
    const session = await held(name);
    const back = await session.history({ direction: 'back' });
    await expectAt(session, back, '/before');
  });
});

test('what was answered while a page was left is told', async () => {
  const session = await held('asks whether to leave');
  const left = expectSuccess(await session.navigate({ url: site.url('/next') }));
  expect(left.dialog).toMatchObject({ type: 'beforeunload', answered: 'accepted' });
  expect(effectLines(left).join()).toContain('A beforeunload dialog "" was accepted');
  const asking = await held('confirms in a loop that no answer ends');
  const gone = expectSuccess(await asking.navigate({ url: site.url('/next') }));
  expect(gone.dialogs?.[0]).toEqual({ type: 'confirm', message: 'Stay?', answered: 'dismissed' });
  expect(gone.recovered).toEqual({ was: 'the page kept opening dialogs', now: 'an empty tab' });
});

test('a page that holds on is loaded anew', async () => {
  const session = await held('confirms in a loop that no answer ends');
  const again = expectSuccess(await session.history({ direction: 'reload' }));
  expect(again).toMatchObject({ navigated: true, title: 'Holds on' });
  expectSuccess(await session.snapshot());
});

test.each([
  'confirms in a loop that no answer ends',
  'asks whether to leave, and alerts',
  'has a frame that confirms in a loop',
] as const)('a tab whose page %s is closed at once', async name => {
  const session = await held(name);
  expectSuccess(await session.tabs({ action: 'new', url: site.url('/next') }));
  const { tabs } = expectSuccess(await session.tabs({ action: 'close', tab: 't1' }));
  expect(tabs?.map(({ title }) => title)).toEqual(['Next']);
  await expectAt(session, await session.navigate({ url: site.url('/before') }), '/before');
});

test('a session whose page has a dialog in a frame is closed alone', async () => {
  const toolset = testToolset();
  const other = toolset.session('other');
  expectSuccess(await other.navigate({ url: site.url('/next') }));
  const session = await held('has a frame that confirms in a loop', toolset);
  expectSuccess(await session.close());
  const { recovered, title } = expectSuccess(await other.snapshot());
  expect([recovered, title]).toEqual([undefined, 'Next']);
});

test('a dialog of the page that is entered is told and waits, also after one that held on', async () => {
  const session = await held('confirms in a loop');
  const entered = expectSuccess(await session.navigate({ url: site.url('/hello') }));
  expect(entered).toMatchObject({ url: site.url('/hello'), navigated: true });
  expect([entered.dialogs ?? []].flat().at(-1) ?? entered.dialog).toEqual({ type: 'alert', message: 'Hello' });
  expectFailure(await session.snapshot(), 'dialog_open');
  expectSuccess(await session.dialog({ action: 'accept' }));
  expect(expectSuccess(await session.find({ text: 'After' })).matches).toHaveLength(1);
});

test('a page stays where only its part changes, or a file comes, and its dialogs are the agent’s again', async () => {
  const session = await held('asks whether to leave');
  const path = pathOf('asks whether to leave');
  expect(expectSuccess(await session.navigate({ url: site.url(`${path}#part`) })).url).toBe(site.url(`${path}#part`));
  const file = expectSuccess(await session.navigate({ url: site.url('/file') }));
  expect([file.download?.state, file.title]).toEqual(['completed', 'Holds on']);
  const page = expectSuccess(await session.snapshot());
  expectSuccess(await session.click({ ref: refOf(page, 'button', 'Do') }));
  expect(expectSuccess(await session.navigate({ url: site.url('/next') })).title).toBe('Next');
});
