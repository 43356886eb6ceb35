import { describe, expect, test } from 'vitest';
import type { ActionDetail } from '../../src/server/api.js';
import { Journal } from '../../src/server/journal.js';

function action(id: string, change: Partial<ActionDetail> = {}): ActionDetail {
  return {
    id,
    threadId: 't',
    tool: 'browser_click',
    by: 'agent',
    isReadOnly: false,
    status: 'running',
    startedAt: 0,
    effects: [],
    gist: '',
    words: { sentence: '', lines: [] },
    input: { ref: '@e1' },
    pictures: [],
    ...change,
  };
}

describe('the journal', () => {
  test('keeps a call in its place when it ends', () => {
    const journal = new Journal();
    journal.write(action('a'));
    journal.write(action('b'));
    journal.write(action('a', { status: 'done', text: 'Clicked.' }));
    expect(journal.summaries('t').map(({ id, status }) => `${id} ${status}`)).toEqual(['a done', 'b running']);
    expect(journal.find('t', 'a')?.text).toBe('Clicked.');
  });

  test('lists calls without what makes them large', () => {
    const journal = new Journal();
    journal.write(action('a', { output: { tree: 'x'.repeat(1000) }, text: 'x'.repeat(1000) }));
    expect(JSON.stringify(journal.summaries('t')).length).toBeLessThan(400);
  });

  test('does not grow for ever', () => {
    const journal = new Journal();
    for (let count = 0; count < 500; count += 1) journal.write(action(`a${count}`));
    expect(journal.summaries('t')).toHaveLength(200);
    expect(journal.summaries('t').at(-1)?.id).toBe('a499');
    for (let count = 0; count < 100; count += 1) journal.write(action('a', { threadId: `t${count}` }));
    expect(journal.summaries('t')).toEqual([]);
    expect(journal.summaries('t99')).toHaveLength(1);
  });

  test('forgets a thread', () => {
    const journal = new Journal();
    journal.write(action('a'));
    journal.forget('t');
    expect(journal.summaries('t')).toEqual([]);
  });
});
