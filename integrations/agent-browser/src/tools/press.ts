import { z } from 'zod/v4';
import { plainMessage, ToolError } from '../outcome/errors.js';
import type { Action } from './action.js';
import { defineTool, onDialogField, refField } from './define.js';

const keysField = z.string().min(1).max(60);

export const press = defineTool({
  id: 'browser_press',
  description: 'Press keys, on an element or where the focus is.',
  input: z.strictObject({
    keys: z.union([keysField, z.array(keysField).min(1).max(100)]).describe('Enter, Control+A, ArrowDown, or a list'),
    ref: refField.optional(),
    onDialog: onDialogField,
  }),
  output: {},
  policy: { changesPage: true },
  async run(action, { keys, ref }) {
    const list = typeof keys === 'string' ? [keys] : keys;
    if (ref !== undefined) await action.act(ref, (locator, limits) => locator.focus(limits), {});
    for (const key of list) await pressKey(action, key);
    return {};
  },
  headline: () => 'Pressed.',
});

/** Names that people and models write for keys (UI Events, key values). */
const ALIASES: Record<string, string> = {
  ctrl: 'Control',
  control: 'Control',
  cmd: 'Meta',
  command: 'Meta',
  option: 'Alt',
  alt: 'Alt',
  shift: 'Shift',
  meta: 'Meta',
  esc: 'Escape',
  escape: 'Escape',
  return: 'Enter',
  enter: 'Enter',
  del: 'Delete',
  delete: 'Delete',
  space: 'Space',
  tab: 'Tab',
  backspace: 'Backspace',
  up: 'ArrowUp',
  down: 'ArrowDown',
  left: 'ArrowLeft',
  right: 'ArrowRight',
  pageup: 'PageUp',
  pagedown: 'PageDown',
  home: 'Home',
  end: 'End',
  plus: '+',
};

/** `ctrl+a` as Playwright reads it: `Control+a`. A plus sign may be a key itself. */
export function toPlaywrightKeys(keys: string): string {
  const parts = keys.trim().split(/(?<=[^+])\+(?=.)/);
  return parts.map(part => ALIASES[part.toLowerCase()] ?? part).join('+');
}

async function pressKey(action: Action, keys: string): Promise<void> {
  try {
    await action.tab.page.keyboard.press(toPlaywrightKeys(keys));
  } catch (cause) {
    if (!plainMessage(cause).startsWith('Unknown key')) throw cause;
    throw new ToolError(
      'invalid_input',
      `keys: ${JSON.stringify(keys)} is no key; Enter, Escape, ArrowDown or Control+A are.`,
      { cause },
    );
  }
}
