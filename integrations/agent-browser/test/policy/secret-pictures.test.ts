import { readFile } from 'node:fs/promises';
import type { ScreencastFrame } from '@browser-toolset/core';
import type { Page } from 'playwright-core';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { expectFailure, expectSuccess, pageOf, refOf, servePages, sharingToolset } from '../fixtures.js';
import { enlarge } from '../live/two-fingers.js';
import { countColour } from './pictures.js';

const VALUE = 'swordfish-7';
/** What shows a secret is red; everything else is not. */
const STYLE = `<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,"><style>
  body { margin: 0; font: 20px monospace; color: black; background: white }
  .secret, .secret::placeholder { color: red; font: bold 24px monospace; caret-color: black }
</style>`;
const inner = `${STYLE}<body><label>Inner <input class="secret"></label>`;

/** Ways to show a secret somewhere else for one frame. */
const JUMPS = {
  'by its style': "([x, y]) => { text.style.left = x + 'px'; text.style.top = y + 'px' }",
  'with what it is in':
    "([x, y]) => { document.querySelector('main').style.transform = 'translate(' + x + 'px, ' + y + 'px)' }",
  'in another size':
    "([x, y]) => { text.style.left = x + 'px'; text.style.top = y + 'px'; text.style.fontSize = x ? '30px' : '24px' }",
  'by turns of the page':
    '([x, y]) => { text.style.transform = "rotate(" + (x && y / 20) + "deg) translate(" + x + "px, " + y + "px)" }',
};

const site = await servePages({
  '/': `${STYLE}<title>Echo</title>
    <label>Password <input class="secret" id="field"></label>
    <p>You typed <b class="secret" id="text"></b></p>
    <p class="secret" id="split"></p>
    <div id="host"></div>
    <input class="secret" id="other"><input class="secret" id="hint"><select class="secret" style="appearance: none"><option id="option"></select>
    <textarea class="secret" id="area"></textarea>
    <iframe src="/inner" style="transform: scale(0.5); border: 7px solid blue" width="400" height="100" id="frame"></iframe>
    <div style="overflow: auto; height: 60px" id="box"><div style="height: 300px"></div><span class="secret" id="scrolled"></span></div>
    <div style="height: 1500px"></div><p class="secret" id="far"></p>
    <script>
      const shadow = host.attachShadow({ mode: 'open' });
      field.oninput = () => {
        const { value } = field;
        text.textContent = value.toUpperCase();
        split.innerHTML = [...value].map(letter => '<i>' + letter + '</i>').join(' ');
        shadow.innerHTML = '<b style="color: red">' + value + '</b>';
        other.value = hint.placeholder = option.textContent = area.value = value;
        frame.contentDocument.querySelector('input').value = value;
        scrolled.textContent = far.textContent = value;
        box.scrollTop = 9999;
      };
    </script>`,
  '/inner': inner,
  '/pinned': `${STYLE}<title>Pinned</title><div style="height: 3000px"></div>
    <input class="secret" aria-label="Password" style="position: fixed; bottom: 0">`,
  '/flash': `${STYLE}<title>Flash</title><input class="secret" aria-label="Password" id="field"><p class="secret" id="text"></p>
    <script>setInterval(() => { if (field.value && performance.now() < 2500) text.textContent = text.textContent ? '' : field.value; }, 40)</script>`,
  '/move': `${STYLE}<title>Move</title><input class="secret" aria-label="Password" id="field"><p class="secret" id="text" style="position: absolute; left: 0"></p>
    <script>let at = 0; setInterval(() => { text.textContent = field.value; text.style.left = (at = (at + 3) % 600) + 'px'; }, 16)</script>`,
  ...Object.fromEntries(
    Object.entries(JUMPS).map(([name, jump]) => [
      `/jump/${name.replaceAll(' ', '-')}`,
      `${STYLE}<title>Jump</title><input class="secret" aria-label="Password" id="field"><main><p class="secret" id="text" style="position: absolute; left: 0; top: 60px"></p></main>
        <script>
          let [frames, places] = [0, 0];
          const jump = ${jump};
          (function each() {
            if (field.value && !text.textContent) text.textContent = field.value;
            if (++frames % 7 === 0) jump([500, 20 + 70 * (++places % 8)]);
            else if (frames % 7 === 1) jump([0, 60]);
            requestAnimationFrame(each);
          })();
        </script>`,
    ]),
  ),
  '/clean': `${STYLE}<title>Clean</title><p class="secret">Red text that is none</p>`,
});

const toolset = sharingToolset({ secrets: { PW: { value: VALUE, domains: ['127.0.0.1'] } } });
let threads = 0;
afterAll(() => toolset.close());

async function opened(path: string) {
  const thread = `t${++threads}`;
  const session = toolset.session(thread);
  onTestFinished(async () => void (await session.close()));
  expectSuccess(await session.navigate({ url: site.url(path) }));
  const page = await pageOf(toolset, thread);
  const decoder = await toolset
    .session('decoder')
    .navigate({ url: 'about:blank' })
    .then(() => pageOf(toolset, 'decoder'));
  const read = expectSuccess(await session.snapshot());
  const type = async () =>
    expectSuccess(await session.type({ ref: refOf(read, 'textbox', 'Password'), text: '<secret>PW</secret>' }));
  return { thread, session, page, decoder, type, read };
}

async function redIn(decoder: Page, path = '', type = 'png'): Promise<number> {
  return countColour(decoder, await readFile(path, 'base64'), 'red', type);
}

describe('a screenshot', () => {
  it('shows no secret, wherever the page shows it', async () => {
    const { session, decoder, type, page, read } = await opened('/');
    await type();
    expect(await countColour(decoder, (await page.screenshot()).toString('base64'), 'red')).toBeGreaterThan(500);
    const ref = refOf(read, 'textbox', 'Password');
    for (const input of [{}, { fullPage: true }, { ref }, { labels: true }] as const) {
      const { path } = expectSuccess(await session.screenshot({ ...input, format: 'png' }));
      // Labels are drawn in colours of their own, and one of them may be red.
      expect([input, await redIn(decoder, path)]).toEqual([input, 'labels' in input ? expect.any(Number) : 0]);
      expect(await countColour(decoder, await readFile(path ?? '', 'base64'), 'grey')).toBeGreaterThan(1_000);
    }
    const jpeg = expectSuccess(await session.screenshot());
    expect(await redIn(decoder, jpeg.path, 'jpeg')).toBe(0);
    const scrolled = expectSuccess(await session.scroll({ direction: 'down' }));
    expect(scrolled.position?.y).toBeGreaterThan(0);
    expect(await redIn(decoder, expectSuccess(await session.screenshot({ format: 'png' })).path)).toBe(0);
  });

  it('of a page without one is as it would be', async () => {
    const { session, decoder, page } = await opened('/clean');
    const { path } = expectSuccess(await session.screenshot({ format: 'png' }));
    expect(await redIn(decoder, path)).toBe(
      await countColour(decoder, (await page.screenshot()).toString('base64'), 'red'),
    );
    expect(await countColour(decoder, await readFile(path ?? '', 'base64'), 'grey')).toBe(0);
  });

  it('of a whole page is refused while a part that does not scroll shows one', async () => {
    const { session, type } = await opened('/pinned');
    expectSuccess(await session.screenshot({ fullPage: true }));
    await type();
    expectFailure(await session.screenshot({ fullPage: true }), 'browser_error');
  });

  it('leaves the page as it is', async () => {
    const { session, page, type } = await opened('/');
    await type();
    await page.evaluate(`globalThis.changes = 0; new MutationObserver(list => changes += list.length)
      .observe(document, { subtree: true, childList: true, attributes: true, characterData: true })`);
    expectSuccess(await session.screenshot());
    expect(await page.evaluate('changes')).toBe(0);
  });
});

describe('the live view', () => {
  it.each(['/', '/flash', '/move'])('shows no secret in any frame of %s', async path => {
    const { thread, session, decoder, type } = await opened(path);
    const frames: ScreencastFrame[] = [];
    const stream = await toolset.startScreencast({ threadId: thread, format: 'png' });
    stream.on('frame', frame => frames.push(frame));
    await type();
    await session.scroll({ direction: 'down', amount: 100 });
    await session.scroll({ direction: 'up', amount: 100 });
    await coveredIn(frames, decoder);
    await stream.stop();
    for (const { data } of frames) expect(await countColour(decoder, data, 'red')).toBe(0);
  });

  it.each(Object.keys(JUMPS))(
    'shows nothing of a secret that is elsewhere in single frames, %s',
    async how => {
      const { thread, decoder, type } = await opened(`/jump/${how.replaceAll(' ', '-')}`);
      await type();
      for (const format of ['png', 'jpeg'] as const) {
        const frames: ScreencastFrame[] = [];
        const stream = await toolset.startScreencast({ threadId: thread, format });
        stream.on('frame', frame => frames.push(frame));
        await expect.poll(() => frames.length, { timeout: 240_000 }).toBeGreaterThan(20);
        await stream.stop();
        const red = [];
        for (const { data } of frames) red.push(await countColour(decoder, data, 'red', format));
        expect(red.filter(count => count > 0)).toEqual([]);
        expect(await countColour(decoder, frames.at(-1)?.data ?? '', 'grey', format)).toBeGreaterThan(1_000);
      }
    },
    600_000,
  );

  it('shows no secret of a page that a person has enlarged, nor does a screenshot of it', async () => {
    const { thread, session, page, decoder, type, read } = await opened('/');
    await type();
    await enlarge(toolset, thread, page);
    const frames: ScreencastFrame[] = [];
    const stream = await toolset.startScreencast({ threadId: thread, format: 'png' });
    stream.on('frame', frame => frames.push(frame));
    await coveredIn(frames, decoder);
    await stream.stop();
    for (const { data } of frames) expect(await countColour(decoder, data, 'red')).toBe(0);
    const ref = refOf(read, 'textbox', 'Password');
    for (const input of [{}, { ref }, { fullPage: true }]) {
      const { path } = expectSuccess(await session.screenshot({ ...input, format: 'png' }));
      expect([input, await redIn(decoder, path)]).toEqual([input, 0]);
      expect(await countColour(decoder, await readFile(path ?? '', 'base64'), 'grey')).toBeGreaterThan(1_000);
    }
  });

  it('shows no secret of a page that a phone shows smaller than it is', async () => {
    const phone = sharingToolset({
      device: 'iPhone 15',
      secrets: { PW: { value: VALUE, domains: ['127.0.0.1'] } },
    });
    onTestFinished(() => phone.close());
    const session = phone.session('t');
    const { decoder } = await opened('/clean');
    expectSuccess(await session.navigate({ url: site.url('/') }));
    expect(await (await pageOf(phone, 't')).evaluate('visualViewport.scale')).toBeLessThan(0.8);
    const ref = refOf(expectSuccess(await session.snapshot()), 'textbox', 'Password');
    expectSuccess(await session.type({ ref, text: '<secret>PW</secret>' }));
    const frames: ScreencastFrame[] = [];
    const stream = await phone.startScreencast({ threadId: 't', format: 'png' });
    stream.on('frame', frame => frames.push(frame));
    await coveredIn(frames, decoder);
    await stream.stop();
    for (const { data } of frames) expect(await countColour(decoder, data, 'red')).toBe(0);
    for (const input of [{}, { ref }, { fullPage: true }]) {
      const { path } = expectSuccess(await session.screenshot({ ...input, format: 'png' }));
      expect([input, await redIn(decoder, path)]).toEqual([input, 0]);
    }
  });

  it('shows everything else as it is', async () => {
    const { thread, decoder } = await opened('/clean');
    const stream = await toolset.startScreencast({ threadId: thread, format: 'png' });
    const frame = await new Promise<ScreencastFrame>(resolve => stream.on('frame', resolve));
    await stream.stop();
    expect(await countColour(decoder, frame.data, 'red')).toBeGreaterThan(100);
  });
});

/** Waits for a frame of the page as it stands in the end. */
async function coveredIn(frames: ScreencastFrame[], decoder: Page): Promise<void> {
  const covered = () => countColour(decoder, frames.at(-1)?.data ?? '', 'grey');
  await expect.poll(async () => frames.length > 0 && (await covered())).toBeGreaterThan(1_000);
}
