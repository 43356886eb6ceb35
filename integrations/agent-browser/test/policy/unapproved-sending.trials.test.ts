import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { trials } from '../../../../scripts/testing/trials.js';
import { expectFailure, expectSuccess, pageOf, refOf, servePages, sharingToolset } from '../fixtures.js';

const TYPES = ['text', 'search', 'password', 'email', 'tel', 'url', 'number'];
const FIELDS = [...TYPES, 'combobox', 'area', 'editor', 'first', 'last'];

/** Forms that count how often they were sent. A code field moves the focus on to what sends it. */
const site = await servePages({
  '/': `<!doctype html><title>Forms</title><link rel="icon" href="data:,"><body>
    ${TYPES.map(type => `<form><input type="${type}" aria-label="${type}"></form>`).join('')}
    <form><input role="combobox" aria-label="combobox" aria-expanded="false" list="none"></form>
    <form><textarea aria-label="area"></textarea><button>Send area</button></form>
    <form><div contenteditable role="textbox" aria-label="editor">Text</div><button>Send editor</button></form>
    <form><input aria-label="first" maxlength="1"><input aria-label="last"><button id="go">Send code</button></form>
    <script>
      window.sent = [];
      addEventListener('submit', event => { event.preventDefault(); sent.push(event.target.textContent.trim() || 'a field'); });
      const [first, last] = ['first', 'last'].map(name => document.querySelector('[aria-label=' + name + ']'));
      first.addEventListener('input', () => { if (first.value !== '') last.focus(); });
      last.addEventListener('input', () => { if (last.value.length > 1) go.focus(); });
    </script>`,
});

const toolset = sharingToolset({
  approval: ['submit', 'pay'],
  secrets: { BROKEN: { value: 'secret\r\nword', domains: ['127.0.0.1'] } },
});
const { tools } = toolset;
const refs = new Map<string, string>();

beforeAll(async () => {
  await tools.browser_navigate.execute({ url: site.url() });
  const page = expectSuccess(await tools.browser_snapshot.execute({}));
  const roles: Record<string, string> = { combobox: 'combobox', search: 'searchbox', number: 'spinbutton' };
  for (const name of FIELDS) refs.set(name, refOf(page, roles[name] ?? 'textbox', name));
});
afterAll(() => toolset.close());

const sent = async () => (await pageOf(toolset, 'default')).evaluate<string[]>('sent');

/** What a model may write, of what browsers and pages take for more than a letter. */
const piece = fc.constantFrom(
  ...['a', '7', 'é', '漢', ' ', '  ', '\n', '\r', '\r\n', '\n\n', '\t', '\v', '\f', '\b', '\u0000', '\u001b', '\u0085'],
  ...['\u2028', '\u2029', '\u00a0', '\u200b', 'Enter', '{Enter}', '\\n', '&#10;', '<secret>BROKEN</secret>'],
);
const text = fc.array(piece, { maxLength: 6 }).map(pieces => pieces.join(''));

type Ways = Record<
  string,
  (ref: string, text: string, more: { keys: string[]; clear: boolean; slowly: boolean }) => Promise<unknown>
>;
const WAYS: Ways = {
  type: (ref, text, { clear, slowly }) => tools.browser_type.execute({ ref, text, clear, slowly }),
  'fill a form': (ref, value) => tools.browser_fill_form.execute({ fields: [{ ref, value }] }),
  'press it at a field': (ref, text) => tools.browser_press.execute({ ref, keys: text || 'a' }),
  'press keys at a field': (ref, _, { keys }) => tools.browser_press.execute({ ref, keys }),
  'press keys where the focus is': (_, __, { keys }) => tools.browser_press.execute({ keys }),
  'copy it and paste it': async (ref, text) => {
    await tools.browser_type.execute({ ref: refs.get('area') ?? '', text });
    await toolset.session('default').clipboard({ action: 'copy', ref: refs.get('area') ?? '' });
    return toolset.session('default').clipboard({ action: 'paste', ref });
  },
};

describe('without an approval', () => {
  const call = fc.record({
    way: fc.constantFrom(...Object.keys(WAYS)),
    text,
    keys: fc.array(piece, { minLength: 1, maxLength: 4 }),
    clear: fc.boolean(),
    slowly: fc.boolean(),
  });
  it('no text and no keys send a form', { timeout: trials.limit }, async () => {
    await fc.assert(
      fc.asyncProperty(call, fc.nat(FIELDS.length - 1), async ({ way, text, ...more }, at) => {
        await WAYS[way]?.(refs.get(FIELDS[at] ?? '') ?? '', text, more);
        expect(await sent()).toEqual([]);
      }),
      trials.runs({ slice: 60, full: 2_000 }),
    );
  });

  it.each(['\n', '\r', '\r\n', 'a\n', ' \n', '\na'])(
    '%j in a field of one line sends nothing, and Enter is refused',
    async text => {
      const ref = refs.get('text') ?? '';
      for (const slowly of [false, true]) {
        const { value } = expectSuccess(await tools.browser_type.execute({ ref, text, slowly }));
        expect(value).toBe(text.replace(/^[\r\n]+|[\r\n]+$/g, ''));
      }
      expectSuccess(await tools.browser_fill_form.execute({ fields: [{ ref, value: text }] }));
      expectFailure(await tools.browser_press.execute({ ref, keys: ['a', 'Enter'] }), 'approval_required');
      expectFailure(await tools.browser_press.execute({ ref, keys: ['a', '\n'] }), 'approval_required');
      expect(await sent()).toEqual([]);
    },
  );

  it('the space of a text presses nothing that a page has moved the focus to', async () => {
    const ref = refs.get('last') ?? '';
    const { message } = expectFailure(
      await tools.browser_type.execute({ ref, text: '12 34', slowly: true }),
      'not_focusable',
    );
    expect(message).toContain('button "Send code"');
    expect(message).toContain('The text was only partly typed.');
    expect(await sent()).toEqual([]);
  });
});
