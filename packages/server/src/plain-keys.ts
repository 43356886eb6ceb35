import { type KeyboardEventInput, keyDefinition } from '@browser-toolset/core';

const SHIFT = 8;

/**
 * A keyboard event with what a client may leave out. The virtual key code names the key, never its character (with the
 * character's, `.` deletes), and a key down of Enter types `\r`, else it submits no form.
 */
export function withKeyDetails(event: KeyboardEventInput): KeyboardEventInput {
  const { type, key, code, text } = event;
  const definition = (key && keyDefinition(key)) || (code && keyDefinition(code)) || undefined;
  const virtualKey = event.windowsVirtualKeyCode ?? (type === 'char' ? undefined : definition?.windowsVirtualKeyCode);
  const isEnter = type === 'keyDown' && key === 'Enter' && ((event.modifiers ?? 0) & ~SHIFT) === 0;
  return {
    ...event,
    ...(virtualKey !== undefined && { windowsVirtualKeyCode: virtualKey }),
    ...(isEnter && !text && { text: '\r' }),
  };
}
