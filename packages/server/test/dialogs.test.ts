import { describe, expect, test } from 'vitest';
import { serveView, type TestViewer } from './viewing.js';

const CONFIRM = { type: 'confirm', message: 'Remove all?' } as const;

/** What a viewer was last told of the page's dialog. */
const dialogOf = ({ messages }: TestViewer) => messages.findLast(message => 'dialog' in message)?.dialog;

describe('a dialog of the page', () => {
  test('is told to who watches and to who comes later, and is gone once it is answered', async () => {
    const { browser, watch } = await serveView();
    browser.open('one', 'https://shop.example/');
    const first = await watch({ query: 'threadId=one' });
    browser.openDialog('one', CONFIRM);
    await first.until(viewer => dialogOf(viewer) !== undefined);
    const second = await watch({ query: 'threadId=one' });
    await second.until(viewer => dialogOf(viewer) !== undefined);
    expect([dialogOf(first), dialogOf(second)]).toEqual([CONFIRM, CONFIRM]);
    second.send({ type: 'dialog', accept: true, text: 'yes' });
    await first.until(viewer => dialogOf(viewer) === null);
    expect(browser.dialogAnswers).toEqual([{ accept: true, text: 'yes' }]);
  });

  test('is answered neither by who may only watch nor while another person drives', async () => {
    const { browser, watch } = await serveView({
      authorize: ({ url }) => (url.searchParams.has('see') ? 'view' : 'control'),
    });
    browser.open('one', 'https://shop.example/');
    browser.openDialog('one', CONFIRM);
    const watcher = await watch({ query: 'threadId=one&see' });
    watcher.send({ type: 'dialog', accept: true });
    await watcher.until(({ messages }) =>
      messages.some(message => 'error' in message && message.error === 'view_only'),
    );
    const driver = await watch({ query: 'threadId=one' });
    driver.send({ type: 'control', action: 'take' });
    await driver.until(({ control }) => control?.isYou === true);
    const other = await watch({ query: 'threadId=one' });
    other.send({ type: 'dialog', accept: true });
    await other.until(({ messages }) =>
      messages.some(message => 'error' in message && message.error === 'another_in_control'),
    );
    expect(browser.dialogAnswers).toEqual([]);
  });

  test('that is not open any more is no failure of the stream', async () => {
    const { browser, watch } = await serveView();
    browser.open('one', 'https://shop.example/');
    const viewer = await watch({ query: 'threadId=one' });
    viewer.send({ type: 'dialog', accept: true });
    await viewer.until(({ messages }) => messages.some(message => 'error' in message && message.error === 'no_dialog'));
    expect(viewer.closed).toBeUndefined();
  });
});
