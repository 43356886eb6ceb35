import { expect, test } from 'vitest';
import { expectSuccess } from '../fixtures.js';
import { pageOpener } from '../tools/open-page.js';

const { openPage } = pageOpener();

/** Adds components, each a plain word in a shadow root that hears of presses after so many milliseconds. */
const ADD = `const add = (count, after) => {
  for (let index = 0; index < count; index++) {
    const word = document.body.appendChild(document.createElement('div')).attachShadow({ mode: 'open' });
    word.innerHTML = '<span>Word ' + index + '</span>';
    const listen = () => word.firstChild.addEventListener('click', () => {});
    if (after === undefined) listen();
    else setTimeout(listen, after);
  }
};`;

test('all components that listen when they are made have a ref at once', async () => {
  const { session } = await openPage(`<h1>Words</h1><script>${ADD} add(120)</script>`);
  const { refs = {} } = expectSuccess(await session.snapshot());
  expect(Object.values(refs).filter(({ role }) => role === 'clickable')).toHaveLength(120);
});

test('components that listen soon after they are made have a ref at one of the next looks', async () => {
  const { session, script } = await openPage(`<h1>Words</h1><script>${ADD}</script>`);
  await script('add(60, 150)');
  await expect
    .poll(async () => (await session.snapshot({ maxTokens: 100_000 })).tree?.match(/clickable "Word/g)?.length, {
      timeout: 10_000,
    })
    .toBe(60);
});
