import { z } from 'zod/v4';
import { ToolError } from '../outcome/errors.js';
import type { Action } from './call/action.js';
import { drawn } from './call/drawn.js';
import { inTime } from './call/in-time.js';
import { defineTool, onDialogField, refField } from './define.js';
import { type ClipboardChord, clipboardChord, sendChord } from './element/clipboard-chord.js';
import { type KeyStroke, keyStroke } from './element/keys.js';

const keysField = z.string().min(1).max(60);

export const press = defineTool({
  id: 'browser_press',
  description: 'Press keys, on an element or where the focus is.',
  input: z.strictObject({
    keys: z
      .union([keysField, z.array(keysField).min(1).max(100)], {
        error: 'expected a key such as Enter, or a list of keys',
      })
      .describe('Enter, Control+A, ArrowDown, or a list'),
    ref: refField.optional(),
    onDialog: onDialogField,
  }),
  output: {
    pressed: z.number().optional(),
    /** What keys that copy, cut or paste did not do. */
    clipboard: z.enum(['empty', 'hidden']).optional(),
  },
  policy: { changesPage: true, sendsInput: true },
  async run(action, { keys, ref }) {
    // Nothing is pressed when one of them cannot be.
    const strokes = [keys].flat().map(toStroke);
    if (ref !== undefined) await action.act(ref, (locator, limits) => locator.focus(limits), { to: 'focus' });
    action.mayHaveSent = true;
    for (const stroke of strokes) {
      await inTime(action, send(action, stroke));
      action.hasBegun = true;
      action.facts.pressed = Number(action.facts.pressed ?? 0) + 1;
    }
    await drawn(action);
    return {};
  },
  headline: ({ pressed, clipboard }) =>
    [
      pressed === 1 ? 'Pressed 1 key.' : `Pressed ${pressed ?? 0} keys.`,
      ...(clipboard === 'empty' ? ['Nothing was selected to copy, or copied before to paste.'] : []),
      ...(clipboard === 'hidden' ? ['A password or other hidden text is not copied.'] : []),
    ].join(' '),
});

function toStroke(keys: string): KeyStroke {
  const stroke = keyStroke(keys);
  if (stroke !== undefined) return stroke;
  throw new ToolError(
    'invalid_input',
    `keys: ${JSON.stringify(keys)} is no key; Enter, Escape, ArrowDown or Control+A are. Text goes into a field by browser_type.`,
  );
}

async function send(action: Action, stroke: KeyStroke): Promise<void> {
  const { keyboard } = action.tab.page;
  if ('insert' in stroke) return keyboard.insertText(stroke.insert);
  const chord = clipboardChord(stroke.press);
  return chord === undefined ? keyboard.press(stroke.press) : useClipboard(action, chord);
}

async function useClipboard(action: Action, chord: ClipboardChord): Promise<void> {
  const { session, tab, limits } = action;
  const way = { send: () => sendChord(tab.page, chord), options: limits };
  const outcome = await session.clipboard.press(tab, chord.deed, way);
  if (outcome === 'empty' || outcome === 'hidden') action.facts.clipboard = outcome;
}
