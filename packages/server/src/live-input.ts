import type { KeyboardEventInput, MouseEventInput, TouchEventInput } from '@browser-toolset/core';
import type { LiveThread } from './live-browser.js';

/** Something that a person did, ready for a browser. */
export type LiveInput =
  | { kind: 'mouse'; event: MouseEventInput }
  | { kind: 'keyboard'; event: KeyboardEventInput }
  | { kind: 'touch'; event: TouchEventInput }
  | { kind: 'text'; text: string };

/** The series that an input belongs to, which can be joined; undefined for an input that must arrive itself. */
export function seriesOf(input: LiveInput): string | undefined {
  if (input.kind === 'touch' && input.event.type === 'touchMove') return 'touch';
  if (input.kind !== 'mouse') return undefined;
  if (input.event.type === 'mouseMoved') return 'move';
  // With another modifier the wheel does something else.
  return input.event.type === 'mouseWheel' ? `wheel ${input.event.modifiers ?? 0}` : undefined;
}

/** The one that two of a series become: the newer one, which of a wheel turns by both. */
export function merged(older: LiveInput, newer: LiveInput): LiveInput {
  if (older.kind !== 'mouse' || newer.kind !== 'mouse' || newer.event.type !== 'mouseWheel') return newer;
  const { deltaX = 0, deltaY = 0 } = newer.event;
  const event = {
    ...newer.event,
    deltaX: deltaX + (older.event.deltaX ?? 0),
    deltaY: deltaY + (older.event.deltaY ?? 0),
  };
  return { kind: 'mouse', event };
}

/** Whether a browser can take an input at all. */
export function takesInput({ source }: LiveThread, { kind }: LiveInput): boolean {
  return kind !== 'touch' || source.injectTouchEvent !== undefined;
}

/** Brings an input to the browser. Rejects when the browser does not take it. */
export async function inject({ source, threadId }: LiveThread, input: LiveInput): Promise<void> {
  switch (input.kind) {
    case 'mouse':
      return source.injectMouseEvent(input.event, threadId);
    case 'keyboard':
      return source.injectKeyboardEvent(input.event, threadId);
    case 'touch':
      return source.injectTouchEvent?.(input.event, threadId);
    case 'text':
      if (source.insertText) return source.insertText(input.text, threadId);
      return typeText({ source, threadId }, input.text);
  }
}

/** Characters that are typed at once; their order is that of the calls. */
const TYPED_AT_ONCE = 64;

/** For a browser that cannot insert text: one character after another. */
async function typeText({ source, threadId }: LiveThread, text: string): Promise<void> {
  const characters = [...text.replaceAll(/\r\n?/g, '\n')];
  for (let start = 0; start < characters.length; start += TYPED_AT_ONCE) {
    const some = characters.slice(start, start + TYPED_AT_ONCE);
    await Promise.all(some.map(character => source.injectKeyboardEvent(typing(character), threadId)));
  }
}

function typing(character: string): KeyboardEventInput {
  const [key, text] = character === '\n' ? ['Enter', '\r'] : [character, character];
  return { type: 'char', key, text };
}
