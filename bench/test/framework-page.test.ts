import { afterAll, expect, test } from 'vitest';
import { servePages } from '../pages/server.ts';
import { lateActions, lateChanges } from '../src/measure/framework.ts';
import { playwright } from '../src/stacks/playwright.ts';

const server = await servePages();
const browser = await playwright.open();
afterAll(async () => {
  await browser.close();
  await server.close();
});

async function openForm() {
  const thread = await browser.thread('form');
  await thread.navigate(server.url('framework'));
  const [form, page] = [await thread.prepareForm?.(), await thread.browserPage?.()];
  if (form === undefined || page === undefined) throw new Error('the stack has no form or no page');
  return { form, page, close: () => thread.close() };
}

test.each(lateChanges)('the framework page shows by itself what is looked for: %s', async change => {
  const { form, page, close } = await openForm();
  const { words, prepare, act } = lateActions[change];
  await prepare?.(form);
  expect(await page.locator('main').textContent()).not.toContain(words);
  await act(form);
  await page.getByText(words).first().waitFor();
  await close();
});

test('its fields hold what they were given, and change nothing else', async () => {
  const { form, page, close } = await openForm();
  const before = await page.locator('main').textContent();
  await form.type('Name', 'Ada');
  await form.type('Nickname', 'Countess');
  await form.check('Newsletter', true);
  await form.check('Terms', true);
  await form.select('Country', 'Denmark');
  await form.hover('Plain');
  await form.press('Tab');
  expect(await page.locator('#name').inputValue()).toBe('Ada');
  expect(await page.locator('#nickname').inputValue()).toBe('Countess');
  expect(
    await page.locator('#newsletter, #terms').evaluateAll(boxes => boxes.map(box => box.matches(':checked'))),
  ).toEqual([true, true]);
  expect(await page.locator('#country').inputValue()).toBe('Denmark');
  expect(await page.locator('main').textContent()).toBe(before);
  await close();
});
