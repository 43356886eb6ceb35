import { keyDefinition } from '@browser-toolset/core';
import type { Page } from 'playwright-core';
import { withCdp } from '../../browser/chromium/cdp.js';
import { type ClipboardDeed, clipboardDeed, NO_EDITING } from '../../browser/tab/clipboard.js';

/** Keys that copy, cut or paste. */
export interface ClipboardChord {
  deed: ClipboardDeed;
  key: string;
  held: Modifier[];
}

type Modifier = 'Alt' | 'Control' | 'Meta' | 'Shift';

/** As the DevTools protocol counts them (`Input.dispatchKeyEvent`). */
const BITS: Record<Modifier, number> = { Alt: 1, Control: 2, Meta: 4, Shift: 8 };

/** @param keys As Playwright takes them, such as `Control+C`. */
export function clipboardChord(keys: string): ClipboardChord | undefined {
  const names = keys.split(/(?<=[^+])\+(?=.)/);
  const key = names.pop() ?? '';
  const held = [...new Set(names.flatMap(modifierOf))];
  const deed = clipboardDeed(key, {
    control: held.includes('Control'),
    meta: held.includes('Meta'),
    shift: held.includes('Shift'),
    alt: held.includes('Alt'),
  });
  return deed && { deed, key, held };
}

/** Sends the keys to the page; Chromium does nothing at them by itself. */
export async function sendChord(page: Page, { key, held }: ClipboardChord): Promise<void> {
  const { code = '', windowsVirtualKeyCode = 0 } = keyDefinition(key) ?? {};
  const modifiers = held.reduce((bits, name) => bits | BITS[name], 0);
  const event = { key: keyDefinition(key)?.key ?? key, code, windowsVirtualKeyCode, modifiers };
  for (const name of held) await page.keyboard.down(name);
  await withCdp(page, async session => {
    await session.send('Input.dispatchKeyEvent', { type: 'rawKeyDown', ...event, commands: NO_EDITING });
    await session.send('Input.dispatchKeyEvent', { type: 'keyUp', ...event });
  });
  for (const name of held.reverse()) await page.keyboard.up(name);
}

function modifierOf(name: string): Modifier[] {
  if (name === 'ControlOrMeta') return [process.platform === 'darwin' ? 'Meta' : 'Control'];
  const plain = name.replace(/(?:Left|Right)$/, '');
  return plain in BITS ? [plain as Modifier] : [];
}
