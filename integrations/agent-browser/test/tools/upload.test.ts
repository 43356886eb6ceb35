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
