import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { trials } from '../../../../scripts/testing/trials.js';
import { expectSuccess, pageOf, servePages, sharingToolset } from '../fixtures.js';

/** Requests that a press made by sending a form or downloading a file. */
let made: string[] = [];

const site = await servePages({
  '/made': (request, response) => {
    made.push(`${request.method} ${request.url}`);
    response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>Made</title>Made');
  },
  '/made.zip': (_, response) => {
    made.push('archive');
    response.writeHead(200, { 'content-type': 'application/zip' }).end('PK');
  },
  '/': (request, response) => {
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
    response.end(decodeURIComponent(request.url?.split('?')[1] ?? ''));
  },
});

const toolset = sharingToolset({
  approval: ['submit', 'pay', 'delete', 'download'],
  uploadRoots: [import.meta.dirname],
});
const { tools } = toolset;
afterAll(() => toolset.close());

/** What a control does in the end, as markup with attributes `A` for its role, name and handlers. */
const CONTROLS = {
  'a button': '<button A>Next</button>',
  'a button of another form': '<button form="other" A>Next</button>',
  'an input': '<input type="submit" value="Next" A>',
  'a picture':
    '<input type="image" alt="Next" width="60" height="30" src="data:image/gif;base64,R0lGODlhAQABAAAAACw=" A>',
  'a part of a button': '<button><span tabindex="0" A>Next</span></button>',
  'a label': '<label for="sender" tabindex="0" A>Next</label><input type="submit" id="sender" hidden>',
  'a link to download': '<a href="/made" download A>Next</a>',
  'a link to a file': '<a href="/made.zip" A>Next</a>',
  'a link in a drawing': '<svg width="90" height="40"><a href="/made.zip" A><text x="9" y="20">Next</text></a></svg>',
} as const;

/** How a control is harmless until a moment: what is taken from it, and what gives that back. */
const HARMLESS: Record<string, [off: string, on: string]> = {
  BUTTON: ['type="button"', "this.type = 'submit'"],
  INPUT: ['type="button"', "this.type = 'submit'"],
  A: ['href="/?"', "this.setAttribute('href', '/made.zip')"],
};

const ROLES = [
  'combobox',
  'slider',
  'textbox',
  'searchbox',
  'spinbutton',
  'listbox',
  'option',
  'switch',
  'checkbox',
  'radio',
].concat(['tab', 'menuitem', 'menuitemcheckbox', 'link', 'button', 'treeitem', 'gridcell']);
const MOMENTS = ['pointerenter', 'mouseenter', 'mousemove', 'focus', 'pointerdown', 'mousedown', 'mouseup', 'click'];

const page = fc
  .record({
    control: fc.constantFrom(...(Object.keys(CONTROLS) as (keyof typeof CONTROLS)[])),
    role: fc.option(fc.constantFrom(...ROLES)),
    moment: fc.option(fc.constantFrom(...MOMENTS)),
    target: fc.constantFrom('', 'target="_blank"'),
  })
  .map(({ control, role, moment, target }) => {
    const markup = CONTROLS[control];
    const tag = /^<(?:svg[^>]*><)?(\w+)/.exec(markup)?.[1]?.toUpperCase() ?? '';
    const [off, on] = (markup.includes('><span') ? undefined : HARMLESS[tag]) ?? ['', ''];
    const changes = moment === null || on === '' ? '' : `${off} on${moment}="${on}"`;
    const attributes = `id="at" ${role === null ? '' : `role="${role}" aria-checked="false"`} aria-label="Next" ${changes}`;
    const kept = changes === '' ? markup : markup.replace(/ type="submit"| href="[^"]*"| download/g, '');
    return `<!doctype html><title>Page</title><link rel="icon" href="data:,"><form id="other" action="/made"></form>
      <form action="/made" method="post" ${target}><input aria-label="Field">${kept.replace(' A', ` ${attributes}`)}</form>`;
  });

type Way = (ref: string, at: { x: number; y: number }) => Promise<unknown>;
const WAYS: Record<string, Way> = {
  click: ref => tools.browser_click.execute({ ref }),
  'click a point': (_, at) => tools.browser_click.execute(at),
  'click twice': ref => tools.browser_click.execute({ ref, clickCount: 2 }),
  'click a point five times': (_, at) => tools.browser_click.execute({ ...at, clickCount: 5 }),
  'click after hovering': async ref => [
    await tools.browser_hover.execute({ ref }),
    await tools.browser_click.execute({ ref }),
  ],
  'click again and again': async ref => [
    await tools.browser_click.execute({ ref }),
    await tools.browser_click.execute({ ref }),
  ],
  'click after a snapshot': async ref => [
    await tools.browser_click.execute({ ref }),
    await tools.browser_snapshot.execute({}),
    await tools.browser_click.execute({ ref }),
  ],
  'list its options': ref => tools.browser_select.execute({ ref }),
  'choose by label': ref => tools.browser_select.execute({ ref, labels: ['Next'] }),
  'choose by index': ref => tools.browser_select.execute({ ref, indexes: [0] }),
  'fill with true': ref => tools.browser_fill_form.execute({ fields: [{ ref, value: true }] }),
  'fill with a text': ref => tools.browser_fill_form.execute({ fields: [{ ref, value: 'true' }] }),
  'fill with its name': ref => tools.browser_fill_form.execute({ fields: [{ ref, value: 'Next' }] }),
  'fill with a list': ref => tools.browser_fill_form.execute({ fields: [{ ref, value: ['Next'] }] }),
  'fill and submit by it': ref => tools.browser_fill_form.execute({ fields: [{ ref, value: '5' }], submit: ref }),
  type: ref => tools.browser_type.execute({ ref, text: 'Next' }),
  'press Enter': ref => tools.browser_press.execute({ ref, keys: 'Enter' }),
  'press a space': ref => tools.browser_press.execute({ ref, keys: 'Space' }),
  'press arrows': ref => tools.browser_press.execute({ ref, keys: ['ArrowRight', 'ArrowDown'] }),
  'drag it where it is': ref => tools.browser_drag.execute({ from: ref, to: ref }),
  'drag a point where it is': (_, at) => tools.browser_drag.execute({ from: at, to: { x: at.x + 1, y: at.y } }),
  upload: ref => tools.browser_upload.execute({ ref, paths: [import.meta.filename] }),
};

describe('without an approval', () => {
  it('no press sends a form or downloads, by whatever tool, role or change of the page', {
    timeout: trials.limit,
  }, async () => {
    const session = toolset.session('default');
    await fc.assert(
      fc.asyncProperty(page, fc.constantFrom(...Object.keys(WAYS)), async (html, way) => {
        made = [];
        expectSuccess(await session.navigate({ url: site.url(`/?${encodeURIComponent(html)}`) }));
        const { refs = {} } = expectSuccess(await session.snapshot({ interactiveOnly: false }));
        const ref = Object.keys(refs).find(each => refs[each]?.name === 'Next') ?? '@e1';
        const open = await pageOf(toolset, 'default');
        const at = await open.evaluate<{ x: number; y: number }>(
          '(({ x, y, width, height }) => ({ x: x + width / 2, y: y + height / 2 }))(at.getBoundingClientRect())',
        );
        await WAYS[way]?.(ref, at);
        const after = await pageOf(toolset, 'default');
        await after.evaluate(() => new Promise(resolve => requestAnimationFrame(() => setTimeout(resolve))));
        expect(made).toEqual([]);
      }),
      trials.runs({ slice: 40, full: 2_000 }),
    );
  });
});
