import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { CommonResult } from '../../src/index.js';
import { modelOutput } from '../../src/results/result.js';
import { ALL_TOOLS } from '../../src/tools/index.js';
import { expectSuccess, pageOf, refOf, servePages, testToolset } from '../fixtures.js';

const VALUE = 'Kx7mQ2wZp9tVb4rNd8';
const secrets = { TOKEN: { value: VALUE, domains: ['127.0.0.1'] } };

const page = (body: string) =>
  `<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,"><title>Keys</title><main>${body}</main>`;
const OTHER = '<label>Other <input id="other"></label>';
/** Where a secret may stand for a model to edit. `typed`: the model types it there; else the page shows it. */
const places: Record<string, { body: string; typed?: true }> = {
  'a field of the page': { body: `<label>Key <input id="key" size="60" value="${VALUE}"></label>` },
  'a text area with more in it': {
    body: `<label>Key <textarea id="key" cols="60">Your key: ${VALUE} (new)</textarea></label>`,
  },
  'an editable element of the page': {
    body: `<div id="key" role="textbox" aria-label="Key" contenteditable>The key is <b>${VALUE}</b>, keep it.</div>`,
  },
  'an editable element without a role': { body: `<p id="key" contenteditable>${VALUE}</p><h2>Below</h2>` },
  'an editable element of many parts': {
    body: `<div id="key" role="textbox" aria-label="Key" contenteditable><p>Hello</p><p><i>${VALUE.slice(0, 5)}</i><b>${VALUE.slice(5)}</b></p></div>`,
  },
  'an editable element that it was typed into': {
    body: '<div id="key" role="textbox" aria-label="Key" contenteditable></div>',
    typed: true,
  },
  'a field that the page repeats': {
    body: `<label>Key <input id="key" size="60" oninput="for (const at of [echo, late]) at.textContent = value; document.title = 'Key ' + value"></label>
      <h2 id="echo"></h2><p>It is <span id="late"></span>.</p>`,
    typed: true,
  },
};
const names = Object.keys(places);
const site = await servePages({
  ...Object.fromEntries(names.map((name, index) => [`/${index}`, page(places[name]?.body + OTHER)])),
  '/shown': page(`<p id="key">Your key is ${VALUE}.</p>${OTHER}`),
  '/editor': page(`<div style="position: relative; width: 500px; height: 60px"><pre id="shown"></pre>
    <textarea id="key" aria-label="Key" style="position: absolute; width: 1px; height: 1px; opacity: 0"></textarea></div>
    <script>
      let [text, at] = ['const key = "${VALUE}";', 25];
      const draw = () => { shown.textContent = text };
      draw();
      key.onkeydown = ({ key: name }) => {
        if (name === 'ArrowLeft') at--;
        if (name === 'Backspace') [text, at] = [text.slice(0, at - 1) + text.slice(at), at - 1];
        if (name.length === 1) [text, at] = [text.slice(0, at) + name + text.slice(at), at + 1];
        draw();
      };
    </script>`),
  '/frame': page(OTHER),
  '/outer': page(`<p id="key">${VALUE}</p><iframe src="/frame" title="Inner" width="400" height="100"></iframe>`),
});

/** A page with a secret in it, and all that the toolset answered about it. */
async function open(name: string) {
  const toolset = testToolset({ secrets, tools: { also: ['browser_clipboard'] } });
  const session = toolset.session('ann');
  const told: unknown[] = [];
  const keep = async <R extends CommonResult>(running: Promise<R>, tool = 'browser_press'): Promise<R> => {
    const result = await running;
    const definition = ALL_TOOLS.find(({ id }) => id === tool) ?? expect.fail(tool);
    told.push(result, await modelOutput(definition as never, result as never));
    return result;
  };
  const place = places[name];
  expectSuccess(await session.navigate({ url: site.url(place === undefined ? name : `/${names.indexOf(name)}`) }));
  const read = expectSuccess(await session.snapshot());
  if (place?.typed) {
    const ref = refOf(read, 'textbox', 'Key');
    expectSuccess(await keep(session.type({ ref, text: '<secret>TOKEN</secret>' }), 'browser_type'));
  }
  return { session, keep, told, read, page: await pageOf(toolset, 'ann') };
}

/** Selects the last characters of the secret, or puts the caret behind it. Returns the middle of the selection. */
const select = (page: Page, count: number) =>
  page.locator('#key').evaluate(
    (key, [value, length]) => {
      const end = value.slice(-4);
      if (key instanceof HTMLInputElement || key instanceof HTMLTextAreaElement) {
        key.focus();
        const at = key.value.indexOf(end) + end.length;
        key.setSelectionRange(at - length, at);
        const pen = document.createElement('canvas').getContext('2d') as CanvasRenderingContext2D;
        pen.font = getComputedStyle(key).font;
        const { x, y } = key.getBoundingClientRect();
        return { x: x + pen.measureText(key.value.slice(0, at - 2)).width, y: y + 10 };
      }
      (key as HTMLElement).focus();
      const texts = document.createTreeWalker(key, NodeFilter.SHOW_TEXT);
      let text = texts.nextNode() as Text;
      while (!text.data.includes(end)) text = texts.nextNode() as Text;
      const at = text.data.indexOf(end) + end.length;
      document.getSelection()?.setBaseAndExtent(text, at - length, text, at);
      const range = document.createRange();
      range.setStart(text, at - 4);
      range.setEnd(text, at);
      const { x, y, width, height } = range.getBoundingClientRect();
      return { x: x + width / 2, y: y + height / 2 };
    },
    [VALUE, count] as const,
  );

/** The runs of four and more characters of the secret that stand in what was answered. */
const pieces = (what: unknown) => {
  const text = JSON.stringify(what);
  const all = Array.from({ length: VALUE.length - 3 }, (_, at) => VALUE.slice(at, at + 4));
  return all.filter(piece => text.includes(piece));
};

const edits: Record<string, string[][]> = {
  'by Backspace': [['Backspace'], ['Backspace']],
  'by a key in the middle': [['ArrowLeft', 'ArrowLeft', 'ArrowLeft', 'ArrowLeft', 'ArrowLeft', 'x']],
  'by a key after every other letter': [[...VALUE].flatMap((_, at) => (at % 2 ? ['ArrowLeft'] : ['ArrowLeft', '_']))],
  'by undoing it': [['Backspace'], ['Backspace', 'Control+z', 'Control+z', 'ArrowLeft', 'Delete']],
};

describe('nothing of a secret is read where it stood, once a model has edited it by hand', () => {
  const cases = names.flatMap(name => Object.keys(edits).map(how => [name, how] as const));
  it.each(cases)('in %s, %s', async (name, how) => {
    const { session, keep, told, page } = await open(name);
    await select(page, 0);
    for (const keys of edits[how] ?? []) expectSuccess(await keep(session.press({ keys })));
    const held = await page.locator('#key').evaluate(key => (key as HTMLInputElement).value ?? key.textContent);
    expect(held).not.toContain(VALUE);
    // Undoing may take all of what was typed at once.
    if (how !== 'by undoing it') expect(held.length).toBeGreaterThan(VALUE.length - 4);
    expectSuccess(await keep(session.snapshot({ interactiveOnly: false }), 'browser_snapshot'));
    expectSuccess(await keep(session.read(), 'browser_read'));
    expect(pieces(told)).toEqual([]);
    expect(JSON.stringify(told).replaceAll('_', '')).not.toContain(VALUE.slice(0, 9));
    expect(JSON.stringify(told)).toContain('<secret>TOKEN</secret>');
  });
});

describe('an editor that shows what a field takes', () => {
  it.each(['by Backspace', 'by a key in the middle', 'by a key after every other letter'])(
    'shows nothing of a secret that was edited %s',
    async how => {
      const { session, keep, told, page } = await open('/editor');
      await page.locator('#key').focus();
      for (const keys of edits[how] ?? []) expectSuccess(await keep(session.press({ keys })));
      expect(await page.locator('#shown').textContent()).not.toContain(VALUE);
      expectSuccess(await keep(session.snapshot({ interactiveOnly: false }), 'browser_snapshot'));
      expectSuccess(await keep(session.read(), 'browser_read'));
      expect(pieces(told)).toEqual([]);
      expect(JSON.stringify(told).replaceAll('_', '')).not.toContain(VALUE.slice(0, 9));
      expect(JSON.stringify(told)).toContain('const key = ');
    },
  );
});

const copied = ['/shown', ...names.filter(name => name !== 'an editable element of many parts')];

describe('a piece of a secret is carried nowhere', () => {
  it.each(copied)('by copying what is selected in %s', async name => {
    const { session, keep, told, read, page } = await open(name);
    await select(page, 9);
    expect(await keep(session.press({ keys: ['Control+c'] }))).toMatchObject({ clipboard: 'hidden' });
    await select(page, 9);
    expect(await keep(session.press({ keys: ['Control+x'] }))).toMatchObject({ clipboard: 'hidden' });
    await keep(session.press({ ref: refOf(read, 'textbox', 'Other'), keys: ['Control+v'] }));
    expectSuccess(await keep(session.snapshot({ interactiveOnly: false }), 'browser_snapshot'));
    expect(pieces(told)).toEqual([]);
    expect(await page.locator('#other').inputValue()).toBe('');
  });

  it.each([...copied, '/outer'])('by dragging what is selected in %s', async name => {
    const { session, keep, told, read, page } = await open(name);
    const from = await select(page, 9);
    expectSuccess(await keep(session.drag({ from, to: refOf(read, 'textbox', 'Other') }), 'browser_drag'));
    expectSuccess(await keep(session.snapshot({ interactiveOnly: false }), 'browser_snapshot'));
    expectSuccess(await keep(session.read(), 'browser_read'));
    expect(pieces(told)).toEqual([]);
    const other = page.frames().at(-1)?.locator('#other') ?? expect.fail('no frame');
    expect(pieces(await other.inputValue()).length).toBeGreaterThan(3);
  });
});

describe('a field that held a secret', () => {
  it.each(names.filter(name => name.includes('field')))(
    'is read again once another text stands in it: %s',
    async name => {
      const { session, page, read } = await open(name);
      await select(page, 0);
      expectSuccess(await session.press({ keys: ['Backspace'] }));
      const ref = refOf(read, 'textbox', 'Key');
      expect(expectSuccess(await session.type({ ref, text: 'Hello there' })).value).toBe('Hello there');
      expect(expectSuccess(await session.press({ keys: ['!'] })).success).toBe(true);
      expect(expectSuccess(await session.snapshot()).tree).toContain('Hello there!');
    },
  );

  it('is read again once it was emptied by keys', async () => {
    const { session } = await open('a field of the page');
    const read = expectSuccess(await session.snapshot());
    const ref = refOf(read, 'textbox', 'Key');
    expectSuccess(
      await session.press({ ref, keys: ['Control+a', 'Delete', 'h', 'e', 'l', 'l', 'o', ' ', 'y', 'o', 'u'] }),
    );
    expect(expectSuccess(await session.snapshot()).tree).toContain('hello you');
  });
});
