import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { TABS, test } from '../page/fixtures.js';
import { AGENT_DRIVES, YOU_DRIVE } from '../page/live-server.js';

const ASCII = Array.from({ length: 95 }, (_, index) => String.fromCharCode(32 + index)).join('');
const surfaceOf = (page: Page) => page.getByRole('application');

describe('typing', () => {
  test('sends every printable character as a key that types it', async ({ page, server, mount }) => {
    server.greeting.push(YOU_DRIVE);
    await mount({ component: 'frame', width: 640, height: 360 });
    await surfaceOf(page).click();
    await page.keyboard.type(`${ASCII}\n`);
    await server.until(() => server.keys().some(({ type, key }) => type === 'keyUp' && key === 'Enter'));
    expect(server.typed()).toBe(`${ASCII}\r`);
    expect(server.keys().filter(({ type }) => type === 'keyDown').length).toBe(96);
    expect(server.keys().filter(({ type }) => type === 'keyUp').length).toBe(96);
  });

  test('sends what no key types as text', async ({ page, server, mount }) => {
    server.greeting.push(YOU_DRIVE);
    await mount({ component: 'frame', width: 640, height: 360 });
    await surfaceOf(page).click();
    await page.keyboard.insertText('é ñ ß 漢字 😀');
    await server.until(() => server.typed() !== '');
    expect(server.typed()).toBe('é ñ ß 漢字 😀');
  });

  test('with an input method sends what was composed, once it is', async ({ page, server, mount }) => {
    server.greeting.push(YOU_DRIVE);
    await mount({ component: 'frame', width: 640, height: 360 });
    await surfaceOf(page).click();
    const devtools = await page.context().newCDPSession(page);
    for (const text of ['k', 'か', 'かん', '漢']) {
      await devtools.send('Input.imeSetComposition', { text, selectionStart: text.length, selectionEnd: text.length });
    }
    await devtools.send('Input.insertText', { text: '漢字' });
    await page.keyboard.press('a');
    await server.until(() => server.typed().endsWith('a'));
    expect(server.typed()).toBe('漢字a');
    expect(await page.locator('.bt-field').inputValue()).toBe('');
  });

  test('sends editing keys, shortcuts, Tab and Escape to the page', async ({ page, server, mount }) => {
    server.greeting.push(YOU_DRIVE);
    await mount({ component: 'frame', width: 640, height: 360 });
    await surfaceOf(page).click();
    for (const key of ['Control+a', 'Backspace', 'ArrowLeft', 'Tab', 'Escape', 'F5', 'Control+f'])
      await page.keyboard.press(key);
    await server.until(() => server.keys().some(({ type, key }) => type === 'keyUp' && key === 'f'));
    const down = server.keys().filter(({ type, key }) => type === 'keyDown' && key !== 'Control');
    expect(down.map(({ key, modifiers, text }) => [key, modifiers, text])).toEqual([
      ['a', 2, undefined],
      ['Backspace', 0, undefined],
      ['ArrowLeft', 0, undefined],
      ['Tab', 0, undefined],
      ['Escape', 0, undefined],
      ['F5', 0, undefined],
      ['f', 2, undefined],
    ]);
    expect(await page.locator('.bt-field').evaluate(field => field === document.activeElement)).toBe(true);
  });

  test('leaves the host the keys that it wants', async ({ page, server, mount }) => {
    server.greeting.push(YOU_DRIVE);
    await mount({ component: 'frame', width: 640, height: 360, hostKeys: ['F2'] });
    await page.evaluate(() => {
      document.addEventListener('keydown', ({ key }) => document.body.append(`host has ${key};`));
    });
    await surfaceOf(page).click();
    await page.keyboard.press('F2');
    await page.keyboard.press('F3');
    await server.until(() => server.keys().some(({ type }) => type === 'keyUp'));
    expect(await page.locator('body').textContent()).toContain('host has F2;');
    expect(await page.locator('body').textContent()).not.toContain('host has F3;');
    expect(server.keys().map(({ key }) => key)).toEqual(['F3', 'F3']);
  });

  test('releases the keys that are held when the focus leaves', async ({ page, server, mount }) => {
    server.greeting.push(YOU_DRIVE);
    await mount({ width: 800, height: 600 });
    await surfaceOf(page).click();
    await page.keyboard.down('Shift');
    await page.keyboard.down('A');
    await page.getByRole('textbox', { name: 'Address' }).focus();
    await server.until(() => server.keys().filter(({ type }) => type === 'keyUp').length === 2);
    expect(server.keys().map(({ type, key }) => `${type} ${key}`)).toEqual([
      'keyDown Shift',
      'keyDown A',
      'keyUp Shift',
      'keyUp A',
    ]);
  });

  test('by the keyboard alone takes control from the agent', async ({ page, server, mount }) => {
    await mount({ component: 'frame', width: 640, height: 360 });
    await surfaceOf(page).focus();
    await page.keyboard.press('Enter');
    await page.keyboard.type('x');
    await server.until(() => server.typed() === 'x');
    expect(server.messages[0]).toEqual({ type: 'control', action: 'take' });
  });
});

describe('a paste', () => {
  test.override({ contextOptions: { permissions: ['clipboard-read', 'clipboard-write'] } });

  test('sends 10,000 characters of the viewer as text, and no keys for the page to paste by', async ({
    page,
    server,
    mount,
  }) => {
    server.greeting.push(YOU_DRIVE);
    await mount({ component: 'frame', width: 640, height: 360 });
    const text = 'line one\nzwei\t漢字 😀 '.repeat(500).slice(0, 10_000);
    await page.evaluate(copied => navigator.clipboard.writeText(copied), text);
    await surfaceOf(page).click();
    await page.keyboard.press('Control+v');
    await server.until(() => server.typed() !== '');
    expect(server.messages.find(message => message.type === 'text')).toEqual({ type: 'text', text });
    expect(server.keys().filter(({ key }) => key === 'v')).toEqual([]);
  });
});

describe('by the keyboard alone', () => {
  test('a person enters the page, leaves it with Shift and Escape, and goes on with Tab', async ({
    page,
    server,
    mount,
  }) => {
    server.greeting.push(YOU_DRIVE);
    await mount({ width: 900, height: 600 });
    const names: (string | null)[] = [];
    for (let step = 0; step < 20; step += 1) {
      await page.keyboard.press('Tab');
      names.push(
        await page.evaluate(
          () => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent ?? null,
        ),
      );
      if (names.at(-1)?.startsWith("The agent's browser")) break;
    }
    expect(names).toEqual([
      'Your cart - Tidewater',
      'New tab',
      'Small view',
      'Hide view',
      'Back',
      'Forward',
      'Reload',
      'Address',
      'Live',
      'Show at actual size',
      'Match size',
      "The agent's browser, at https://tidewater.example/cart",
    ]);
    await page.keyboard.press('Enter');
    await page.keyboard.type('hi');
    await page.keyboard.press('Tab');
    await server.until(() => server.keys().some(({ type, key }) => type === 'keyUp' && key === 'Tab'));
    expect(server.typed()).toBe('hi');
    await page.keyboard.press('Shift+Escape');
    expect(await surfaceOf(page).evaluate(element => element === document.activeElement)).toBe(true);
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Hand back');
    await page.keyboard.press('Enter');
    await server.until(() => server.messages.some(({ type }) => type === 'control'));
    expect(server.keys().some(({ key }) => key === 'Escape')).toBe(false);
  });

  test('tabs are moved through with arrows, switched with Enter and closed with Delete', async ({
    page,
    server,
    mount,
  }) => {
    server.greeting.push(YOU_DRIVE);
    await mount({ width: 900, height: 600 });
    await page.getByRole('tab', { name: 'Your cart' }).focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Enter');
    await server.until(() => server.requests.length === 1);
    await page.keyboard.press('Delete');
    await server.until(() => server.requests.length === 2);
    expect(server.requests.map(({ body }) => body)).toEqual([
      { threadId: 'thread-1', action: 'switch', tab: 't3' },
      { threadId: 'thread-1', action: 'close', tab: 't3' },
    ]);
    server.say({ tabs: TABS.tabs.slice(0, 1) });
    await page.getByRole('tab', { name: 'Card payment' }).waitFor({ state: 'detached' });
    expect(await page.getByRole('tab').evaluate(tab => tab === document.activeElement)).toBe(true);
  });

  test('an input method keeps its Escape in the address, which is then left as it was by another', async ({
    page,
    server,
    mount,
  }) => {
    server.greeting.push(YOU_DRIVE);
    await mount();
    const address = page.getByRole('textbox', { name: 'Address' });
    await address.fill('');
    const devtools = await page.context().newCDPSession(page);
    await devtools.send('Input.imeSetComposition', { text: 'かん', selectionStart: 2, selectionEnd: 2 });
    await address.press('Escape');
    expect(await address.inputValue()).toBe('かん');
    await devtools.send('Input.insertText', { text: '漢' });
    await address.press('Escape');
    expect(await address.inputValue()).toBe('https://tidewater.example/cart');
  });
});

test('what is typed after control was lost goes nowhere', async ({ page, server, mount }) => {
  server.grantsControl = false;
  server.greeting.push(YOU_DRIVE);
  await mount({ component: 'frame', width: 640, height: 360, props: { takeOnInteraction: false } });
  await surfaceOf(page).click();
  await page.keyboard.down('a');
  await server.until(() => server.typed() === 'a');
  server.say(AGENT_DRIVES);
  await page.locator('[data-driving=false]').waitFor();
  await page.keyboard.up('a');
  await page.keyboard.type('bcd');
  server.say(YOU_DRIVE);
  await page.locator('[data-driving=true]').waitFor();
  await page.keyboard.type('e');
  await server.until(() => server.typed().includes('e'));
  expect(server.typed()).toBe('ae');
});
