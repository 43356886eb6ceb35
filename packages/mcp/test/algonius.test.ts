import { describe, expect, it } from 'vitest';
import { connector, textOf } from './connected.js';
import { site } from './site.js';

const connect = connector();
const url = site({
  '/': `<title>Shop</title><h1>Shop</h1>
    <button id="buy" onclick="document.body.append('Bought')">Buy</button>
    <button disabled>Sell</button>
    <a href="/next">Next</a>
    <input aria-label="Name">
    <button onclick="">Nothing</button>`,
  '/next': '<title>Next</title><a href="/">Back</a>',
  '/long': Array.from(
    { length: 700 },
    (_, n) => `<section><h2>Offer ${n}</h2><a href="/next">Mug number ${n} of the long list of mugs</a>
      <button>Buy mug ${n}</button><button>Keep mug ${n}</button></section>`,
  ).join(''),
  '/many': Array.from({ length: 45 }, (_, n) => `<button>Day ${n}</button><a href="/next">Link ${n}</a>`).join(''),
});

async function opened(path: string) {
  const connected = await connect({ options: { profile: 'algonius' } });
  await connected.call('browser_navigate', { url: url(path) });
  const read = async (): Promise<{ elements: { index: number; role: string; text: string }[]; title: string }> => {
    const { contents } = await connected.client.readResource({ uri: 'browser://dom/state' });
    return JSON.parse((contents[0] as { text: string }).text);
  };
  const indexOf = async (text: string): Promise<number> =>
    (await read()).elements.find(each => each.text === text)?.index ?? -1;
  return { ...connected, read, indexOf };
}

describe('click_element', () => {
  it('clicks the element that an index of the last state means', async () => {
    const { call, read } = await opened('/');
    expect(await read()).toMatchObject({
      title: 'Shop',
      elements: [
        { index: 0, role: 'button', text: 'Buy' },
        { index: 1, role: 'button', text: 'Sell' },
        { index: 2, role: 'link', text: 'Next' },
        { index: 3, role: 'textbox', text: 'Name' },
        { index: 4, role: 'button', text: 'Nothing' },
      ],
    });
    const result = await call('click_element', { element_index: 0, wait_after: 0 });
    expect(result.structuredContent).toEqual({
      success: true,
      message: expect.stringMatching(/^Clicked element 0: \[page (\d+)\]\nBuy\n\[end \1\]$/),
      element_info: {
        index: 0,
        text: expect.stringMatching(/^\[page (\d+)\]\nBuy\n\[end \1\]$/),
        tag_name: 'button',
        id: 'buy',
      },
      page_changed: true,
      execution_time: expect.any(Number),
    });
    expect(JSON.parse(textOf(result))).toEqual(result.structuredContent);
    expect((await call('click_element', { element_index: 4, wait_after: 0 })).structuredContent).toMatchObject({
      success: true,
      page_changed: false,
    });
  });

  it.each([
    ['INVALID_INDEX', 99, { element_index: 99 }],
    ['INVALID_INDEX', -1, { element_index: -1 }],
    ['INVALID_INDEX', -1, { element_index: 'first' }],
    ['CLICK_FAILED', 0, { element_index: 0, wait_after: 31 }],
    ['CLICK_FAILED', 0, { element_index: 0, wait_after: -1 }],
    ['ELEMENT_NOT_CLICKABLE', 1, { element_index: 1 }],
  ])('answers %s for %s', async (code, index, input) => {
    const { call, read } = await opened('/');
    await read();
    const result = await call('click_element', input);
    expect(result.isError).toBe(true);
    expect(result.structuredContent).toEqual({
      success: false,
      message: expect.any(String),
      error_code: code,
      element_index: index,
      execution_time: expect.any(Number),
    });
  });

  it('never clicks what another page has in that place', async () => {
    const { call, indexOf } = await opened('/');
    const next = await indexOf('Next');
    expect((await call('click_element', { element_index: next, wait_after: 0 })).structuredContent).toMatchObject({
      success: true,
    });
    expect((await call('click_element', { element_index: 0, wait_after: 0 })).structuredContent).toMatchObject({
      error_code: 'ELEMENT_NOT_FOUND',
    });
  });

  it('has no index before a state was read', async () => {
    const { call } = await opened('/');
    const result = await call('click_element', { element_index: 0 });
    expect(result.structuredContent).toMatchObject({ error_code: 'INVALID_INDEX' });
    expect(textOf(result)).toContain('Read browser://dom/state');
  });
});

describe('get_dom_extra_elements', () => {
  it('shows the elements in pages, by kind, with indexes that can be clicked', async () => {
    const { call } = await opened('/many');
    const first = await call('get_dom_extra_elements', { elementType: 'link' });
    expect(first.structuredContent).toMatchObject({ page: 1, pageSize: 20, totalElements: 45, totalPages: 3 });
    const last = await call('get_dom_extra_elements', { elementType: 'link', page: 3 });
    const { elements } = last.structuredContent as { elements: { index: number; text: string }[] };
    expect(elements.map(({ text }) => text)).toEqual(['Link 40', 'Link 41', 'Link 42', 'Link 43', 'Link 44']);
    const clicked = await call('click_element', { element_index: elements[4]?.index, wait_after: 0 });
    expect(clicked.structuredContent).toMatchObject({
      success: true,
      element_info: { text: expect.stringContaining('\nLink 44\n'), tag_name: 'a' },
    });
  });

  it('has each element of a very long page once', async () => {
    const { read } = await opened('/long');
    const texts = (await read()).elements.map(({ text }) => text);
    expect(texts.filter((text, n) => texts.indexOf(text) !== n)).toEqual([]);
    expect(texts).toHaveLength(2_100);
  });

  it('refuses pages and kinds that do not exist', async () => {
    const { call } = await opened('/');
    for (const input of [{ page: 0 }, { pageSize: 101 }, { elementType: 'cat' }])
      expect(await call('get_dom_extra_elements', input)).toMatchObject({
        isError: true,
        structuredContent: { success: false, error_code: 'INVALID_ARGUMENT' },
      });
  });
});

it('only the profile algonius has these tools', async () => {
  const { client } = await connect();
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).not.toContain('click_element');
});
