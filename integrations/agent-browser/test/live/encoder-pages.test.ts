import { expect, test } from 'vitest';
import { EncoderPages } from '#live/video/encoder-pages.js';
import { expectSuccess, pageOf, testToolset } from '../fixtures.js';

const PICTURE = 'x'.repeat(400_000);

test('the page of encoders is freed, now and then, of what pictures leave behind', async () => {
  const toolset = testToolset();
  expectSuccess(await toolset.session('one').navigate({ url: 'about:blank' }));
  const browser = (await pageOf(toolset, 'one')).context().browser() ?? expect.fail('there is no browser');
  const pages = new EncoderPages();
  const user = {};
  const page = await pages.open(user, browser, () => expect.fail('this browser has contexts'));
  await page.evaluate('left = new WeakRef([])');
  const isLeft = () => page.evaluate('left.deref() !== undefined');
  await pages.brought(user, PICTURE);
  expect(await isLeft()).toBe(true);
  for (let count = 0; count < 20; count += 1) await pages.brought(user, PICTURE);
  expect(await isLeft()).toBe(false);
  await pages.leave(user);
  expect(page.isClosed()).toBe(true);
});
