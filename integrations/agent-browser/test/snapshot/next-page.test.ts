import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { describe, expect, test } from 'vitest';
import { expectSuccess, refOf, servePages } from '../fixtures.js';
import { pageOpener } from '../tools/open-page.js';

const { openSession } = pageOpener({}, { ownSession: true });

/** Goes to each page in turn. Resolves to what is told of the last one. */
async function visit(...bodies: string[]): Promise<string[]> {
  const pages = bodies.map((body, index) => [
    `/${index}`,
    `<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,"><title>Page ${index}</title>${body}`,
  ]);
  const site = await servePages(Object.fromEntries(pages));
  const session = await openSession('about:blank');
  let told = '';
  for (const index of bodies.keys())
    told = expectSuccess(await session.navigate({ url: site.url(`/${index}`) })).changes ?? '';
  return told.split('\n');
}

const times = (many: number, make: (index: number) => string): string =>
  Array.from({ length: many }, (_, i) => make(i)).join('');

const HEADER = '<header><a href="#h">Acme</a><nav><a href="#a">Shoes</a><a href="#b">Bags</a></nav></header>';
const FOOTER = '<footer><a href="#i">Imprint</a><a href="#j">Jobs</a><a href="#k">Contact</a></footer>';
const CARDS = `<ul>${times(30, i => `<li><h3><a href="#${i}">Shoe ${i}</a></h3><span>$${20 + i}.99</span> <button>Add to cart</button></li>`)}</ul>`;
const NAMES = 'New Open Save Print Undo Redo Cut Copy Paste Find Replace Zoom Help Publish Delete'.split(' ');

describe('the room for a page that is new', () => {
  test('is used: more than a few of what repeats itself are shown', async () => {
    const told = await visit(`<main><h1>Shoes</h1>${CARDS}</main>`);
    const shown = told.filter(line => line.includes('"Shoe ')).length;
    expect(shown).toBeGreaterThan(8);
    expect(told.at(-1)).toMatch(new RegExp(`^ *… ${30 - shown} more like this \\(@e\\d+-@e\\d+\\)$`));
    expect(countTokens(told.join('\n'))).toBeGreaterThan(400);
    expect(countTokens(told.join('\n'))).toBeLessThanOrEqual(600);
  });

  test('shows each of the differently named buttons of a toolbar', async () => {
    const buttons = NAMES.map(name => `<button>${name}</button>`).join('');
    const sections = times(60, i => `<h2>Section ${i}</h2><p>Some text.</p><a href="#${i}">Edit ${i}</a>`);
    const told = await visit(`<main><h1>Editor</h1><div role="toolbar">${buttons}</div>${sections}</main>`);
    expect(told.filter(line => line.includes('button')).map(line => /"(.*)"/.exec(line)?.[1])).toEqual(NAMES);
    expect(told.at(-1)).toMatch(/… \d+ more like this/);
  });
});

describe('what stands once among repeats', () => {
  test('is not folded with them', async () => {
    const comments = times(
      60,
      i => `<div><b>User ${i}</b><p>Words.</p><button>Reply</button><button>Like</button></div>`,
    );
    const told = await visit(
      `<h1>Post</h1><button>Oldest first</button>${comments}<button>Load more comments</button><button>Report</button>`,
    );
    expect(told.filter(line => /Oldest|Load|Report|more like/.test(line)).map(line => line.trim())).toEqual([
      expect.stringMatching(/^button "Oldest first" @e\d+$/),
      expect.stringMatching(/^… \d+ more like this \(@e\d+-@e\d+\)$/),
      expect.stringMatching(/^button "Load more comments" @e\d+$/),
      expect.stringMatching(/^button "Report" @e\d+$/),
    ]);
  });

  test('is told in changes', async () => {
    const site = await servePages({
      '/': `<!doctype html><link rel="icon" href="data:,"><button id="b">Show comments</button><div id="c"></div>
        <script>b.onclick = () => { c.innerHTML = '<button>Reply</button><button>Like</button>'.repeat(40) + '<button>Load more comments</button>'; }</script>`,
    });
    const session = await openSession('about:blank');
    await session.navigate({ url: site.url() });
    const ref = refOf(expectSuccess(await session.snapshot()), 'button', 'Show comments');
    const { changes } = expectSuccess(await session.click({ ref }));
    expect(changes).toMatch(/^\+ … \d+ more like this .*\n\+ button "Load more comments" @e\d+$/m);
  });
});

describe('what the page before had as well', () => {
  test('is told in a line where it is a header, a menu or a footer', async () => {
    const told = await visit(
      `${HEADER}<main><h1>Home</h1></main>${FOOTER}`,
      `${HEADER}<main><h1>Bags</h1></main>${FOOTER}`,
    );
    expect(told.slice(1)).toEqual([
      expect.stringMatching(/^banner as before: "Acme" @e\d+, "Shoes" @e\d+, "Bags" @e\d+$/),
      'main  heading "Bags" level=1',
      expect.stringMatching(/^contentinfo as before: "Imprint" @e\d+, "Jobs" @e\d+, "Contact" @e\d+$/),
    ]);
  });

  test('is told in a line again on the page after that', async () => {
    const pages = ['Home', 'Bags', 'Shoes'].map(name => `${HEADER}<main><h1>${name}</h1></main>`);
    expect((await visit(...pages))[1]).toMatch(/^banner as before: /);
  });

  test('is listed where it is what the page is about', async () => {
    const told = await visit(
      `${HEADER}<main><h1>Shoes</h1>${CARDS}</main>`,
      `${HEADER}<main><h1>Shoe 5</h1><nav><a href="#1">Up</a><a href="#2">On</a></nav>${CARDS}</main>`,
    );
    expect(told.filter(line => line.includes('as before'))).toHaveLength(1);
    expect(told.filter(line => /heading.*"Shoe \d+" @e/.test(line)).length).toBeGreaterThan(8);
  });

  test('is listed where the agent was not told of it', async () => {
    const told = await visit(`<h1>Shoes</h1>${CARDS}`, `<h1>More</h1>${CARDS}`);
    expect(told.filter(line => line.includes('as before'))).toHaveLength(1);
    const shown = told.flatMap(line => /"Shoe (\d+)" @e/.exec(line)?.[1] ?? []);
    expect(shown.length).toBeGreaterThan(8);
    // Those that were told of the page before are in the line for what was read.
    expect(Number(shown[0])).toBeGreaterThan(8);
  });
});
