import { listen } from '../../src/demo-site/http/listener.js';

export interface Answer {
  readonly text: string;
  readonly call?: { readonly name: string; readonly arguments: object };
}

/** A model provider on loopback that gives prepared answers, as a stream of chat completion chunks. */
export async function startModelService(answers: readonly Answer[]) {
  const requests: string[] = [];
  const listener = await listen(async request => {
    requests.push(await request.text());
    const answer = answers[requests.length - 1];
    if (!answer) return Response.json({ error: { message: 'No more answers.' } }, { status: 400 });
    return new Response(chunks(answer), { headers: { 'content-type': 'text/event-stream' } });
  });
  return { url: `http://127.0.0.1:${listener.port}/v1`, requests, [Symbol.asyncDispose]: () => listener.close() };
}

function chunks({ text, call }: Answer): string {
  const frame = { id: 'c1', object: 'chat.completion.chunk', created: 1, model: 'test' };
  const toolCalls = call && [
    {
      index: 0,
      id: 'call_1',
      type: 'function',
      function: { name: call.name, arguments: JSON.stringify(call.arguments) },
    },
  ];
  const deltas = [
    { delta: { role: 'assistant', content: text }, finish_reason: null },
    ...(toolCalls ? [{ delta: { tool_calls: toolCalls }, finish_reason: null }] : []),
    { delta: {}, finish_reason: call ? 'tool_calls' : 'stop' },
  ];
  const lines = deltas.map(delta => JSON.stringify({ ...frame, choices: [{ index: 0, ...delta }] }));
  return [...lines, '[DONE]'].map(line => `data: ${line}\n\n`).join('');
}
