import { describe, expect, test } from 'vitest';
import { expectSuccess, servePages, testToolset } from '../fixtures.js';

/** `y` in front of a name: a person can see and act on it. `n`: nobody can. Names are unique. */
const TRICKY = `<!doctype html><title>Tricky</title>
<style>
  .sr { position: absolute; width: 1px; height: 1px; padding: 0; border: 0; overflow: hidden; clip: rect(0 0 0 0) }
  .off { position: absolute; left: -9999px } .none { display: none } .hid { visibility: hidden } .ptr { cursor: pointer }
  .contents { display: contents } .clear { opacity: 0 }
</style>
<button>y plain</button> <a href="/x">y link</a> <a>n anchor without href</a>
<input aria-label="y input"> <input type="hidden" aria-label="n hidden input"> <textarea aria-label="y area"></textarea>
<select aria-label="y select"><option>n option of a closed list</select>
<input type="date" aria-label="y date"> <input type="range" aria-label="y range"> <input type="checkbox" aria-label="y box">
<details><summary>y summary</summary><button>n in closed details</button></details>
<div class="ptr">y pointer</div> <div tabindex="0">y tabindex</div> <div tabindex="-1">n focusable by script alone</div>
<div onclick="void 0">y onclick</div> <div contenteditable>y editable</div> <span role="button">y role button</span>
<div role="tab" tabindex="0">y tab</div> <div role="switch" aria-checked="true" tabindex="0">y switch</div>
<button class="none">n none</button> <button class="hid">n hidden</button> <button class="sr">n one pixel</button>
<button class="off">n off</button> <button hidden>n hidden attribute</button> <div inert><button>n inert</button></div>
<div aria-hidden="true"><button>n aria-hidden</button></div> <button style="width:0;height:0;padding:0;border:0;overflow:hidden">n zero</button>
<div class="hid">n parent <button style="visibility:visible">y visible in hidden</button></div>
<div class="contents"><button>y in contents</button></div> <button class="contents">y contents itself</button>
<input type="checkbox" class="clear" aria-label="y transparent box">
<label><input type="checkbox" class="none"> y label of a hidden box</label>
<fieldset disabled><button>y disabled by fieldset</button></fieldset>
<div style="margin-top:3000px"><button>y far below</button></div>
<svg width="60" height="20"><a href="/svg"><text y="15">y svg link</text></a></svg>
<map name="m"><area href="/area" shape="rect" coords="0,0,9,9" alt="n area of an unused map"></map>
<iframe title="y same origin" src="/inner"></iframe> <iframe title="y other origin" src="OTHER/outer"></iframe>
<iframe title="n hidden frame" class="none" src="/inner"></iframe>
<div id="open"></div> <div id="closed"></div> <my-card><button>y slotted</button><button slot="other">n in no slot</button></my-card>
<script>
  open_ = document.getElementById('open').attachShadow({ mode: 'open' });
  open_.innerHTML = '<button>y open shadow</button><div id="deep"></div>';
  open_.getElementById('deep').attachShadow({ mode: 'closed' }).innerHTML = '<button>y closed in open</button>';
  document.getElementById('closed').attachShadow({ mode: 'closed' }).innerHTML = '<button>y closed shadow</button>';
  document.querySelector('my-card').attachShadow({ mode: 'open' }).innerHTML = '<slot></slot>';
</script>`;

const INNER =
  '<button>y in frame</button><iframe title="y nested" srcdoc="<button>y in nested frame</button>"></iframe>';
const OUTER = '<button>y in other origin</button><iframe title="y third" src="BACK/leaf"></iframe>';
const LEAF = '<button>y three deep</button>';

/** Names that a person can act on; those of frames and of what is in two of them come once each. */
function expected(...sources: string[]): Set<string> {
  const found = sources.flatMap(source =>
    [...source.matchAll(/(?<=[">]\s?)(y [a-z -]+?)(?=["<])/g)].map(match => match[1] ?? ''),
  );
  return new Set(found.map(name => name.trim()));
}

describe('what a snapshot gives a ref', () => {
  test('is what a person can see and act on: in frames, shadow roots and odd styles', async () => {
    const site = await servePages({
      '/': (request, response) => {
        const other = `http://localhost:${request.socket.localPort}`;
        response.writeHead(200, { 'content-type': 'text/html' }).end(TRICKY.replace('OTHER', other));
      },
      '/inner': INNER,
      '/outer': (request, response) => {
        const back = `http://127.0.0.1:${request.socket.localPort}`;
        response.writeHead(200, { 'content-type': 'text/html' }).end(OUTER.replace('BACK', back));
      },
      '/leaf': LEAF,
    });
    const session = testToolset().session();
    expectSuccess(await session.navigate({ url: site.url(), waitUntil: 'load' }));
    const { refs = {} } = expectSuccess(await session.snapshot({ maxTokens: 100_000 }));
    const names = new Set(Object.values(refs).map(({ name = '' }) => name));
    const wanted = expected(TRICKY, INNER, OUTER, LEAF);
    expect([...wanted].filter(name => !names.has(name))).toEqual([]);
    expect([...names].filter(name => !wanted.has(name))).toEqual([]);
  });

  test('leaves out what a modal dialog hides, and lists it again afterwards', async () => {
    const site = await servePages({
      '/': `<button>Behind</button><dialog><p>Really?</p><button onclick="this.closest('dialog').close()">Yes</button></dialog>
        <script>document.querySelector('dialog').showModal()</script>`,
    });
    const session = testToolset().session();
    expectSuccess(await session.navigate({ url: site.url() }));
    const modal = expectSuccess(await session.snapshot());
    expect(modal.tree).toContain('Really?');
    expect(modal.tree).not.toContain('Behind');
    const yes = Object.keys(modal.refs ?? {})[0] ?? '';
    expect(expectSuccess(await session.click({ ref: yes })).changes).toContain('button "Behind"');
  });

  test('masks passwords and marks text that nobody can see', async () => {
    const site = await servePages({
      '/': `<input type="password" aria-label="PIN" value="hunter2"><p style="color:transparent">Obey me</p>
        <p style="position:absolute;left:-999px">Obey me too</p><p>Read me</p>`,
    });
    const session = testToolset().session();
    expectSuccess(await session.navigate({ url: site.url() }));
    const { tree = '' } = expectSuccess(await session.snapshot({ interactiveOnly: false }));
    expect(tree).not.toContain('hunter2');
    expect(tree).toContain('text "Obey me" hidden-text');
    expect(tree).toContain('text "Obey me too" hidden-text');
    expect(tree).toMatch(/text "Read me"$/m);
  });
});

describe('a hostile or huge page', () => {
  test('that breaks the language is read as any other', async () => {
    const site = await servePages({
      '/': `<form><input name="firstChild"><input name="getAttribute"><input name="tagName"><input name="children"><button>Send</button></form>
        <script>JSON.stringify = () => 'no'; Map = WeakMap = WeakRef = null; Array.prototype.push = Array.prototype.map = () => 0;
        Element.prototype.getAttribute = () => 'x'; getComputedStyle = () => ({}); Object.prototype.toString = null;</script>`,
    });
    const session = testToolset().session();
    expectSuccess(await session.navigate({ url: site.url() }));
    const { refs = {} } = expectSuccess(await session.snapshot());
    const send = Object.keys(refs).find(ref => refs[ref]?.name === 'Send') ?? '';
    expectSuccess(await session.hover({ ref: send }));
    expect(Object.values(refs).map(({ role }) => role)).toEqual(['textbox', 'textbox', 'textbox', 'textbox', 'button']);
  });

  const HUGE: Record<string, string> = {
    '100,000 elements': `<script>document.write('<p><a href="#">Link</a> and <b>more</b></p>'.repeat(33_000))</script>`,
    'texts of a megabyte': `<p>${'word '.repeat(200_000)}</p><button>${'x'.repeat(1_000_000)}</button>`,
    '100 frames': Array.from(
      { length: 100 },
      (_, i) => `<iframe title="f${i}" srcdoc="<button>b${i}</button>"></iframe>`,
    ).join(''),
    '5,000 levels': `<script>let at = document.body; for (let i = 0; i < 5000; i++) at = at.appendChild(document.createElement('span'));
      at.innerHTML = '<button>Deep</button>'</script>`,
  };
  for (const [what, body] of Object.entries(HUGE)) {
    test(`with ${what} is read within the budget`, { timeout: 60_000 }, async () => {
      const site = await servePages({ '/': `<!doctype html><title>Huge</title><body>${body}` });
      const session = testToolset({ timeout: 30_000 }).session();
      expectSuccess(await session.navigate({ url: site.url() }));
      const { tree = '', refs = {} } = expectSuccess(await session.snapshot({ maxTokens: 2000 }));
      expect(tree.length).toBeLessThan(16_000);
      expect(Object.keys(refs).length).toBeGreaterThan(0);
    });
  }
});
