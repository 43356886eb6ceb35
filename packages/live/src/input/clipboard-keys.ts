export type ClipboardCommand = 'copy' | 'cut' | 'paste';

/** Modifier bits of the DevTools protocol (`Input.dispatchKeyEvent`). */
export const MODIFIER_BITS = { Alt: 1, Control: 2, Meta: 4, Shift: 8 };

/**
 * Keeps Chromium from running a key's own command: it ignores values other than `div` and `p` (editor_command.cc), and
 * is enabled wherever the focus is.
 */
export const NO_EDITING = ['DefaultParagraphSeparator'];

const BY_LETTER: Record<string, ClipboardCommand> = { c: 'copy', x: 'cut', v: 'paste' };

/** The clipboard command that Chromium binds to a key with these modifiers on any platform, if any. */
export function clipboardCommand(key: string, modifiers: number): ClipboardCommand | undefined {
  const { Alt, Control, Meta, Shift } = MODIFIER_BITS;
  if (modifiers & Alt) return undefined;
  const name = key.replace(/^Key(?=[A-Z]$)/, '').toLowerCase();
  const isCommand = ((modifiers & Control) !== 0) !== ((modifiers & Meta) !== 0);
  const shift = (modifiers & Shift) !== 0;
  const command = isCommand ? BY_LETTER[name] : undefined;
  // Shift pastes as plain text.
  if (command !== undefined) return shift && command !== 'paste' ? undefined : command;
  if (name === 'insert' && shift !== isCommand) return shift ? 'paste' : 'copy';
  return name === 'delete' && shift && !isCommand ? 'cut' : undefined;
}
