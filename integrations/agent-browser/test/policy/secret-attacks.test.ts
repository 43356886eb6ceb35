import { describe, expect, it } from 'vitest';
import { scriptedModel } from '../../examples/scripted-model.ts';
import { expectSuccess, refOf, servePages, testToolset } from '../fixtures.js';
import { pageOpener } from '../tools/open-page.js';

const secrets = {
  LONG: { value: 'S3cret-Pass9', domains: ['127.0.0.1'] },
  A_PIN: { value: 'K7q2w', domains: ['127.0.0.1'] },
  WORDS: { value: 'correct horse', domains: ['127.0.0.1'] },
};
const values = Object.values(secrets).map(({ value }) => value);

const each = (text: string, wrap: (letter: string) => string) => [...text].map(wrap).join('');
/** Ways in which a page may show a text without having it in one piece. */
const shapes: Record<string, (text: string) => string> = {
  'in several inline elements': text => `<p><b>${text.slice(0, 3)}</b>${text.slice(3, 4)}<i>${text.slice(4)}</i></p>`,
  'in nested inline elements': text =>
    `<p><b>${text.slice(0, 2)}<i><u>${text.slice(2, 4)}</u></i></b><span><em>${text.slice(4)}</em></span></p>`,
  'with the letters in links': text =>
    `<p>pw: ${text.slice(0, 2)}<a href="#x">${text.slice(2, 3)}</a>${text.slice(3)}</p>`,
  'with wbr in it': text => `<p>${[...text].join('<wbr>')}</p>`,
  'with comments in it': text => `<p>${[...text].join('<!-- x -->')}</p>`,
  'with soft hyphens in it': text => `<p>${[...text].join('&shy;&shy;&shy;&shy;&shy;')}</p>`,
  'with zero-width characters in it': text => `<p>${[...text].join('\u200b\u200c\u2060\ufeff\u034f\u{e0061}')}</p>`,
  'with bidirectional marks in it': text => `<p>${[...text].join('\u2066\u2069\u200e\u061c\u180e')}</p>`,
  'as entities': text => `<p>${each(text, letter => `&#${letter.charCodeAt(0)};`)}</p>`,
  'in the cells of a table': text => `<table><tr>${each(text, letter => `<td> ${letter} </td>\n`)}</tr></table>`,
  'in the items of a list': text => `<ul>${each(text, letter => `<li>${letter}</li>`)}</ul>`,
  'in blocks': text => `<section>${each(text, letter => `<div>${letter}</div>`)}</section>`,
  'in inline blocks': text => `<p>${each(text, letter => `<span style="display: inline-block">${letter}</span>`)}</p>`,
  'in the letters of a flexible row': text =>
    `<div style="display: flex">${each(text, letter => `<span>${letter}</span>`)}</div>`,
  'in buttons': text => `<div>${each(text, letter => `<button>${letter}</button>`)}</div>`,
  'in one button, letter by letter': text =>
    `<button>${each(text, letter => `<span style="display: block">${letter}</span>`)}</button>`,
  'in a heading, in part': text => `<h2>Key ${text.slice(0, 4)}<small>${text.slice(4)}</small></h2>`,
  'in code that is coloured': text =>
    `<pre><code>key = "${each(text, letter => `<span>${letter}</span>`)}"</code></pre>`,
  'spaced out': text => `<p>Key: ${[...text].join(' ')} end</p>`,
  'in the alternative texts of images': text =>
    `<p>${each(text, letter => `<img alt="${letter}" src="/a.png" width="50" height="50">`)}</p>`,
  'in attributes': text =>
    `<p><a href="/x?k=${text}" title="${text}">link</a><img alt="${text}" src="/a.png?${text}" width="50" height="50"></p>`,
  'in fields': text => `<p>${each(text, letter => `<input value="${letter}" aria-label="Digit">`)}</p>`,
  'in a shadow tree, in part': text =>
    `<p>${text.slice(0, 3)}<span><template shadowrootmode="open">${text.slice(3, 5)}<slot></slot></template>${text.slice(5)}</span></p>`,
  'in the text of its style sheet, in part': text =>
    `<style>.k${text.length}::after { content: "${text.slice(4)}" }</style><p><b class="k${text.length}">${text.slice(0, 4)}</b></p>`,
  'in the text of its style sheet, and in an attribute': text =>
    `<style>[data-a]::before { content: attr(data-a) } [data-z]::after { content: attr(data-z); display: inline-block }</style>
     <p data-a="${text.slice(0, 2)}" data-z="${text.slice(4)}">${text.slice(2, 4)}</p>`,
};
const page = (body: string) =>
  `<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,"><title>T</title><main>${body}</main>`;
const shown = Object.entries(shapes);
const site = await servePages({
  ...Object.fromEntries(shown.map(([, shape], index) => [`/${index}`, page(values.map(shape).join('<hr>'))])),
  '/later': page(`<button id="show">Show</button><ul id="place"></ul><script>show.onclick = () => {
    for (const letter of ${JSON.stringify(values[0])}) place.append(Object.assign(document.createElement('li'), { textContent: letter }));
  }</script>`),
  '/frames': page(`<iframe srcdoc="<p>S3cret</p>"></iframe><p>-Pa</p><iframe srcdoc="<b>s</b>s9"></iframe>`),
  '/logs': page(`<script>
    const text = ${JSON.stringify(values[0])};
    for (const letter of text) console.error(letter);
    console.error('<b>' + text.slice(0, 3) + '</b>' + text.slice(3));
    console.error([...text].join('\\u200b'));
    document.title = [...text].join('\\u200d');
    fetch('/markup');
  </script>`),
  '/markup': page(values.map(shapes['in several inline elements'] as (text: string) => string).join('')),
});

/** What a person, or a model, would put together of a text: letters and digits alone. */
const letters = (text: string) => text.replace(/<secret>.*?<\/secret>/g, '').replace(/[^\p{L}\p{N}]/gu, '');
const told = (text = '') => values.filter(value => letters(text).includes(letters(value)));
const textOf = (html: string) =>
  html
    .replace(/<img [^>"]*alt="([^"]*)"[^>]*>/g, '$1')
    .replace(/<(?!\/?secret)[^>]*>/g, '')
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>');
const named = (tree = '') => [...tree.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map(([, name]) => name).join('');
const session = pageOpener({ secrets, allowEvaluate: true }).toolset.session();

describe('a secret that a page shows', () => {
  it.each(shown.flatMap(([how], index) => (how.includes('style sheet') ? [[how, index] as const] : [])))(
    '%s is told in no half either',
    async (_, index) => {
      expectSuccess(await session.navigate({ url: site.url(`/${index}`) }));
      const { tree = '' } = expectSuccess(await session.snapshot({ interactiveOnly: false }));
      for (const [name, { value }] of Object.entries(secrets)) {
        expect(tree).toContain(`<secret>${name}</secret>`);
        expect(tree).not.toContain(`"${value.slice(0, 4)}"`);
      }
      const { matches = [] } = await session.find({ text: values[0]?.slice(0, 4) ?? '' });
      expect(matches).toEqual([]);
    },
  );

  it.each(shown.map(([how], index) => [how, index] as const))('%s is read in no format', async (how, index) => {
    expectSuccess(await session.navigate({ url: site.url(`/${index}`) }));
    for (const format of ['markdown', 'text', 'html'] as const) {
      const { content = '' } = expectSuccess(await session.read({ format, full: true }));
      const text = format === 'html' ? textOf(content) : content;
      expect([format, content, told(text)]).toEqual([format, content, []]);
      const isShown = !/images|attributes/.test(how) || (format === 'html' && !how.includes('attributes'));
      for (const name of isShown ? Object.keys(secrets) : []) expect(text).toContain(`<secret>${name}</secret>`);
    }
    const full = expectSuccess(await session.snapshot({ interactiveOnly: false }));
    expect([full.tree, told(named(full.tree))]).toEqual([full.tree, []]);
    const { tree } = expectSuccess(await session.snapshot());
    expect([tree, told(named(tree))]).toEqual([tree, []]);
    for (const text of ['S3', 'K7', 'secret']) {
      const { matches = [] } = await session.find({ text });
      expect(told(matches.map(match => match.text).join(''))).toEqual([]);
    }
  });

  it('is read across no frames', async () => {
    expectSuccess(await session.navigate({ url: site.url('/frames') }));
    const { content = '' } = expectSuccess(await session.read({ full: true }));
    expect([content, told(content)]).toEqual([content, []]);
    expect(content).toContain('<secret>LONG</secret>');
  });

  it('is told in no change of the page', async () => {
    expectSuccess(await session.navigate({ url: site.url('/later') }));
    const ref = refOf(expectSuccess(await session.snapshot()), 'button', 'Show');
    const { changes = '' } = expectSuccess(await session.click({ ref }));
    expect([changes, told(named(changes))]).toEqual([changes, []]);
    expect(changes).toContain('<secret>LONG</secret>');
  });

  it('reaches no model that extracts', async () => {
    const model = scriptedModel([JSON.stringify({ data: { key: values[0] }, sources: [] })]);
    const extracting = testToolset({ secrets, extract: { model } }).session();
    expectSuccess(await extracting.navigate({ url: site.url('/0') }));
    const result = expectSuccess(
      await extracting.extract({ schema: { type: 'object', properties: { key: { type: 'string' } } } }),
    );
    const asked = JSON.stringify(model.calls[0]?.prompt);
    expect(asked).toContain('<secret>LONG</secret>');
    expect(told(asked.replaceAll('**', ''))).toEqual([]);
    expect(result.data).toEqual({ key: '<secret>LONG</secret>' });
  });

  it('is told in no title, log or body of an answer', async () => {
    await session.network({});
    const { title } = expectSuccess(await session.navigate({ url: site.url('/logs') }));
    expect(title).toBe('<secret>LONG</secret>');
    const { messages = [] } = expectSuccess(await session.console({}));
    expect(messages.length).toBeGreaterThanOrEqual(13);
    expect([messages, told(messages.map(({ text }) => text.replace(/<.*?>/g, '')).join(''))]).toEqual([messages, []]);
    const { requests = [] } = expectSuccess(await session.network({ filter: '/markup' }));
    const { request } = expectSuccess(await session.network({ id: requests[0]?.id ?? '' }));
    const body = request?.body ?? '';
    expect([body, told(textOf(body))]).toEqual([body, []]);
  });

  it('is told in no list of what a script finds', async () => {
    expectSuccess(await session.navigate({ url: site.url('/10') }));
    const evaluated = await session.evaluate({
      expression: `({ rows: [...document.querySelectorAll('li')].map(item => ({ text: item.textContent })),
        cells: [...document.querySelectorAll('li')].map(item => item.textContent), html: document.querySelector('ul').outerHTML })`,
    });
    const result = expectSuccess(evaluated).result as { rows: { text: string }[]; cells: string[]; html: string };
    const { rows, cells, html } = result;
    expect([cells, told(cells.join(''))]).toEqual([cells, []]);
    expect([rows, told(rows.map(({ text }) => text).join(''))]).toEqual([rows, []]);
    expect([html, told(textOf(html))]).toEqual([html, []]);
  });
});
