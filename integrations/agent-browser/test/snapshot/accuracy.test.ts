import { afterAll, describe, expect, test } from 'vitest';
import { expectSuccess, refOf, type Snapshot, servePages, sharingToolset } from '../fixtures.js';
import { TRICKY } from './tricky-pages.js';

const counted = { expected: 0, found: 0, told: 0 };

const toolset = sharingToolset();
const session = toolset.session();

afterAll(async () => {
  await toolset.close();
  if (process.env.ACCURACY_REPORT) console.info(JSON.stringify(counted));
});

/** The names that the sources of a page say a person can act on. */
function expectedIn(...sources: string[]): string[] {
  return sources
    .flatMap(source => [...source.matchAll(/data-expect="([^"]+)"/g)].map(([, name]) => name as string))
    .sort();
}

/** Names of what has a ref, but for frames, which hold what a person acts on. */
function toldIn({ refs = {} }: Snapshot): string[] {
  return Object.values(refs)
    .flatMap(({ role, name = '' }) => (role === 'iframe' ? [] : [name]))
    .sort();
}

function compare(seen: Snapshot, expected: string[]): void {
  const told = toldIn(seen);
  counted.expected += expected.length;
  counted.told += told.length;
  counted.found += expected.filter(name => told.includes(name)).length;
  expect(told, seen.tree).toEqual(expected);
}

async function open(routes: Record<string, string>): Promise<Snapshot> {
  const site = await servePages(routes);
  expectSuccess(await session.navigate({ url: site.url(), waitUntil: 'load' }));
  return expectSuccess(await session.snapshot());
}

describe('a person and the snapshot agree on what can be acted on', () => {
  for (const [what, html] of Object.entries(TRICKY)) {
    test(what, async () => {
      const seen = await open({ '/': `<!doctype html><title>${what}</title>${html}` });
      compare(seen, expectedIn(html));
      expect(toldIn(expectSuccess(await session.snapshot({ interactiveOnly: false }))), 'with all text').toEqual(
        toldIn(seen),
      );
    });
  }

  test('frames: of the same origin, of another one, three deep, srcdoc, hidden, without a size', async () => {
    const away = await servePages({
      '/leaf': '<!doctype html><button data-expect="abroad">abroad</button>',
      '/two': `<!doctype html><button data-expect="depth two">depth two</button><iframe src="/three"></iframe>`,
      '/three': '<!doctype html><div style="cursor:pointer" data-expect="depth three">depth three</div>',
    });
    const abroad = (path: string): string => away.url(path).replace('127.0.0.1', 'localhost');
    const pages = {
      '/': `<!doctype html><iframe src="/same"></iframe><iframe src="${abroad('/leaf')}"></iframe><iframe src="/one" height="400"></iframe>
        <iframe srcdoc="<button data-expect='srcdoc'>srcdoc</button>"></iframe><iframe src="/never" style="display:none"></iframe>
        <iframe src="/never" width="0" height="0" style="border:0"></iframe><iframe sandbox src="/same2"></iframe>`,
      '/same': '<!doctype html><button data-expect="same">same</button>',
      '/same2': '<!doctype html><button data-expect="sandboxed">sandboxed</button>',
      '/one': `<!doctype html><button data-expect="depth one">depth one</button><iframe src="${abroad('/two')}" height="300"></iframe>`,
      '/never': '<!doctype html><button>never</button>',
    };
    const seen = await open(pages);
    compare(seen, ['abroad', 'depth one', 'depth three', 'depth two', 'same', 'sandboxed', 'srcdoc']);
  });

  test('frames of a frameset', async () => {
    const seen = await open({
      '/': '<!doctype html><title>Frames</title><frameset cols="50%,50%"><frame src="/left"><frame src="/right"></frameset>',
      '/left': '<!doctype html><button data-expect="left">left</button>',
      '/right': '<!doctype html><a href="#x" data-expect="right">right</a>',
    });
    compare(seen, ['left', 'right']);
  });
});

test('areas of an image can be clicked', async () => {
  const picture = "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' width='200' height='100'/>";
  const seen = await open({
    '/': `<!doctype html><title>none</title><div style="height:2000px"></div><img usemap="#m" src="${picture}" style="border:7px solid;padding:11px" alt="map"><map name="m">
      <area shape="rect" coords="0,0,50,50" href="#" onclick="document.title = 'rectangle'" alt="rectangle"><area shape="circle" coords="100,50,10" href="#" onclick="document.title = 'circle'" alt="circle">
      <area shape="poly" coords="150,0,200,0,200,100,190,100,190,10,150,10" href="#" onclick="document.title = 'polygon'" alt="polygon"></map>`,
  });
  for (const name of ['circle', 'polygon', 'rectangle']) {
    expect(expectSuccess(await session.click({ ref: refOf(seen, 'link', name) })).title).toBe(name);
  }
});

test('recall is at least 99 % and precision at least 97 %, over all pages', () => {
  expect(counted.expected).toBeGreaterThan(100);
  expect(counted.found / counted.expected).toBeGreaterThanOrEqual(0.99);
  expect(counted.found / counted.told).toBeGreaterThanOrEqual(0.97);
});
