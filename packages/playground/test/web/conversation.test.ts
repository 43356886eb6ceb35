import { describe, expect, test } from 'vitest';
import type { StoredMessage } from '../../web/api/mastra.js';
import { apply } from '../../web/chat/chunks.js';
import { EMPTY, pendingCall, toolParts } from '../../web/chat/conversation.js';
import { conversationOf } from '../../web/chat/history.js';

const after = (chunks: readonly unknown[], start = EMPTY) => chunks.reduce<typeof EMPTY>(apply, start);

const said = { type: 'data-user-message', data: { id: 'u1', type: 'user', contents: 'Buy a mug.' } };
const start = { type: 'start', payload: { messageId: 'm1' } };
const words = (id: string, ...texts: string[]) => [
  { type: 'text-start', payload: { id } },
  ...texts.map(text => ({ type: 'text-delta', payload: { id, text } })),
];
const call = (toolCallId: string) => ({
  type: 'tool-call',
  payload: { toolCallId, toolName: 'browser_click', args: { ref: '@e1' } },
});
const modelOutput = { type: 'text', value: 'Clicked link "Mug".' };
const result = (toolCallId: string, value: unknown) => ({
  type: 'tool-result',
  payload: { toolCallId, toolName: 'browser_click', result: value, providerMetadata: { mastra: { modelOutput } } },
});
const finish = (reason: string) => ({ type: 'finish', payload: { stepResult: { reason } } });

const run = [start, said, ...words('t', 'I ', 'click.'), call('c1'), result('c1', { success: true }), finish('stop')];

describe('a run as it comes', () => {
  test('becomes a question, words and calls with what the model reads', () => {
    const { messages, status } = after(run);
    expect(messages).toMatchObject([
      { role: 'user', text: 'Buy a mug.' },
      { role: 'assistant', parts: [{ text: 'I click.' }, { id: 'c1', state: 'done', text: modelOutput.value }] },
    ]);
    expect(status).toBe('idle');
  });

  test('tells a failure of a tool from a success', () => {
    const conversation = after([start, call('c1'), result('c1', { success: false, code: 'stale_ref' })]);
    expect(toolParts(conversation.messages)[0]?.state).toBe('failed');
    expect(conversation.status).toBe('running');
  });

  test('adds words to the last part of that id: models use ids again in later steps', () => {
    const { messages } = after([start, ...words('t', 'One.'), call('c1'), ...words('t', 'Two.')]);
    expect(messages).toMatchObject([{ parts: [{ text: 'One.' }, { kind: 'tool' }, { text: 'Two.' }] }]);
  });

  test('is the same when it is told again from its beginning, as after a reload', () => {
    const once = after(run);
    expect(after(run, once).messages).toEqual(once.messages);
  });

  test('waits with a question, and goes on with its answer', () => {
    const suspendPayload = { question: 'Which?', options: [{ label: 'A' }] };
    const asked = after([
      start,
      call('c1'),
      { type: 'tool-call-suspended', payload: { toolCallId: 'c1', toolName: 'ask_user', suspendPayload } },
    ]);
    expect(asked.status).toBe('waiting');
    expect(pendingCall(asked)?.question).toEqual({ question: 'Which?', options: [{ label: 'A' }] });
    const answered = after([result('c1', { content: 'A' })], asked);
    expect(answered.status).toBe('running');
    expect(pendingCall(answered)).toBeUndefined();
  });

  test('waits for an approval, which can be declined', () => {
    const asked = after([
      start,
      call('c1'),
      { type: 'tool-call-approval', payload: { toolCallId: 'c1', toolName: 'x' } },
    ]);
    expect(pendingCall(asked)?.state).toBe('approval');
    const declined = after([{ type: 'tool-output-denied', payload: { toolCallId: 'c1', toolName: 'x' } }], asked);
    expect(toolParts(declined.messages)[0]?.state).toBe('denied');
  });

  test('ends with a reason when it did not end with an answer', () => {
    expect(after([start, finish('tool-calls')]).notice?.text).toContain('reached its step limit');
    const responseBody = '{"error":{"message":"No \\"credit\\"."}}';
    const failed = after([start, { type: 'error', payload: { error: { message: 'Payment Required', responseBody } } }]);
    expect(failed).toMatchObject({
      status: 'idle',
      messages: [{ parts: [{ kind: 'error', text: 'Payment Required: No "credit".' }] }],
    });
    const stopped = after([start, call('c1'), { type: 'abort', payload: {} }]);
    expect(stopped.notice?.text).toBe('Stopped by you.');
    expect(toolParts(stopped.messages)[0]?.state).toBe('stopped');
  });

  test.each([
    [null],
    ['text'],
    [{}],
    [{ type: 'constructor' }],
    [{ type: 'tool-call', payload: 7 }],
    [{ type: 'later' }],
  ])('is not disturbed by %j', chunk => {
    expect(apply(EMPTY, chunk)).toEqual(EMPTY);
  });
});

describe('a stored thread', () => {
  const tool = (state: string, change = {}) => ({
    type: 'tool-invocation',
    toolInvocation: { toolCallId: 'c1', toolName: 'ask_user', state, args: {}, ...change },
    providerMetadata: undefined,
  });
  const text = (words: string) => ({ type: 'text', text: words, providerMetadata: undefined });
  const user: StoredMessage = { id: 'u1', role: 'signal', type: 'user', content: { parts: [text('Ask me.')] } };
  const assistant = (part: ReturnType<typeof tool>): StoredMessage => ({
    id: 'm1',
    role: 'assistant',
    content: { parts: [text('I ask.'), part] },
  });

  test('shows what was said and done, and no signals that Mastra keeps beside it', () => {
    const state: StoredMessage = { id: 's', role: 'signal', type: 'state', content: { parts: [text('<state/>')] } };
    const { messages, status } = conversationOf(
      [user, state, assistant(tool('result', { result: { success: true } }))],
      [],
      false,
    );
    expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant']);
    expect(toolParts(messages)[0]?.state).toBe('done');
    expect(status).toBe('idle');
  });

  test('still waits where a run is suspended', () => {
    const waiting = { toolCallId: 'c1', kind: 'question', suspendPayload: { question: 'Which?' } } as const;
    const conversation = conversationOf([user, assistant(tool('call'))], [waiting], false);
    expect(conversation.status).toBe('waiting');
    expect(pendingCall(conversation)?.question?.question).toBe('Which?');
  });

  test('shows a call as stopped that nothing waits for any more', () => {
    const cutOff = conversationOf([assistant(tool('call'))], [], false);
    expect(toolParts(cutOff.messages)[0]?.state).toBe('stopped');
    expect(cutOff.notice).toMatchObject({ text: 'The last run did not come to its end.', isUnfinished: true });
    const stopped = conversationOf([assistant(tool('call'))], [], true);
    expect(stopped.notice).toMatchObject({ text: 'Stopped by you.', isStopped: true, isUnfinished: true });
  });
});
