import { describe, expect, it } from 'vitest';
import { estimateTokens } from '../../src/tokens.js';
import { console as tool } from '../../src/tools/console.js';
import { expectSuccess } from '../fixtures.js';
import { pageOpener } from './open-page.js';

const { openPage, newSession } = pageOpener({}, { ownSession: true });

describe('the console', () => {
  it('has what pages wrote with level, place and count, and uncaught errors by themselves', async () => {
    const { session, site } = await openPage(`<script>
      console.log('plain', { a: 1 });
      for (let times = 0; times < 3; times++) console.warn('again');
      console.error('bad');
      console.debug('detail');
      setTimeout(() => { throw new TypeError('nobody caught me') });
      Promise.reject(new Error('nor me'));
    </script>`);
    await expect.poll(async () => (await session.console()).errors).toHaveLength(2);
    const result = expectSuccess(await session.console());
    expect(result).toMatchObject({ url: site.url(), title: 'Test page' });
    const at = (line: number) => `${site.url()}:${line}`;
    expect(result.messages).toEqual([
      { level: 'log', text: 'plain {a: 1}', source: at(2), count: 1 },
      { level: 'warning', text: 'again', source: at(3), count: 3 },
      { level: 'error', text: 'bad', source: at(4), count: 1 },
      { level: 'debug', text: 'detail', source: at(5), count: 1 },
    ]);
    expect(result.errors).toEqual(
      expect.arrayContaining([
        { text: 'TypeError: nobody caught me', source: at(6), count: 1 },
        { text: 'Error: nor me', source: at(7), count: 1 },
      ]),
    );
    expect(tool.headline(result)).toContain(`warning: again (3 times) at ${at(3)}`);
    expect(tool.headline(result)).toContain(`uncaught: TypeError: nobody caught me at ${at(6)}`);
    const serious = await session.console({ level: 'warning' });
    expect(serious.messages?.map(({ level }) => level)).toEqual(['warning', 'error']);
  });

  it('is empty once it was cleared, and before there is a page', async () => {
    const { session } = await openPage('<script>console.log("once")</script>');
    await expect.poll(async () => (await session.console()).messages).toHaveLength(1);
    expect((await session.console({ clear: true })).messages).toHaveLength(1);
    const empty = expectSuccess(await session.console());
    expect(empty).toMatchObject({ messages: [], errors: [] });
    expect(tool.headline(empty)).toBe('Nothing was written to the console.');
    expect(await newSession().console()).toMatchObject({ success: true, messages: [] });
  });

  it('keeps the latest of what never ends, and reads short', async () => {
    const { session } = await openPage(
      `<script>for (let n = 0; n < 1000; n++) { console.log('line ' + n + ' ' + 'x'.repeat(2000)); console.log('tick') }</script>`,
    );
    await expect.poll(async () => JSON.stringify((await session.console()).messages)).toContain('line 999');
    await expect
      .poll(async () => (await session.console()).messages?.at(-1))
      .toMatchObject({ text: 'tick', count: 1000 });
    const { messages = [], earlier, dropped, ...rest } = expectSuccess(await session.console());
    expect(estimateTokens(JSON.stringify(messages))).toBeLessThan(3_000);
    expect(messages.length + (earlier ?? 0)).toBe(200);
    expect(dropped).toBe(801);
    expect(Math.max(...messages.map(({ text }) => text.length))).toBe(500);
    const text = tool.headline({ messages, earlier, dropped, ...rest });
    expect(estimateTokens(text)).toBeLessThan(2_200);
    expect(text).toMatch(/^… 9\d\d earlier\n/);
  });

  it('can be read while a dialog is open', async () => {
    const { session, ref } = await openPage(`<button onclick="console.info('before'); alert('Stop')">Go</button>`);
    await session.click({ ref: ref('button', 'Go') });
    expect(await session.console()).toMatchObject({ success: true, messages: [{ level: 'info', text: 'before' }] });
    await session.dialog({ action: 'accept' });
  });
});
