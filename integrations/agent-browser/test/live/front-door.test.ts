import type { ScreencastStream } from '@browser-toolset/core';
import { describe, expect, it } from 'vitest';
import { expectFailure, expectSuccess, launchingToolset, refOf, servePages, testToolset } from '../fixtures.js';
import { browsersOf } from '../lifecycle/machine.js';
import { personAt } from './person.js';

const head = '<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,"><style>body{margin:0}</style>';
const site = await servePages({
  '/': `${head}<title>Field</title><textarea style="width:600px;height:200px"></textarea>
    <p style="margin:0;position:absolute;top:300px;font:20px/30px monospace">first second third</p>`,
  '/ask': `${head}<title>Ask</title><button style="position:absolute;left:0;top:0;width:100px;height:50px"
    onclick="document.title = String(confirm('Sure?'))">Ask</button>`,
  '/held': `${head}<script>
    for (const type of ['mousedown', 'mouseup']) addEventListener(type, () => location.replace('#' + type));</script>`,
});

const THREAD = 'ann';

async function opened(path = '/', toolset = testToolset()) {
  const session = toolset.session(THREAD);
  expectSuccess(await session.navigate({ url: site.url(path) }));
  const person = personAt(toolset, THREAD);
  const held = async () => {
    const snapshot = expectSuccess(await session.snapshot());
    const line = snapshot.tree?.split('\n').find(text => text.includes(refOf(snapshot, 'textbox', '')));
    return JSON.parse(/value=(".*")/.exec(line ?? '')?.[1] ?? '""') as string;
  };
  return { toolset, session, person, held };
}

describe('what a person types at a live view', () => {
  it.each([
    ['!"#$%&\'()*+,-./0123456789:;<=>?@'],
    ['ABCDEFGHIJKLMNOPQRSTUVWXYZ[\\]^_`'],
    ['abcdefghijklmnopqrstuvwxyz{|}~ .'],
    ['éñßäøçÆŁ'],
    ['漢字かな한글'],
    ['😀👍🏽'],
  ])('arrives as typed: %s', async text => {
    const { person, held } = await opened();
    await person.click(50, 50);
    await person.type(text);
    expect(await held()).toBe(text);
  });

  it('arrives when a dead key and a letter make one, or an input method makes a word', async () => {
    const { toolset, person, held } = await opened();
    await person.click(50, 50);
    const dead = { key: 'Dead', code: 'Quote' };
    await toolset.injectKeyboardEvent({ type: 'keyDown', ...dead }, THREAD);
    await toolset.injectKeyboardEvent({ type: 'keyUp', ...dead }, THREAD);
    await toolset.injectKeyboardEvent({ type: 'keyDown', key: 'é', code: 'KeyE' }, THREAD);
    await toolset.injectKeyboardEvent({ type: 'keyUp', key: 'é', code: 'KeyE' }, THREAD);
    await toolset.insertText('日本', THREAD);
    expect(await held()).toBe('é日本');
  });

  it('arrives once as a paste of 10,000 characters', async () => {
    const { toolset, session, person } = await opened();
    await person.click(50, 50);
    await toolset.insertText('0123456789'.repeat(1_000), THREAD);
    await toolset.insertText('end', THREAD);
    const snapshot = expectSuccess(await session.snapshot());
    const typed = await session.type({ ref: refOf(snapshot, 'textbox', ''), text: '!', clear: false });
    expect(expectSuccess(typed).value).toHaveLength(10_004);
  });

  it('selects with Shift held, and is taken over by what is typed next', async () => {
    const { toolset, person, held } = await opened();
    await person.click(50, 50);
    await person.type('one two');
    await toolset.injectKeyboardEvent({ type: 'keyDown', key: 'Shift', modifiers: 8 }, THREAD);
    for (let i = 0; i < 3; i++) await person.key('ArrowLeft', 8);
    await toolset.injectKeyboardEvent({ type: 'keyUp', key: 'Shift' }, THREAD);
    await person.type('2');
    expect(await held()).toBe('one 2');
  });

  it('three clicks select the line', async () => {
    const { person, held } = await opened();
    await person.click(50, 10);
    await person.type('away with this');
    for (let i = 0; i < 3; i++) await person.click(50, 10);
    await person.type('x');
    expect(await held()).toBe('x');
  });

  it('Enter and Escape answer a dialog', async () => {
    const { toolset, session, person } = await opened('/ask');
    await person.click(50, 25);
    await expect.poll(async () => (await session.snapshot()).code).toBe('dialog_open');
    await person.key('Enter');
    await expect.poll(() => toolset.liveTabs(THREAD)[0]?.url).toBe(site.url('/ask'));
    expect(expectSuccess(await session.snapshot())).toMatchObject({ title: 'true', dialog: { answered: 'accepted' } });
    await person.click(50, 25);
    await person.key('Escape');
    expect(expectSuccess(await session.snapshot())).toMatchObject({
      title: 'false',
      dialog: { answered: 'dismissed' },
    });
    expectFailure(await session.dialog({ action: 'accept' }), 'no_dialog');
  });
});

describe('two streams of one thread', () => {
  it('both follow the active tab, and one goes on without the other', async () => {
    const { toolset } = await opened();
    const seen = async () => {
      const stream: ScreencastStream = await toolset.startScreencast({ threadId: THREAD });
      const urls: string[] = [];
      let frames = 0;
      stream.on('url', url => urls.push(url));
      stream.on('frame', () => frames++);
      await expect.poll(() => frames).toBeGreaterThan(0);
      return { stream, urls, frames: () => frames };
    };
    const [one, other] = [await seen(), await seen()];
    await toolset.openTab(site.url('/ask'), THREAD);
    await expect.poll(() => one.urls.at(-1)).toBe(site.url('/ask'));
    await expect.poll(() => other.urls.at(-1)).toBe(site.url('/ask'));
    await one.stream.stop();
    const [before, gone] = [other.frames(), one.frames()];
    await toolset.switchTab('t1', THREAD);
    await expect.poll(() => other.urls.at(-1)).toBe(site.url());
    await expect.poll(() => other.frames()).toBeGreaterThan(before);
    expect(one.frames()).toBe(gone);
  });
});

it('keeps what a person holds down when one of two streams ends, and releases it with the last', async () => {
  const { toolset } = await opened('/held');
  const start = async () => (await toolset.startScreencast({ threadId: THREAD })) as ScreencastStream;
  const [one, other] = [await start(), await start()];
  await toolset.injectMouseEvent({ type: 'mousePressed', x: 50, y: 50, button: 'left', clickCount: 1 }, THREAD);
  await one.stop();
  await toolset.injectMouseEvent({ type: 'mouseMoved', x: 60, y: 50 }, THREAD);
  await expect.poll(() => toolset.liveTabs(THREAD)[0]?.url).toBe(site.url('/held#mousedown'));
  await other.stop();
  await expect.poll(() => toolset.liveTabs(THREAD)[0]?.url).toBe(site.url('/held#mouseup'));
});

describe('a browser that was killed', () => {
  it('is told to be closed and to be back, and a stream of before goes on', async () => {
    const others = browsersOf();
    const { toolset, session } = await opened('/', launchingToolset());
    const news: string[] = [];
    toolset.onBrowserReady(() => news.push('ready'), THREAD);
    toolset.onBrowserClosed(() => news.push('closed'), THREAD);
    const stream = (await toolset.startScreencastIfBrowserActive({ threadId: THREAD })) as ScreencastStream;
    const [pid = 0] = browsersOf().filter(one => !others.includes(one));
    process.kill(pid, 'SIGKILL');
    await expect.poll(() => news).toEqual(['ready', 'closed']);
    expect(toolset.isBrowserRunning(THREAD)).toBe(false);
    const frame = new Promise(resolve => stream.on('frame', resolve));
    expect(expectSuccess(await session.navigate({ url: site.url('/ask') })).recovered).toBeDefined();
    await frame;
    expect(news).toEqual(['ready', 'closed', 'ready']);
    await stream.stop();
  });
});
