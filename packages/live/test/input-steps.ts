import type { KeyboardEventInput } from '@browser-toolset/core';
import type { Page } from 'playwright-core';
import { onTestFinished } from 'vitest';
import { InputInjector } from '../src/input/input.js';
import type { ChosenPage } from './live-fixtures.js';

export function injectorOf(source: ChosenPage): InputInjector {
  const input = new InputInjector(source);
  onTestFinished(() => input.dispose());
  return input;
}

/** Presses and releases, as Mastra's Studio sends it: every click is the first. */
export async function click(input: InputInjector, x: number, y: number): Promise<void> {
  const pressed = input.injectMouse({ type: 'mousePressed', x, y, button: 'left', clickCount: 1 });
  const released = input.injectMouse({ type: 'mouseReleased', x, y, button: 'left', clickCount: 1 });
  await Promise.all([pressed, released]);
}

export async function press(input: InputInjector, event: Omit<KeyboardEventInput, 'type'>): Promise<void> {
  await input.injectKeyboard({ type: 'keyDown', ...event });
  await input.injectKeyboard({ type: 'keyUp', ...event });
}

export const field = (page: Page) => page.locator('textarea, input').first();
export const selectedText = (page: Page) => page.evaluate(() => String(getSelection()));

export async function focusedField(page: Page, html = '<textarea rows=20 cols=60></textarea>'): Promise<void> {
  await page.setContent(html);
  await field(page).focus();
}
