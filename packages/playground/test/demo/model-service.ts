import { listen } from '../../src/demo-site/http/listener.js';

export interface Answer {
  readonly text: string;
  readonly call?: { readonly name: string; readonly arguments: object };
}

/** A model provider on loopback that has any model, and gives prepared answers: as a stream of chat completion chunks where that is asked for. */
export async function startModelService(answers: readonly Answer[], port = 0) {
  const requests: string[] = [];
  const listener = await listen(async request => {
    // Asked whether it has the model.
    if (request.method === 'GET') return Response.json({ object: 'model' });
    const body = await request.text();
    requests.push(body);
    const answer = answers[requests.length - 1];
    if (!answer) return Response.json({ error: { message: 'No more answers.' } }, { status: 400 });
    if (!(JSON.parse(body) as { stream?: boolean }).stream) return Response.json(whole(answer));
    return new Response(chunks(answer), { headers: { 'content-type': 'text/event-stream' } });
  }, port);
  return { url: `http://127.0.0.1:${listener.port}/v1`, requests, [Symbol.asyncDispose]: () => listener.close() };
}

function whole({ text }: Answer): object {
  const choices = [{ index: 0, message: { role: 'assistant', content: text }, finish_reason: 'stop' }];
  const usage = { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 };
  return { id: 'c1', object: 'chat.completion', created: 1, model: 'test', choices, usage };
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
