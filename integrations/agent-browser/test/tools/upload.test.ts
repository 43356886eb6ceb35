import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { upload } from '../../src/tools/upload.js';
import { expectFailure, expectSuccess, servePages, testToolset } from '../fixtures.js';
import { pageOpener } from './open-page.js';

const root = await mkdtemp(join(tmpdir(), 'upload-test-'));
await writeFile(join(root, 'a.txt'), 'hello');
await writeFile(join(root, 'b.png'), Buffer.alloc(2000));
afterAll(() => rm(root, { recursive: true, force: true }));

const { openPage } = pageOpener({ uploadRoots: [root] });

/** Says what came of a field as a person would see it. */
const TELL = `<output></output><script>
  const tell = async files => {
    const texts = await Promise.all([...files].map(async file => file.name + ' ' + file.type + ' ' + (await file.text()).slice(0, 5)));
    document.querySelector('output').textContent = 'got ' + texts.join(', ');
  };
</script>`;

describe('a file field', () => {
  it('takes a file, and the page gets it', async () => {
    const { session, ref, text } = await openPage(
      `<label>Photo <input type="file" onchange="tell(this.files)"></label>${TELL}`,
    );
    const result = expectSuccess(await session.upload({ ref: ref('button', 'Photo'), paths: ['a.txt'] }));
    expect(result).toMatchObject({ via: 'field', files: [{ name: 'a.txt', size: 5 }] });
    expect(result.changes).toContain('got a.txt text/plain hello');
    expect(await text()).toContain('button "Photo" @e1 value="a.txt"');
  });

  it('takes several files where it may, by full paths too', async () => {
    const { session, ref } = await openPage('<label>Photos <input type="file" multiple></label>');
    const paths = ['a.txt', join(root, 'b.png')];
    const result = await session.upload({ ref: ref('button', 'Photos'), paths });
    expect(expectSuccess(result).files).toEqual([
      { name: 'a.txt', size: 5 },
      { name: 'b.png', size: 2000 },
    ]);
  });

  it.each([
    ['', 'accepts one file, not 2'],
    ['webkitdirectory', 'expects a whole folder'],
  ])('with the attribute %j says what it takes', async (attribute, message) => {
    const { session, ref } = await openPage(`<label>Photo <input type="file" ${attribute}></label>`);
    const result = await session.upload({ ref: ref('button', 'Photo'), paths: ['a.txt', 'b.png'] });
    expect(expectFailure(result, 'invalid_input').message).toContain(message);
  });

  it('that asks for other files tells it', async () => {
    const { session, ref } = await openPage('<label>Photo <input type="file" accept="image/*, .pdf" multiple></label>');
    const result = expectSuccess(await session.upload({ ref: ref('button', 'Photo'), paths: ['a.txt', 'b.png'] }));
    expect(result.notAccepted).toEqual({ accept: 'image/*, .pdf', files: ['a.txt'] });
    expect(upload.headline(result)).toContain('It accepts only image/*, .pdf; not matching: a.txt.');
  });

  it('that is emptied by its page says so', async () => {
    const { session, ref } = await openPage(
      `<label>Photo <input type="file" onchange="tell(this.files); this.value = ''"></label>${TELL}`,
    );
    const result = expectSuccess(await session.upload({ ref: ref('button', 'Photo'), paths: ['b.png'] }));
    expect(result.files).toEqual([]);
    expect(upload.headline(result)).toContain('it is empty again');
  });

  it('that is disabled takes nothing', async () => {
    const { session, ref } = await openPage('<label>Photo <input type="file" disabled></label>');
    expectFailure(await session.upload({ ref: ref('button', 'Photo'), paths: ['a.txt'] }), 'element_disabled');
  });

  it('is told to a click, with the tool that helps', async () => {
    const { session, ref } = await openPage('<label>Photo <input type="file"></label>');
    const result = expectFailure(await session.click({ ref: ref('button', 'Photo') }), 'is_file_input');
    expect(result.recoveryHint).toContain('browser_upload');
  });
});

describe('a file field that nobody sees', () => {
  it.each([
    [
      'behind a label',
      'Choose',
      '<label>Choose <input type="file" hidden onchange="tell(this.files)"></label>',
      'field',
    ],
    [
      'inside a button-like element',
      'Choose',
      '<div role="button" tabindex="0">Choose <input type="file" style="display:none" onchange="tell(this.files)"></div>',
      'field',
    ],
    [
      'over a button',
      'Choose',
      `<div style="position:relative"><button>Choose</button>
       <input type="file" aria-hidden="true" style="position:absolute;inset:0;opacity:0" onchange="tell(this.files)"></div>`,
      'field',
    ],
    [
      'that a button opens',
      'Choose',
      `<button onclick="late.click()">Choose</button><input id="late" type="file" hidden onchange="tell(this.files)">`,
      'chooser',
    ],
    [
      'that a button makes anew, a moment later',
      'Choose',
      `<button onclick="setTimeout(() => { const field = document.createElement('input'); field.type = 'file';
        field.onchange = () => tell(field.files); field.click() }, 100)">Choose</button>`,
      'chooser',
    ],
    [
      'that a button makes anew and forgets, with much garbage after it',
      'Choose',
      `<button onclick="setTimeout(() => { const field = document.createElement('input'); field.type = 'file';
        field.onchange = () => tell(field.files); field.click(); setTimeout(makeGarbage) }, 100)">Choose</button><script>
        function makeGarbage() { for (let i = 0; i < 200; i++) document.createElement('p').data = new Array(1e5).fill({}) }
      </script>`,
      'chooser',
    ],
  ])('takes a file: %s', async (_, name, html, via) => {
    const { session, ref, text } = await openPage(`${html}${TELL}`);
    const result = expectSuccess(await session.upload({ ref: ref('button', name), paths: ['a.txt'] }));
    expect(result).toMatchObject({ via, files: [{ name: 'a.txt', size: 5 }] });
    expect(result.fileChooser).toBeUndefined();
    await expect.poll(text).toContain('got a.txt text/plain hello');
  });
});

const ZONE = `<div tabindex="0" role="button" aria-label="Zone" style="height:100px"
  ondragover="event.preventDefault()" ondrop="event.preventDefault(); tell(event.dataTransfer.files)">Drop here</div>`;

describe('a place to drop files on', () => {
  it('takes them, and is not clicked', async () => {
    const { session, ref, text } = await openPage(
      `${ZONE}<script>document.querySelector('[tabindex]').onclick = () => { document.title = 'clicked' }</script>${TELL}`,
    );
    const result = expectSuccess(await session.upload({ ref: ref('button', 'Zone'), paths: ['a.txt', 'b.png'] }));
    expect(result).toMatchObject({ via: 'drop', files: [{ name: 'a.txt' }, { name: 'b.png' }], title: 'Test page' });
    await expect.poll(text).toContain('got a.txt text/plain hello, b.png image/png');
  });

  it('is not every element of a page that keeps files from being opened', async () => {
    const { session, ref } = await openPage(
      `<button onclick="late.click()">Choose</button><input id="late" type="file" hidden>
       <script>for (const type of ['dragover', 'drop']) document.addEventListener(type, event => event.preventDefault())</script>`,
    );
    const result = expectSuccess(await session.upload({ ref: ref('button', 'Choose'), paths: ['a.txt'] }));
    expect(result).toMatchObject({ via: 'chooser', files: [{ name: 'a.txt', size: 5 }] });
  });
});

describe('an upload', () => {
  it('to what takes no files says so', async () => {
    const { session, ref } = await openPage('<button>Save</button>');
    const result = await session.upload({ ref: ref('button', 'Save'), paths: ['a.txt'] });
    expect(expectFailure(result, 'invalid_input').message).toContain('did not open a file chooser');
  });

  it('of what is not allowed touches nothing', async () => {
    const { session, ref } = await openPage('<button onclick="document.title = 1">Save</button>');
    const result = expectFailure(
      await session.upload({ ref: ref('button', 'Save'), paths: ['a.txt', '/etc/passwd'] }),
      'file_not_allowed',
    );
    expect(result.message).toContain('"/etc/passwd" is outside the folders');
    expect(result.recoveryHint).toContain(root);
    expect(await session.snapshot()).toMatchObject({ title: 'Test page' });
  });

  it('may come from folders that depend on the thread', async () => {
    const toolset = testToolset({ uploadRoots: async ({ threadId }) => (threadId === 'ann' ? [root] : []) });
    const site = await servePages({ '/': '<label>Photo <input type="file"></label>' });
    for (const [thread, files] of [
      ['ann', [{ name: 'a.txt', size: 5 }]],
      ['bo', undefined],
    ] as const) {
      const session = toolset.session(thread);
      expectSuccess(await session.navigate({ url: site.url('/') }));
      const result = await session.upload({ ref: '@e1', paths: ['a.txt'] });
      expect(result).toMatchObject(files === undefined ? { code: 'file_not_allowed' } : { files });
    }
  });

  it('is refused with the option to set where no folder is allowed', async () => {
    const session = testToolset().session();
    const result = expectFailure(await session.upload({ ref: '@e1', paths: ['a.txt'] }), 'file_not_allowed');
    expect(result.message + result.recoveryHint).toMatch(/uploadRoots names no folder.*Tell the user/s);
  });
});

describe('a click that opens a file chooser', () => {
  it('tells it and holds nothing up', async () => {
    const { session, ref } = await openPage(
      `<button onclick="late.click()">Choose</button><input id="late" type="file" multiple hidden><button onclick="document.title = 'Done'">Go on</button>`,
    );
    for (let times = 0; times < 2; times++) {
      const result = expectSuccess(await session.click({ ref: ref('button', 'Choose') }));
      expect(result.fileChooser).toEqual({ multiple: true });
    }
    expect(expectSuccess(await session.click({ ref: ref('button', 'Go on') })).title).toBe('Done');
    const given = await session.upload({ ref: ref('button', 'Choose'), paths: ['a.txt', 'b.png'] });
    expect(expectSuccess(given).files).toHaveLength(2);
  });

  it('in a frame of another process tells it too', async () => {
    const inner = await servePages({
      '/': '<!doctype html><button onclick="late.click()">Choose</button><input id="late" type="file" hidden>',
    });
    const { session, ref } = await openPage(
      `<iframe title="Widget" src="${inner.url().replace('127.0.0.1', 'localhost')}"></iframe>`,
    );
    for (let times = 0; times < 5; times++) {
      const result = expectSuccess(await session.click({ ref: ref('button', 'Choose') }));
      expect(result.fileChooser).toEqual({ multiple: false });
    }
  });
});

describe('a page that asks by a file picker', () => {
  /** Says which files it has, as libraries read them. */
  const PICKS = `<script>const take = async handles => tell(await Promise.all(handles.map(handle => handle.getFile())));
    const fail = error => { document.querySelector('output').textContent = error.name }</script>${TELL}`;

  it.each([
    ['at once', `showOpenFilePicker().then(take, fail)`],
    [
      'for pictures, and asks what it got',
      `showOpenFilePicker({ types: [{ accept: { 'text/plain': ['.txt'] } }] }).then(async handles => {
        if (handles.every(handle => handle instanceof FileSystemFileHandle && handle.kind === 'file')) await take(handles) }).catch(fail)`,
    ],
    ['after a request', `fetch('/').then(() => window.showOpenFilePicker({ multiple: true })).then(take, fail)`],
  ])('gets the files: %s', async (_, script) => {
    const { session, ref, text, evaluate } = await openPage(
      `<button onclick="${script.replaceAll('"', '&quot;')}">Open</button>${PICKS}`,
    );
    const result = expectSuccess(await session.upload({ ref: ref('button', 'Open'), paths: ['a.txt'] }));
    expect(result).toMatchObject({ via: 'chooser', files: [{ name: 'a.txt', size: 5 }] });
    expect(result.notAccepted).toBeUndefined();
    await expect.poll(text).toContain('got a.txt text/plain hello');
    expect(await evaluate('String(showOpenFilePicker)')).toContain('[native code]');
  });

  it('gets several where it takes several, and none where it takes one', async () => {
    const page = (options: string) =>
      `<button onclick="showOpenFilePicker(${options}).then(take, fail)">Open</button>${PICKS}`;
    const several = await openPage(page('{ multiple: true }'));
    const paths = ['a.txt', 'b.png'];
    expectSuccess(await several.session.upload({ ref: several.ref('button', 'Open'), paths }));
    await expect.poll(several.text).toContain('got a.txt text/plain hello, b.png image/png');
    const one = await openPage(page(''));
    const refused = expectFailure(await one.session.upload({ ref: one.ref('button', 'Open'), paths }), 'invalid_input');
    expect(refused.message).toContain('the file picker accepts one file, not 2');
    await expect.poll(one.text).toContain('AbortError');
  });

  it('is told that a folder cannot be uploaded', async () => {
    const { session, ref, text } = await openPage(
      `<button onclick="showDirectoryPicker().then(take, fail)">Open</button>${PICKS}`,
    );
    const result = expectFailure(
      await session.upload({ ref: ref('button', 'Open'), paths: ['a.txt'] }),
      'invalid_input',
    );
    expect(result.message).toContain('expects a whole folder');
    await expect.poll(text).toContain('AbortError');
  });
});

describe('files that were taken are not given again', () => {
  const COUNTS = `<script>let times = 0; const count = files => { times++; tell(files) }</script>${TELL}`;

  it.each([
    [
      'a field that its page takes away',
      `<label>Photo <input type="file" onchange="count(this.files); this.closest('label').remove()"></label>`,
    ],
    [
      'a field that its page replaces',
      `<label>Photo <input type="file" onchange="const { files, parentNode } = this; const fresh = this.cloneNode(); fresh.onchange = this.onchange; this.replaceWith(fresh); count(files)"></label>`,
    ],
    [
      'a field whose page is busy for longer than a first try',
      `<label>Photo <input type="file" onchange="count(this.files); this.hidden = true; const request = new XMLHttpRequest(); request.open('GET', '/slow', false); request.send()"></label>`,
    ],
    [
      'a drop zone that goes',
      `<div role="button" tabindex="0" aria-label="Photo" style="height:100px" ondragover="event.preventDefault()" ondrop="event.preventDefault(); count(event.dataTransfer.files); this.remove()">Drop</div>`,
    ],
    [
      'a drop zone that hides while its page is busy',
      `<div role="button" tabindex="0" aria-label="Photo" style="height:100px" ondragover="event.preventDefault()" ondrop="event.preventDefault(); count(event.dataTransfer.files); this.style.display = 'none'; const request = new XMLHttpRequest(); request.open('GET', '/slow', false); request.send()">Drop</div>`,
    ],
  ])('to %s', async (_, html) => {
    const { session, ref, evaluate, text } = await openPage({
      '/': `${html}${COUNTS}`,
      // Longer than the first try of an action.
      '/slow': (_, response) => void setTimeout(() => response.end(), 2_000),
    });
    expectSuccess(await session.upload({ ref: ref('button', 'Photo'), paths: ['a.txt'] }));
    expect(await evaluate('times')).toBe(1);
    await expect.poll(text).toContain('got a.txt');
  });
});
