import { betweenBoundaries } from '@browser-toolset/core/boundaries';

/** Tags of a message that only the agent writes. */
const TAGS = [
  ...[
    'task',
    'task_before',
    'agent_history',
    'agent_state',
    'read_state',
    'browser_state',
    'step',
    'person',
    'page',
    'output',
    'system',
  ],
];
const TAG = new RegExp(`<(?=\\s*/?\\s*(?:${TAGS.join('|')})\\b)`, 'giu');

/** A text that comes from elsewhere, in which nothing can be taken for a tag of the message. */
export function inert(text: string): string {
  return text.replace(TAG, '‹');
}

export function tagged(tag: string, ...lines: readonly (string | undefined)[]): string {
  const body = lines.filter(line => line !== undefined && line !== '').join('\n');
  return `<${tag}>\n${body}\n</${tag}>`;
}

/** Page text between lines that no page can know: with a new number each time, or with the one of a key. */
export function bounded(text: string, key?: string): string {
  return betweenBoundaries(inert(text), key);
}

/** Cut to so many characters, never between the two halves of one, with a word that it was. */
export function shortened(text: string, most: number): string {
  if (text.length <= most) return text;
  return `${text.slice(0, most).replace(/[\ud800-\udbff]$/, '')}… (${text.length - most} more characters)`;
}
