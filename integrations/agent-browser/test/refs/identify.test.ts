import { expect, test } from 'vitest';
import { expectSuccess, refOf, servePages, testToolset } from '../fixtures.js';

const head = '<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,">';

async function opened(body: string, more: Record<string, string> = {}) {
  const site = await servePages({ '/': `${head}<title>Paths</title>${body}`, ...more });
  const toolset = testToolset();
  const session = toolset.session('paths');
  expectSuccess(await session.navigate({ url: site.url() }));
  const seen = expectSuccess(await session.snapshot());
  const identify = async (role: string, name: string) => {
    const ref = refOf(seen, role, name);
    return (await toolset.identifyElements([ref], 'paths'))[ref];
  };
  return { toolset, session, seen, identify };
}

test('an element is told by its tag, its id and the way to it', async () => {
  const { identify } = await opened(
    '<main><form><ul><li><button>One</button></li><li><button id="two">Two</button></li></ul></form></main>',
  );
  expect(await identify('button', 'One')).toEqual({
    tag: 'button',
    path: 'main > form > ul > li:nth-of-type(1) > button',
    said: { role: 'button', name: 'One', index: 0, count: 1 },
  });
  expect(await identify('button', 'Two')).toEqual({
    tag: 'button',
    id: 'two',
    path: 'main > form > ul > li:nth-of-type(2) > button',
    said: { role: 'button', name: 'Two', index: 0, count: 1 },
  });
});

test('the way leads into shadow roots, open and closed ones, and into frames', async () => {
  const shadow = (mode: string, name: string) =>
    `<x-${mode}></x-${mode}><script>document.querySelector('x-${mode}').attachShadow({ mode: '${mode}' }).innerHTML = '<p><button>${name}</button></p>'</script>`;
  const { identify } = await opened(
    `${shadow('open', 'Open')}${shadow('closed', 'Closed')}<div><iframe src="/other"></iframe><iframe src="/in" title="Inside"></iframe></div>`,
    { '/in': `${head}<nav><a href="/">Inner</a></nav>`, '/other': `${head}<p>Nothing` },
  );
  expect((await identify('button', 'Open'))?.path).toBe('x-open >> p > button');
  expect((await identify('button', 'Closed'))?.path).toBe('x-closed >> p > button');
  expect(await identify('link', 'Inner')).toMatchObject({
    path: 'div > iframe:nth-of-type(2) >> nav > a',
    frames: [{ tag: 'iframe', name: 'Inside', path: 'div > iframe:nth-of-type(2)' }],
  });
});

test('what it says is told as it is now, and its place among its like, whatever the agent has read', async () => {
  const row = (name: string): string => `<li>${name} <button>Drop</button></li>`;
  const grow = `document.querySelector('ul').insertAdjacentHTML('afterbegin', '${row('Chair')}')`;
  const { toolset, session, seen } = await opened(
    `<a href="#" id="cart">Cart, 0 items</a><ul>${row('Chair')}${row('Lamp')}</ul><script>document.querySelector('#cart').onclick = event => { event.target.textContent = 'Cart, 1 item'; ${grow} }</script>`,
  );
  const cart = refOf(seen, 'link', 'Cart, 0 items');
  const [chair, lamp] = Object.entries(seen.refs ?? {}).flatMap(([ref, { name }]) => (name === 'Drop' ? ref : []));
  expectSuccess(await session.click({ ref: cart }));
  const found = await toolset.identifyElements([cart, chair ?? '', lamp ?? ''], 'paths');
  const drop = { role: 'button', name: 'Drop' };
  expect(Object.values(found).map(({ said }) => said)).toEqual([
    { role: 'link', name: 'Cart, 1 item', index: 0, count: 1 },
    { ...drop, row: 'Chair', index: 1, count: 2 },
    { ...drop, row: 'Lamp', index: 0, count: 1 },
  ]);
});

test('what cannot be told is left out: unknown refs, elements that are gone, other documents, pages with a dialog', async () => {
  const { toolset, session, seen } = await opened(
    `<button onclick="document.querySelector('a').remove()">Drop</button> <a href="#">Gone</a> <button onclick="alert('x')">Ask</button>`,
  );
  const drop = refOf(seen, 'button', 'Drop');
  const gone = refOf(seen, 'link', 'Gone');
  expect(await toolset.identifyElements(['@e999', 'button', drop], 'paths')).toEqual({
    [drop]: {
      tag: 'button',
      path: 'button:nth-of-type(1)',
      said: { role: 'button', name: 'Drop', index: 0, count: 1 },
    },
  });
  expectSuccess(await session.click({ ref: drop }));
  expect(await toolset.identifyElements([gone], 'paths')).toEqual({});
  expect(await toolset.identifyElements([drop], 'nobody')).toEqual({});
  expectSuccess(await session.click({ ref: refOf(seen, 'button', 'Ask') }));
  expect(await toolset.identifyElements([drop], 'paths')).toEqual({});
  expectSuccess(await session.dialog({ action: 'accept' }));
  expect(Object.keys(await toolset.identifyElements([drop], 'paths'))).toEqual([drop]);
});
