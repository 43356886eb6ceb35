import { describe, expect, test } from 'vitest';
import { trials } from '../../../../scripts/testing/trials.js';
import { estimateTokens } from '../../src/tokens.js';
import { expectSuccess, servePages } from '../fixtures.js';
import { pageOpener } from '../tools/open-page.js';

const { openSession } = pageOpener({ timeout: trials.limit });

/** What stands for the number in a name, and in a page. */
type Page = (many: number) => string;

/** Sizes that no reader and no call stack is made for. */
const HUGE: [what: string, sizes: { slice: number; full: number }, page: Page][] = [
  [
    'elements',
    { slice: 25_000, full: 100_000 },
    many =>
      `<script>document.write('<p><a href="#">Link</a> and <b>more</b></p>'.repeat(${Math.ceil(many / 3)}))</script>`,
  ],
  [
    'frames',
    { slice: 25, full: 100 },
    many => times(many, i => `<iframe title="f${i}" srcdoc="<button>b${i}</button>"></iframe>`),
  ],
  [
    'levels',
    { slice: 5000, full: 5000 },
    many =>
      `<script>let at = document.body; for (let i = 0; i < ${many}; i++) at = at.appendChild(document.createElement('span')); at.innerHTML = '<button>Deep</button>'</script>`,
  ],
  [
    'levels of clickables',
    { slice: 1500, full: 5000 },
    many =>
      `<script>let at = document.body; for (let i = 0; i < ${many}; i++) { at = at.appendChild(document.createElement('span')); at.tabIndex = 0; } at.innerHTML = '<button>Deep</button>'</script>`,
  ],
  [
    'levels of shadow roots',
    { slice: 1000, full: 1000 },
    many =>
      `<script>let at = document.body; for (let i = 0; i < ${many}; i++) { const host = document.createElement('div'); at.append(host); at = host.attachShadow({ mode: 'open' }); } at.innerHTML = '<button>Deep</button>'</script>`,
  ],
  [
    'custom elements',
    { slice: 5000, full: 20_000 },
    many =>
      `<script>document.body.innerHTML = '<x-nothing>a</x-nothing>'.repeat(${many}) + '<button>Last</button>'</script>`,
  ],
  [
    'cells of a table',
    { slice: 5000, full: 20_000 },
    many =>
      `<table>${times(many / 10, i => `<tr>${times(10, j => `<td>${i * j}</td>`)}<td><button>Edit</button></td></tr>`)}</table>`,
  ],
  [
    'attributes',
    { slice: 10_000, full: 10_000 },
    many =>
      `<script>const b = document.createElement('button'); b.textContent = 'B'; for (let i = 0; i < ${many}; i++) b.setAttribute('data-' + i, i); document.body.append(b)</script>`,
  ],
];

const MEGABYTES = `<p>${'word '.repeat(200_000)}</p><button>${'x'.repeat(1_000_000)}</button><div style="cursor:pointer">${'y '.repeat(500_000)}</div><input aria-label="${'z'.repeat(100_000)}" value="${'v'.repeat(1_000_000)}">`;

describe('a page with', () => {
  const pages = HUGE.map(([what, sizes, page]) => {
    const many = trials.size(sizes);
    return [`${many.toLocaleString('en-US')} ${what}`, page(many)] as const;
  });
  test.each([...pages, ['texts of a megabyte', MEGABYTES] as const])(
    '%s is read within the budget',
    { timeout: trials.limit },
    async (_, html) => {
      const site = await servePages({ '/': `<!doctype html><title>Huge</title><body>${html}` });
      const session = await openSession(site.url());
      for (const interactiveOnly of [true, false]) {
        const { tree = '', refs = {} } = expectSuccess(await session.snapshot({ interactiveOnly, maxTokens: 2000 }));
        expect(estimateTokens(tree)).toBeLessThanOrEqual(2000);
        expect(Object.keys(refs).length).toBeGreaterThan(0);
      }
    },
  );
});

function times(many: number, make: (index: number) => string): string {
  return Array.from({ length: many }, (_, i) => make(i)).join('');
}
