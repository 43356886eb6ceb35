import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { LiveAction } from '@browser-toolset/core';
import { describe, expect, it } from 'vitest';
import type { CommonResult } from '../../src/index.js';
import { modelOutput } from '../../src/results/result.js';
import { ALL_TOOLS } from '../../src/tools/index.js';
import { expectFailure, expectSuccess, pageOf, refOf, servePages, testToolset } from '../fixtures.js';

const VALUE = 'Sw0rd&fish <7>"é';
const secrets = { PW: { value: VALUE, domains: ['127.0.0.1'] } };

const ECHO = `<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,"><title>Login</title>
  <form onsubmit="return false"><label>Password <input id="field" type="text"></label><button>Go</button></form>
  <label>Masked <input type="password"></label>
  <label>Number <input type="number"></label>
  <label>Short <input maxlength="6"></label>
  <label>Notes <textarea></textarea></label>
  <div role="textbox" aria-label="Rich" contenteditable></div>
  <label>Copy <input id="copy"></label>
  <p id="text"></p><p id="split"></p><div id="host"></div>
  <button id="labelled">x</button><input id="placeholder" aria-describedby="text"><ul><li><span id="row"></span><button>Row</button></ul>
  <a id="link" href="#">link</a><a id="file" download>File</a>
  <iframe id="frame" srcdoc="<button>in frame</button>"></iframe>
  <button onclick="alert('Is it ' + field.value + '?')">Ask</button>
  <script>
    const shadow = host.attachShadow({ mode: 'open' });
    field.oninput = () => {
      const value = field.value;
      document.title = 'Hello ' + value;
      location.hash = encodeURIComponent(value);
      text.textContent = 'x'.repeat(290) + ' you typed ' + value;
      split.innerHTML = [...value].map(letter => '<b></b>').join('');
      [...split.children].forEach((part, index) => part.textContent = [...value][index]);
      shadow.innerHTML = '<button></button>';
      shadow.firstChild.textContent = value.toUpperCase();
      labelled.setAttribute('aria-label', btoa(unescape(encodeURIComponent('ann:' + value))));
      document.getElementById('placeholder').placeholder = value;
      copy.value = value;
      row.textContent = value;
      frame.contentDocument.body.innerHTML = '<button></button>';
      frame.contentDocument.body.firstChild.textContent = value;
      file.href = 'data:text/plain,x';
      file.download = value + '.txt';
      console.error('typed ' + value);
      fetch('/missing?' + new URLSearchParams({ value }));
      setTimeout(() => { throw new Error('x'.repeat(190) + value); });
    };
  </script>`;

const SINK = `<!doctype html><title>Editor</title><textarea aria-label="Code" style="opacity:0"></textarea><p id="doc">old</p>
  <textarea aria-label="Thin" style="height:2px; padding:0; border:0">old</textarea>
  <script>
    const area = document.querySelector('textarea');
    let isAll = false;
    area.onkeydown = event => { isAll = event.ctrlKey && event.key === 'a' };
    area.oninput = () => { doc.textContent = (isAll ? '' : doc.textContent) + area.value; area.value = ''; isAll = false };
  </script>`;

const site = await servePages({ '/': ECHO, '/sink': SINK, '/favicon.ico': '' });
const elsewhere = site.url().replace('127.0.0.1', 'localhost');

/** All that a toolset tells, in one text. */
function recorder(config = {}) {
  const told: unknown[] = [];
  const toolset = testToolset({ secrets, ...config });
  const log = (...entry: unknown[]): void => void told.push(entry);
  Object.assign(toolset, { logger: { debug: log, info: log, warn: log, error: log, trackException: log } });
  const session = toolset.session('ann');
  toolset.onAction((action: LiveAction) => told.push(action), 'ann');
  const keep = async <R extends CommonResult>(running: Promise<R>, tool = 'browser_type'): Promise<R> => {
    const result = await running;
    told.push(result);
    const definition = ALL_TOOLS.find(({ id }) => id === tool) ?? expect.fail(tool);
    told.push(await modelOutput(definition as never, result as never));
    return result;
  };
  return { toolset, session, told, keep };
}

const MARKS = [
  VALUE,
  VALUE.toUpperCase(),
  'Sw0rd',
  encodeURIComponent(VALUE),
  Buffer.from(VALUE).toString('base64').slice(2, -3),
];
/** What of the value a text has in it. */
const found = (what: unknown) => {
  const text = JSON.stringify(what).normalize('NFC');
  return MARKS.filter(mark => text.includes(mark) || text.includes(JSON.stringify(mark).slice(1, -1)));
};

describe('a secret', () => {
  it('is typed, and told nowhere by a page that tells it everywhere', async () => {
    const { toolset, session, told, keep } = recorder();
    await keep(session.navigate({ url: site.url() }));
    const first = expectSuccess(await session.snapshot());
    const ref = (name: string) => refOf(first, 'textbox', name);
    const typed = await keep(session.type({ ref: ref('Password'), text: '<secret>PW</secret>', submit: true }));
    expect(expectSuccess(typed)).toMatchObject({ value: '<secret>PW</secret>', title: 'Hello <secret>PW</secret>' });
    expect(typed.mismatch).toBeUndefined();
    await keep(session.type({ ref: ref('Notes'), text: 'a <secret>PW</secret> b', clear: false }));
    const form = [
      { ref: ref('Masked'), value: '<secret>PW</secret>' },
      { ref: ref('Rich'), value: '<secret>PW</secret>' },
    ];
    const filled = expectSuccess(await keep(session.fillForm({ fields: form }), 'browser_fill_form'));
    expect(filled.fields?.map(({ value }) => value)).toEqual(['<secret>PW</secret>', '<secret>PW</secret>']);
    const read = expectSuccess(await keep(session.snapshot({ interactiveOnly: false }), 'browser_snapshot'));
    for (const line of ['textbox "Password" @e1 value="<secret>PW</secret>"', 'value="a <secret>PW</secret> b"'])
      expect(read.tree).toContain(line);
    expect(read.tree).toMatch(/textbox "Masked" @e\d+(?: password)? value="<secret>PW<\/secret>"/);
    expect(read.tree).toMatch(/button "<secret>PW<\/secret>" @e\d+/);
    await keep(session.find({ text: 'you typed' }), 'browser_find');
    await keep(session.tabs({ action: 'list' }), 'browser_tabs');
    const { refs } = expectSuccess(await session.snapshot());
    await keep(session.click({ ref: refOf({ refs, tree: read.tree }, 'button', 'Ask') }), 'browser_click');
    await keep(session.snapshot(), 'browser_snapshot');
    await keep(session.dialog({ action: 'accept' }), 'browser_dialog');
    const download = await keep(
      session.click({ ref: refOf({ refs, tree: read.tree }, 'link', 'File') }),
      'browser_click',
    );
    told.push(await toolset.getCurrentUrl('ann'), await toolset.getBrowserState('ann'));
    told.push(toolset.liveTabs('ann'), toolset.liveSessions());
    expect(found(told)).toEqual([]);
    expect(JSON.stringify(told)).toContain('typed <secret>PW</secret>');
    const { path = '' } = expectSuccess(download).download ?? {};
    expect(found(path)).toEqual([]);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect((await stat(join(path, '..'))).mode & 0o777).toBe(0o700);
    expect(found(await readdir(join(path, '..')))).toEqual([]);
    await readFile(path);
  });

  it('reaches the page as it is', async () => {
    const { toolset, session } = recorder();
    await session.navigate({ url: site.url() });
    const { refs, tree } = expectSuccess(await session.snapshot());
    const ref = (name: string) => refOf({ refs, tree }, 'textbox', name);
    expectSuccess(await session.type({ ref: ref('Password'), text: '<secret>PW</secret>' }));
    expectSuccess(await session.type({ ref: ref('Copy'), text: 'x<secret>PW</secret>', slowly: true }));
    expectSuccess(await session.type({ ref: ref('Notes'), text: '<secret>PW</secret>' }));
    expectSuccess(await session.type({ ref: ref('Rich'), text: '<secret>PW</secret>' }));
    const page = await pageOf(toolset, 'ann');
    expect(
      await page.evaluate(
        '[field.value, copy.value, document.querySelector("textarea").value, document.querySelector("[role=textbox]").innerText]',
      ),
    ).toEqual([VALUE, `x${VALUE}`, VALUE, VALUE]);
  });

  it('takes the place of what an editor shows that takes it from a hidden text area', async () => {
    const { toolset, session, told, keep } = recorder();
    await keep(session.navigate({ url: site.url('/sink') }));
    const read = expectSuccess(await session.snapshot());
    for (const name of ['Code', 'Thin'])
      expectSuccess(await keep(session.type({ ref: refOf(read, 'textbox', name), text: 'a <secret>PW</secret>' })));
    const page = await pageOf(toolset, 'ann');
    const held = await page.evaluate('[doc.textContent, document.querySelectorAll("textarea")[1].value]');
    expect(held).toEqual([`a ${VALUE}`, `a ${VALUE}`]);
    expect(found(told)).toEqual([]);
  });

  it('that a field cuts short is reported without telling what is left', async () => {
    const { session, told, keep } = recorder();
    await keep(session.navigate({ url: site.url() }));
    const read = expectSuccess(await session.snapshot());
    const typed = await keep(session.type({ ref: refOf(read, 'textbox', 'Short'), text: '<secret>PW</secret>' }));
    expect(expectSuccess(typed)).toMatchObject({
      value: '<secret>PW</secret>',
      mismatch: { expected: '<secret>PW</secret>', actual: 'something else, which is not shown' },
    });
    expect((await keep(session.snapshot(), 'browser_snapshot')).tree).toContain('value="<secret>PW</secret>"');
    expect(found(told)).toEqual([]);
  });

  it('is not typed on another site, nor where a frame of another site holds the field', async () => {
    const framed = await servePages({
      '/': `<!doctype html><title>Outer</title><iframe src="${elsewhere}" width="500" height="500"></iframe>`,
      '/sandbox': `<!doctype html><title>Outer</title><iframe sandbox="allow-scripts" srcdoc="<input aria-label=Password>"></iframe>`,
    });
    const { toolset, session } = recorder();
    for (const url of [elsewhere, framed.url(), framed.url('/sandbox')]) {
      expectSuccess(await session.navigate({ url }));
      const ref = refOf(expectSuccess(await session.snapshot()), 'textbox', 'Password');
      const result = expectFailure(await session.type({ ref, text: '<secret>PW</secret>' }), 'secret_not_allowed');
      expect(result.message).toMatch(/The secret PW is not allowed on .*Nothing was typed/);
      const { fields } = await session.fillForm({ fields: [{ ref, value: '<secret>PW</secret>' }] });
      expect(fields?.[0]?.code).toBe('secret_not_allowed');
      const page = await pageOf(toolset, 'ann');
      for (const frame of page.frames())
        expect(await frame.evaluate('document.querySelector("input")?.value ?? ""')).toBe('');
    }
  });

  it('is typed into a frame of its own site within a page of another', async () => {
    const outer = await servePages({
      '/': `<!doctype html><title>Outer</title><iframe src="${site.url()}" width="500" height="500"></iframe><input id="thief"><script>setInterval(() => thief.focus(), 1)</script>`,
    });
    const { toolset, session } = recorder();
    expectSuccess(await session.navigate({ url: outer.url().replace('127.0.0.1', 'localhost') }));
    const ref = refOf(expectSuccess(await session.snapshot()), 'textbox', 'Masked');
    expectSuccess(await session.type({ ref, text: '<secret>PW</secret>' }));
    const page = await pageOf(toolset, 'ann');
    expect(await page.evaluate('thief.value')).toBe('');
    expect(await page.frames()[1]?.evaluate('document.querySelector("[type=password]").value')).toBe(VALUE);
  });

  it('has a name, else it is refused; elsewhere than in a field its name is refused as well', async () => {
    const { session } = recorder();
    await session.navigate({ url: site.url() });
    const read = expectSuccess(await session.snapshot());
    const ref = refOf(read, 'textbox', 'Copy');
    const unknown = expectFailure(await session.type({ ref, text: '<secret>NOPE</secret>' }), 'invalid_input');
    expect(unknown.message).toContain('There is no secret NOPE; available: PW.');
    expectFailure(await session.navigate({ url: `${site.url()}?<secret>PW</secret>` }), 'secret_not_allowed');
    expectFailure(await session.press({ keys: '<secret>PW</secret>' }), 'secret_not_allowed');
    const onDialog = { accept: true, text: '<secret>PW</secret>' };
    expectFailure(await session.type({ ref, text: 'x', onDialog }), 'secret_not_allowed');
  });

  it('is not carried elsewhere by the clipboard, whole or in part', async () => {
    const { session } = recorder();
    await session.navigate({ url: site.url() });
    const read = expectSuccess(await session.snapshot());
    const [field, short] = ['Password', 'Short'].map(name => refOf(read, 'textbox', name));
    for (const ref of [field, short].map(String)) {
      expectSuccess(await session.type({ ref, text: '<secret>PW</secret>' }));
      expectFailure(await session.clipboard({ action: 'copy', ref }), 'invalid_input');
      expect(await session.press({ ref, keys: ['Control+A', 'Control+C'] })).toMatchObject({ clipboard: 'hidden' });
    }
    const copied = await session.clipboard({ action: 'copy', ref: refOf(read, 'textbox', 'Copy') });
    expect(expectSuccess(copied).text).toBe('<secret>PW</secret>');
    await session.navigate({ url: elsewhere });
    const ref = refOf(expectSuccess(await session.snapshot()), 'textbox', 'Copy');
    expectFailure(await session.clipboard({ action: 'paste', ref }), 'secret_not_allowed');
    expectFailure(await session.press({ ref, keys: 'Control+V' }), 'secret_not_allowed');
  });

  it('is offered to the model by name where it can be typed', () => {
    const { toolset } = recorder();
    expect(toolset.tools.browser_type.description).toMatch(
      /Write <secret>NAME<\/secret> for a secret; available: PW\.$/,
    );
    expect(toolset.tools.browser_click.description).not.toContain('secret');
    expect(testToolset().tools.browser_type.description).not.toContain('secret');
  });

  it('is plain text where there are no secrets', async () => {
    const session = testToolset().session();
    await session.navigate({ url: site.url() });
    const ref = refOf(expectSuccess(await session.snapshot()), 'textbox', 'Copy');
    expect(expectSuccess(await session.type({ ref, text: '<secret>PW</secret>' })).value).toBe('<secret>PW</secret>');
  });
});
