import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Agent } from '@mastra/core/agent';
import { expect, test } from 'vitest';
import { picturesForProvider } from '../../src/prompt/past-results.js';
import { sharingToolset } from '../fixtures.js';

interface Sent {
  messages: { role: string; content: string | { type: string; image_url?: { url: string } }[] }[];
}

/** Speaks the chat completions protocol: calls a tool, then answers. */
async function chatServer() {
  const sent: Sent[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    sent.push(JSON.parse(body));
    const call = { id: 'c1', type: 'function', function: { name: 'browser_screenshot', arguments: '{}' } };
    const message =
      sent.length === 1
        ? { role: 'assistant', content: null, tool_calls: [call] }
        : { role: 'assistant', content: 'I see.' };
    const choices = [{ index: 0, message, finish_reason: sent.length === 1 ? 'tool_calls' : 'stop' }];
    const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ id: '1', object: 'chat.completion', created: 1, model: 'm', choices, usage }));
  });
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  const stop = (): void => {
    server.closeAllConnections();
    server.close();
  };
  return { sent, url, [Symbol.dispose]: stop };
}

test('a screenshot reaches a model behind the chat completions protocol as a picture, not as text', async () => {
  using server = await chatServer();
  await using toolset = sharingToolset();
  const agent = new Agent({
    id: 'a',
    name: 'a',
    instructions: 'Look',
    model: { id: 'loopback/m', url: server.url, apiKey: 'none' },
    tools: toolset.tools,
    inputProcessors: toolset.getInputProcessors(),
  });
  expect((await agent.generate('What is there?')).text).toBe('I see.');
  const [tool, picture] = server.sent[1]?.messages.slice(-2) ?? [];
  expect(tool?.role).toBe('tool');
  expect(String(tool?.content).length).toBeLessThan(1_000);
  expect(tool?.content).toContain('The picture follows in the next message.');
  expect(picture?.role).toBe('user');
  const parts = Array.isArray(picture?.content) ? picture.content : [];
  expect(parts.map(({ type }) => type)).toEqual(['text', 'image_url']);
  expect(parts[1]?.image_url?.url).toMatch(/^data:image\/jpeg;base64,/);
});

test('models that take pictures in results get them there, and what is not ours stays as it is', () => {
  const media = { type: 'media' as const, mediaType: 'image/png', data: 'AAAA' };
  const result = (toolName: string) => ({
    role: 'tool' as const,
    content: [
      {
        type: 'tool-result' as const,
        toolCallId: toolName,
        toolName,
        output: { type: 'content' as const, value: [{ type: 'text' as const, text: 'x' }, media] },
      },
    ],
  });
  const prompt = [result('browser_screenshot'), result('other')];
  const isOurs = (name: string): boolean => name === 'browser_screenshot';
  for (const provider of ['anthropic.messages', 'google.generative-ai', 'openai.responses'])
    expect(picturesForProvider(prompt, provider, isOurs)).toBe(prompt);
  const moved = picturesForProvider(prompt, 'openai.chat', isOurs);
  expect(moved.map(({ role }) => role)).toEqual(['tool', 'tool', 'user']);
  expect(moved[1]).toEqual(prompt[1]);
});
