import fc from 'fast-check';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { Worlds } from '../../src/browser/tab/worlds.js';
import type { CaptureAnswer } from '../../src/page/protocol.js';
import { PageCapture } from '../../src/snapshot/capture.js';
import type { SnapshotNode } from '../../src/snapshot/tree.js';
import { servePages } from '../fixtures.js';
import { launchForFile } from '../launched-engine.js';

const LIMITS = { timeout: 10_000 };

const OTHER = `<style>.r0 {}</style><button class=r0>Elsewhere</button><input aria-label='text elsewhere'><script>
  onmessage = ({ data, source }) => {
    document.styleSheets[0].cssRules[0].style.cssText = data.css;
    document.querySelector('input').value = data.value;
    source.postMessage('done', '*');
  };
</script>`;

const BODY = `<title>Restless</title>
<style>
  .r0 {} .r1 {} .r2 {} .r3 {} .r3::after { content: "" } .r4 {} :checked ~ .r5 { visibility: hidden }
  .box { height: 60px; overflow: auto; position: relative }
</style>
<button class="r0">Zero</button><a href="#one" class="r1">One</a><div class="r2">Two <button>in two</button></div>
<p class="r3">Three</p><input type="checkbox" aria-label="box"><button class="r5">Five</button>
<input aria-label="text" value="a"><textarea aria-label="area"></textarea><input type="range" aria-label="range">
<select aria-label="one of"><option>S<option>M<option>L</select>
<select aria-label="some of" multiple size="3"><option>X<option>Y<option>Z</select>
<label>Name <input type="radio" name="r"></label><label>Other <input type="radio" name="r"></label>
<details><summary>More</summary><button>Inside more</button></details>
<div class="box r4" id="scroller"><button>Top</button><div style="height: 400px"></div><button>Deep</button></div>
<div id="open"></div><div id="closed"></div><div id="slotted"><button>Slot A</button><button>Slot B</button></div>
<div popover id="popover"><button>Popped</button></div>
<dialog aria-label="Sure?"><button>Yes</button></dialog>
<iframe srcdoc="<style>.r0 {} </style><button class=r0>Framed</button><input aria-label='framed text'>" title="Frame"></iframe>
<iframe src="OTHER" title="Frame of another origin"></iframe>
<div style="height: 3000px"></div><button>Bottom</button>
<script>
  document.querySelector('#open').attachShadow({ mode: 'open' }).innerHTML = '<div style="height: 40px; overflow: auto"><button>Shadow</button><div style="height: 300px"></div></div>';
  const closed = document.querySelector('#closed').attachShadow({ mode: 'closed' });
  closed.innerHTML = '<input type="checkbox" aria-label="closed box">';
  const slots = slotted.attachShadow({ mode: 'open', slotAssignment: 'manual' });
  slots.innerHTML = '<slot></slot>';
  const sheet = new CSSStyleSheet();
  document.adoptedStyleSheets = [sheet];
  const declarations = ['display: none', 'display: block', 'visibility: hidden', 'opacity: 0', 'cursor: pointer',
    'transform: translateX(-5000px)', 'height: 0; overflow: hidden', 'content: "!"', 'color: transparent', ''];
  const pick = (list, n) => list[n % list.length];
  const elements = selector => [...document.querySelectorAll(selector)];
  const frame = () => document.querySelector('iframe').contentDocument;
  const inOther = n => new Promise(done => {
    addEventListener('message', done, { once: true });
    document.querySelectorAll('iframe')[1].contentWindow.postMessage({ css: pick(declarations, n), value: String(n % 5) }, '*');
  });
  const changes = [
    n => { pick([...document.styleSheets[0].cssRules].slice(0, 6), n).style.cssText = pick(declarations, n >> 3); },
    n => { sheet.replaceSync('.r' + (n % 5) + '{' + pick(declarations, n >> 3) + '}'); },
    n => { document.styleSheets[0].disabled = n % 2 === 0; },
    n => { pick([scroller, document.querySelector('#open').shadowRoot.firstChild, document.scrollingElement], n).scrollTop = n % 900; },
    n => { const box = pick([...elements('[type=checkbox], [type=radio]'), closed.firstChild], n); box.checked = n % 3 === 0; },
    n => { pick(elements('[type=checkbox]'), n).indeterminate = n % 2 === 0; },
    n => { pick(elements('[aria-label=text], textarea, [type=range]'), n).value = String(n % 40); },
    n => { pick(elements('select'), n).selectedIndex = n % 3; },
    n => { pick(elements('option'), n).selected = n % 2 === 0; },
    n => { pick(elements('button, input, a'), n).focus({ preventScroll: n % 2 === 0 }); },
    n => { elements('details')[0].open = n % 2 === 0; },
    n => { slots.firstChild.assign(pick([...slotted.children], n)); },
    n => { popover.togglePopover(n % 2 === 0); },
    n => { const [dialog] = elements('dialog'); if (dialog.open) dialog.close(); else if (n % 2) dialog.showModal(); else dialog.show(); },
    n => { pick(elements('button'), n).textContent = 'Button ' + n % 7; },
    n => { pick(elements('button'), n).toggleAttribute('disabled'); },
    n => { pick(elements('p, a'), n).setAttribute('aria-label', 'label ' + n % 5); },
    n => { document.title = 'Title ' + n % 5; },
    n => { history.replaceState(null, '', '#' + n % 5); },
    n => { frame().styleSheets[0].cssRules[0].style.cssText = pick(declarations, n); },
    n => { frame().querySelector('input').value = String(n % 5); },
    n => inOther(n),
    n => { pick(elements('.r2, .r4'), n).animate({ transform: ['none', 'translateX(-5000px)'] }, { duration: 1000, fill: 'forwards' }).finish(); },
    n => { for (const animation of document.getAnimations()) animation.cancel(); },
    n => {},
  ];
  const change = (kind, n) => changes[kind % changes.length](n);
</script>`;

const { browser, engine } = await launchForFile();

/** All that is told of nodes and of what is in them. */
function told(nodes: readonly SnapshotNode[]): unknown[] {
  return nodes.map(({ children, document: _, ...node }) => [node, told(children)]);
}

describe('a page that is at rest', async () => {
  const other = await servePages({ '/': `<!doctype html>${OTHER}` });
  const site = await servePages({ '/': `<!doctype html>${BODY.replace('OTHER', other.url())}` });

  async function open(): Promise<{ page: Page; looks: [quick: PageCapture, thorough: PageCapture] }> {
    const page = await browser.newPage();
    await page.goto(site.url());
    const worlds = new Worlds(page, engine.lines);
    const looks: [PageCapture, PageCapture] = [
      new PageCapture(page, engine, worlds),
      new PageCapture(page, engine, worlds),
    ];
    for (const look of looks) await look.take(LIMITS);
    await expect.poll(() => page.frames().every(frame => engine.countsOf(frame) !== undefined)).toBe(true);
    return { page, looks };
  }

  test('is told as whoever looks at all of it tells it, whatever happens to it', async () => {
    const { page, looks } = await open();
    const [quick, thorough] = looks;
    const read = fc.record({ kind: fc.nat(), n: fc.nat(10_000), looks: fc.integer({ min: 1, max: 4 }) });
    await fc.assert(
      fc.asyncProperty(fc.array(read, { minLength: 1, maxLength: 12 }), async steps => {
        for (const { kind, n, looks: times } of steps) {
          await page.evaluate(`change(${kind}, ${n})`);
          const seen = await quick.take({ ...LIMITS, atRest: true });
          const all = await thorough.take(LIMITS);
          expect(told(seen.roots)).toEqual(told(all.roots));
          expect([seen.title, seen.url, seen.modal, seen.scroll]).toEqual([all.title, all.url, all.modal, all.scroll]);
          for (let time = 1; time < times; time++) await quick.take({ ...LIMITS, atRest: true });
        }
      }),
      { numRuns: 60 },
    );
    await page.close();
  });

  test('is looked at as a whole no more', async () => {
    const { page, looks } = await open();
    const [quick] = looks;
    const answers: CaptureAnswer[] = [];
    const { ask } = engine;
    engine.ask = async (...question) => {
      const answer = await ask.apply(engine, question);
      answers.push(answer as CaptureAnswer);
      return answer as never;
    };
    const atRest = async () => {
      answers.length = 0;
      await quick.take({ ...LIMITS, atRest: true });
      return answers.map(answer => answer.atRest);
    };
    // Documents that waited for each other too long are counted for anew with the next look.
    await expect.poll(atRest).toEqual([true, true, true]);
    engine.ask = ask;
    await page.close();
  });
});
