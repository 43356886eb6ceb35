import { describe, expect, test } from 'vitest';
import { expectFailure, expectSuccess } from '../fixtures.js';
import { pageOpener } from './open-page.js';

const { openPage } = pageOpener();

const PARAGRAPH =
  'The harbour bridge was opened in the spring of the year after the flood, and it has carried trams ever since.';
const prose = (count: number) => Array.from({ length: count }, (_, index) => `<p>${PARAGRAPH} (${index})</p>`).join('');
const NAV = `<nav><ul>${Array.from({ length: 20 }, (_, index) => `<li><a href="/s${index}">Section ${index}</a></li>`).join('')}</ul></nav>`;

test('what is collapsed says so, in each format; what opens a menu, and a picture alone, do not', async () => {
  const { session } = await openPage(`<title>Help</title>
    <details><summary>Shipping</summary><p>Two days</p></details>
    <details open><summary>Returns</summary><p>Within a month</p></details>
    <h3><button aria-expanded="false">Warranty</button></h3><h3><button aria-expanded="true">Repairs</button></h3>
    <button aria-expanded="false" aria-haspopup="menu">Account</button>
    <button aria-expanded="false"><svg width="9" height="9"></svg></button>`);
  for (const format of ['markdown', 'text', 'html'] as const) {
    const { content = '' } = expectSuccess(await session.read({ format }));
    expect(content.match(/\w+ \(collapsed\)/g)).toEqual(['Shipping (collapsed)', 'Warranty (collapsed)']);
    expect(content.match(/collapsed/g)).toHaveLength(2);
    expect(content).toContain('Returns');
  }
});

describe('an article', () => {
  test('is read as Markdown without what is around it, and says that there is more', async () => {
    const { session, site } = await openPage(`<title>Bridges</title>${NAV}<main><article><h1>Bridges</h1>${prose(6)}
      <h2>Later years</h2><p>It was <strong>painted</strong> by <a href="/painters">two painters</a>. ${PARAGRAPH}</p>
      <ul><li>Painted red in the first year of the new mayor<li>Painted green in the year after that one</ul></article></main>
      <aside><p>Subscribe to our letter. ${PARAGRAPH}</p></aside><footer>Imprint</footer>`);
    const result = expectSuccess(await session.read());
    expect(result).toMatchObject({ part: 'article', pages: 1, page: 1, title: 'Bridges' });
    expect(result.content).toContain('## Later years');
    expect(result.content).toContain(`**painted** by [two painters](${site.url('/painters')})`);
    expect(result.content).toContain('- Painted red in the first year of the new mayor\n- Painted green');
    expect(result.content).not.toMatch(/Section 3|Subscribe|Imprint/);
    const full = expectSuccess(await session.read({ full: true }));
    expect(full.part).toBe('page');
    expect(full.content).toMatch(/Section 3[\s\S]*Bridges[\s\S]*Subscribe[\s\S]*Imprint/);
  });

  test('keeps its tables and its code to the letter', async () => {
    const code = 'if (a < b && c) {\n\treturn `x`;\n}\n\n\nrun("<b>");';
    const { session } = await openPage(`<article><h1>Guide</h1>${prose(4)}
      <table><caption>Ports</caption><thead><tr><th>Name<th>Depth</thead>
      <tr><td><a href="/oslo">Oslo</a><td>12 m<tr><td>A | B<td>-<tr><td colspan="2">none</table>
      <pre><code class="language-js">${code.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</code></pre>${prose(2)}</article>`);
    const { content } = expectSuccess(await session.read({ links: false }));
    expect(content).toContain(`\`\`\`js\n${code}\n\`\`\``);
    expect(content).toContain(
      'Ports\n\n| Name | Depth |\n| --- | --- |\n| Oslo | 12 m |\n| A \\| B | - |\n| none |  |',
    );
  });

  test('leaves hidden content out', async () => {
    const { session } = await openPage(`<article><h1>Seen</h1>${prose(5)}
      <p style="display:none">Unseen one</p><p hidden>Unseen two</p><p style="visibility:hidden">Unseen three</p>
      <p style="opacity:0">Unseen four</p><p style="position:absolute;left:-9999px">Unseen five</p>
      <p><span style="font-size:0">Unseen six</span> ${PARAGRAPH}</p><template><p>Unseen seven</p></template>
      <noscript>Unseen eight</noscript><script type="text/plain">Unseen nine</script><style>p::after { content: '' }</style></article>`);
    for (const format of ['markdown', 'text', 'html'] as const) {
      expect(expectSuccess(await session.read({ format, full: true })).content).not.toContain('Unseen');
    }
  });
});

describe('what is no article', () => {
  test('is read as a whole: a shop loses neither prices nor names', async () => {
    const cards = Array.from(
      { length: 30 },
      (_, index) => `<li class="card"><a href="/p${index}"><h3>Mug ${index}</h3></a>
      <p>${index % 3 === 0 ? PARAGRAPH : 'In stock'}</p><span>$${index}.99</span><button>Add</button></li>`,
    );
    const { session } = await openPage(`${NAV}<main><h1>Mugs</h1><ul>${cards.join('')}</ul></main>`);
    const { content, part } = expectSuccess(await session.read());
    expect(part).toBe('page');
    for (let index = 0; index < 30; index++)
      expect(content).toMatch(new RegExp(`Mug ${index}\\b[\\s\\S]*\\$${index}\\.99`));
  });

  test('is read as a whole: a dashboard, with what its fields hold and no password', async () => {
    const { session } =
      await openPage(`<h1>Status</h1><table><tr><th>Host<th>Load<tr><td>alpha<td>0.91<tr><td>beta<td>0.12</table>
      <label>Owner <input value="Ann"></label><label>Key <input type="password" value="hunter2"></label>
      <label><input type="checkbox" checked> Alerts</label><select><option>Daily<option selected>Weekly</select>`);
    const { content = '' } = expectSuccess(await session.read());
    expect(content).toContain('| alpha | 0.91 |');
    expect(content).toMatch(/Owner\s+Ann/);
    expect(content).toContain('[x] Alerts');
    expect(content).toContain('Weekly');
    expect(content).not.toMatch(/Daily|hunter2/);
  });

  test('is the text in shadow trees, slots and frames of the page, in its place', async () => {
    const { session, site } = await openPage({
      '/': `<p>Before</p><my-card><b slot="name">Ann</b> <i>unslotted</i></my-card><iframe src="/inner" width="400" height="200"></iframe>
        <iframe srcdoc="<p>Written inside" width="400" height="200"></iframe><p>After</p>
        <script>customElements.define('my-card', class extends HTMLElement { constructor() { super();
          this.attachShadow({ mode: 'open' }).innerHTML = '<style>b { color: red }</style><p>Name: <slot name="name"></slot></p>'; } })</script>`,
      '/inner': '<p>Inside the frame</p><a href="next">Next</a>',
    });
    await session.wait({ for: { text: 'Written inside' } });
    const { content = '' } = expectSuccess(await session.read());
    expect(content.split('\n').filter(Boolean)).toEqual([
      'Before',
      'Name: **Ann**',
      'Inside the frame',
      `[Next](${site.url('/next')})`,
      'Written inside',
      'After',
    ]);
  });

  test('has a link in the place of a frame of another site, which is read when it is asked for', async () => {
    const other = await openPage('<p>From elsewhere</p>');
    const url = other.site.url().replace('127.0.0.1', 'localhost');
    const { session, ref } = await openPage(
      `<p>Here</p><iframe title="Other" src="${url}" width="400" height="200"></iframe>`,
    );
    const { content } = expectSuccess(await session.read());
    expect(content).toContain(`](${url})`);
    expect(content).not.toContain('From elsewhere');
    await session.snapshot();
    expect(expectSuccess(await session.read({ ref: ref('iframe', 'Other') })).content).toBe('From elsewhere');
  });
});

describe('one element', () => {
  test('is read by its ref, in each format', async () => {
    const { session, ref } = await openPage(
      `<h1>Top</h1><button>First <b>one</b> <i onclick="x()" style="color:red">more</i></button>`,
    );
    const button = ref('button', 'First one more');
    const markdown = expectSuccess(await session.read({ ref: button }));
    expect(markdown).toMatchObject({ part: 'element', content: 'First **one** *more*' });
    expect(expectSuccess(await session.read({ ref: button, format: 'text' })).content).toBe('First one more');
    expect(expectSuccess(await session.read({ ref: button, format: 'html' })).content).toBe(
      '<button>First <b>one</b> <i>more</i></button>',
    );
  });

  test('that is gone is stale', async () => {
    const { session, ref } = await openPage('<button onclick="this.remove()">Vanish</button>');
    await session.click({ ref: ref('button', 'Vanish') });
    expectFailure(await session.read({ ref: ref('button', 'Vanish') }), 'stale_ref');
  });
});

describe('a long text', () => {
  test('comes in pages that fit each other, even when the page changes in between', async () => {
    const { session } = await openPage(`<article><h1>Long</h1>${prose(60)}</article>`);
    const first = expectSuccess(await session.read({ maxTokens: 400 }));
    expect(first.pages).toBeGreaterThan(3);
    await session.press({ keys: 'End' });
    const rest = [];
    for (let page = 2; page <= (first.pages ?? 0); page++) rest.push(await session.read({ maxTokens: 400, page }));
    const all = [first, ...rest].map(result => expectSuccess(result).content).join('\n\n');
    for (let index = 0; index < 60; index++) expect(all.split(`(${index})`)).toHaveLength(2);
    const beyond = await session.read({ maxTokens: 400, page: (first.pages ?? 0) + 1 });
    expect(expectFailure(beyond, 'invalid_input').message).toContain(`${first.pages} pages`);
  });
});

test('a page cannot bring scripts, handlers or addresses that run into the content', async () => {
  const { session } = await openPage(`<article><h1>Evil</h1>${prose(5)}<p onclick="steal()" style="x">
    <a href="javascript:steal()">one</a> <a href="data:text/html,<script>steal()</script>">two</a>
    <img src="data:image/png;base64,AAAA" alt='"><script>steal()</script>' width="60" height="60">
    &lt;script&gt;steal()&lt;/script&gt; <x-evil onload="steal()">three</x-evil></p></article>`);
  const { content = '' } = expectSuccess(await session.read({ format: 'html' }));
  expect(content).not.toMatch(/<script|javascript:|data:|on\w+="|style=|x-evil>/i);
  expect(content).toContain('three');
});

test('a page that overrides what scripts rely on is read all the same', async () => {
  const { session } = await openPage(`<form><input name="firstChild"><input name="parentNode"><p>Still here</p></form>
    <script>String.prototype.replaceAll = Array.prototype.join = () => 'broken'; document.__defineGetter__('title', () => 'broken')</script>`);
  expect(expectSuccess(await session.read()).content).toContain('Still here');
});
