import { describe, expect, test } from 'vitest';
import { describeBrowserToolsetLike, FakeBrowserToolset } from '../src/testing/index.js';

describeBrowserToolsetLike('FakeBrowserToolset', {
  async create() {
    const toolset = new FakeBrowserToolset();
    return {
      toolset,
      open: async (threadId, url) => toolset.open(threadId, url),
      closeThread: async threadId => toolset.closeThread(threadId),
      dispose: () => toolset.close(),
    };
  },
});

describe('FakeBrowserToolset', () => {
  test('keeps what was injected, in order and by thread', async () => {
    const toolset = new FakeBrowserToolset();
    toolset.open('a', 'http://shop.example/');
    await toolset.injectMouseEvent({ type: 'mouseMoved', x: 1, y: 2 }, 'a');
    await toolset.injectKeyboardEvent({ type: 'keyDown', key: 'x' }, 'a');
    expect(toolset.injected).toEqual([
      { kind: 'mouse', threadId: 'a', event: { type: 'mouseMoved', x: 1, y: 2 } },
      { kind: 'keyboard', threadId: 'a', event: { type: 'keyDown', key: 'x' } },
    ]);
  });

  test('sends frames and errors to the streams of one thread', async () => {
    const toolset = new FakeBrowserToolset();
    const frame = { data: 'AAAA', viewport: { width: 10, height: 20 } };
    const seen: unknown[] = [];
    for (const threadId of ['a', 'b']) {
      const stream = await toolset.startScreencast({ threadId });
      stream.on('error', error => seen.push([threadId, error.message]));
      stream.on('frame', ({ data }) => data === frame.data && seen.push([threadId, data]));
    }
    toolset.emitFrame('a', frame);
    toolset.emitError(new Error('encoder gone'), 'b');
    expect(seen).toEqual([
      ['a', 'AAAA'],
      ['b', 'encoder gone'],
    ]);
  });

  test('counts the streams that are open', async () => {
    const toolset = new FakeBrowserToolset();
    const first = await toolset.startScreencast();
    await toolset.startScreencast();
    expect(toolset.streamCount()).toBe(2);
    await first.stop();
    expect(toolset.streamCount()).toBe(1);
    await toolset.close();
    expect(toolset.streamCount()).toBe(0);
  });
});

test('the contract refuses to leave out a test that it does not have', () => {
  const skip = [{ reason: 'misspelt', tests: ['no such test'] }];
  const create = () => Promise.reject(new Error('never called'));
  expect(() => describeBrowserToolsetLike('anything', { create, skip })).toThrow('no test named: no such test');
});
