import { describe, expect, test } from 'vitest';
import { estimateTokens } from '../../src/tokens.js';
import { expectSuccess } from '../fixtures.js';
import { type OpenPage, pageOpener } from '../tools/open-page.js';

const { openPage } = pageOpener();

const times = (many: number, make: (index: number) => string): string =>
  Array.from({ length: many }, (_, i) => make(i)).join('');

/** Too much to be shown with all its text. */
const FIELDS = times(30, i => `<p><label>Field ${i} <input></label></p><p>${`What field ${i} is for. `.repeat(8)}</p>`);
const form = (notice: string): string =>
  `<h1>Settings</h1>${notice}<form action="/sent">${FIELDS}<button>Save</button></form>`;

async function openForm(sent: string): Promise<OpenPage> {
  return openPage({ '/': form(''), '/sent': sent });
}

/** The lines with which the page that came of a press begins to speak. */
async function press(page: OpenPage, name = 'Save'): Promise<string[]> {
  const { changes = '' } = expectSuccess(await page.session.click({ ref: page.ref('button', name) }));
  return changes.split('\n').filter(line => line.startsWith('+ '));
}

describe('what a page says of a form that was sent comes first', () => {
  test.each([
    ['a notice in the form that came back', form('<div class="notice"><p>Not saved: the address is taken.</p></div>')],
    ['a text at its end', form('').replace('<button>', '<span>Not saved: the address is taken.</span><button>')],
    [
      'a line above a list',
      `<main><p>Not saved: the address is taken.</p><h1>People</h1><table>${times(80, i => `<tr><td>Person ${i}<td>Town ${i}<td><a href="#${i}">Edit ${i}</a>`)}</table></main>`,
    ],
  ])('%s', async (_, sent) => {
    expect(await press(await openForm(sent))).toEqual(['+ text "Not saved: the address is taken."']);
  });

  test('again where the form is sent again and the page says the same', async () => {
    const page = await openForm(form('<p>Not saved: the address is taken.</p>'));
    await press(page);
    await page.read();
    expect(await press(page)).toEqual(['+ text "Not saved: the address is taken."']);
  });

  test('once where it is a message', async () => {
    const page = await openForm(form('<p role="alert">Not saved: the address is taken.</p>'));
    const { changes = '' } = expectSuccess(await page.session.click({ ref: page.ref('button', 'Save') }));
    expect(changes.match(/Not saved/g)).toHaveLength(1);
    expect(changes).toContain('alert "Not saved: the address is taken."');
  });

  test('once where the page is shown with all its text', async () => {
    const page = await openForm('<h1>Thank you</h1><p>Your order is 4711.</p>');
    const { changes = '' } = expectSuccess(await page.session.click({ ref: page.ref('button', 'Save') }));
    expect(changes.match(/4711/g)).toHaveLength(1);
  });
});

test('what a page says leaves the answer within the room for a new page', async () => {
  const notice = times(5, i => `<p>${`Not saved, for reason ${i}. `.repeat(10)}</p>`);
  const page = await openForm(form(notice));
  const { changes = '' } = expectSuccess(await page.session.click({ ref: page.ref('button', 'Save') }));
  expect(changes.split('\n').filter(line => line.startsWith('+ '))).toHaveLength(5);
  expect(estimateTokens(changes)).toBeLessThanOrEqual(700);
});

describe('nothing is taken for what a page says', () => {
  test('that the form had before', async () => {
    expect(await press(await openForm(form('')))).toEqual([]);
  });

  test('that are results', async () => {
    const results = times(60, i => `<p><a href="#${i}">Result ${i}</a> <span>Words about result ${i}</span></p>`);
    const page = await openForm(`<h1>60 results</h1><form><input aria-label="Search"></form><hr>${results}`);
    expect((await press(page)).length).toBeLessThanOrEqual(2);
  });

  test('that nobody sees', async () => {
    const page = await openForm(form('<p style="color:white;background:white">Not saved</p>'));
    expect(await press(page)).toEqual([]);
  });

  test('where an address was given', async () => {
    const page = await openForm(form('<p>Not saved: the address is taken.</p>'));
    const { changes = '' } = expectSuccess(await page.session.navigate({ url: page.site.url('/sent') }));
    expect(changes).not.toContain('Not saved');
  });
});
