import { describe, expect, onTestFinished, test } from 'vitest';
import { modelProblem } from '../../src/demo/model-check.js';
import { chosenModel } from '../../src/demo/model-choice.js';
import { type Handler, listen } from '../../src/demo-site/http/listener.js';

interface Asked {
  readonly method: string;
  readonly path: string;
  readonly key: string | null;
}

/** What is said of the model `mine` whose server answers so, and what the server was asked. */
async function ask(handler: Handler, env: Record<string, string> = {}) {
  const asked: Asked[] = [];
  const listener = await listen(request => {
    const { method, url, headers } = request;
    const key = headers.get('authorization') ?? headers.get('x-api-key');
    asked.push({ method, path: new URL(url).pathname, key });
    return handler(request);
  });
  onTestFinished(() => listener.close());
  const address = `http://127.0.0.1:${listener.port}/v1`;
  const model = chosenModel({ MODEL: 'mine', MODEL_URL: `${address}/`, MODEL_API_KEY: 'key', ...env });
  if (!model) throw new Error('No model was chosen.');
  const said = await modelProblem(model, new AbortController().signal);
  return { said: said?.replace(address, 'ADDRESS'), asked };
}

const missing = () => Response.json({ error: 'no such route' }, { status: 404 });
const lists =
  (...ids: string[]) =>
  (request: Request) =>
    new URL(request.url).pathname === '/v1/models' ? Response.json({ data: ids.map(id => ({ id })) }) : missing();

describe('a model', () => {
  test('that is there is asked about once, with its key and nothing to pay', async () => {
    const { said, asked } = await ask(() => Response.json({ id: 'mine' }));
    expect(said).toBeUndefined();
    expect(asked).toEqual([{ method: 'GET', path: '/v1/models/mine', key: 'Bearer key' }]);
  });

  test('is found in a list, with the tag that Ollama adds', async () => {
    expect((await ask(lists('other', 'mine'))).said).toBeUndefined();
    expect((await ask(lists('mine:latest'))).said).toBeUndefined();
  });

  test('that its server lacks is named beside those that it has', async () => {
    expect((await ask(lists('a', 'b'))).said).toBe(
      'The model mine at ADDRESS cannot be used: its server has no model "mine". Set MODEL to one that it has (a, b), and start again.',
    );
    expect((await ask(lists())).said).toContain('has no model "mine", nor any other.');
  });

  test('whose server refuses the key names the variable to set', async () => {
    const refuse = () => Response.json({ error: { message: 'bad key' } }, { status: 401 });
    expect((await ask(refuse)).said).toBe(
      'The model mine at ADDRESS cannot be used: its server refuses the API key. Set MODEL_API_KEY to a valid one, and start again.',
    );
  });

  test('whose server is broken says so', async () => {
    expect((await ask(() => new Response('', { status: 503 }))).said).toContain('its server answers with status 503');
  });

  test('whose server tells nothing of models is not doubted, unless no OpenAI API is there', async () => {
    const chatAlone = (request: Request) => (request.method === 'POST' ? new Response('', { status: 400 }) : missing());
    expect((await ask(chatAlone)).said).toBeUndefined();
    expect((await ask(missing)).said).toBe(
      'The model mine at ADDRESS cannot be used: there is no OpenAI API at that address. Correct MODEL_URL (most end in /v1), and start again.',
    );
  });

  test('whose server is not there says where it was looked for', async () => {
    const listener = await listen(missing);
    await listener.close();
    const address = `http://127.0.0.1:${listener.port}/v1`;
    const model = chosenModel({ MODEL: 'mine', MODEL_URL: address }) ?? { id: '', config: '' };
    expect(await modelProblem(model, new AbortController().signal)).toBe(
      `The model mine at ${address} cannot be reached: nothing answers at that address. Start its server, or correct MODEL_URL.`,
    );
  });

  test('of a provider is asked about where that provider is, in its own way', async () => {
    const listener = await listen(request =>
      request.headers.get('x-api-key') === 'k' ? Response.json({}) : new Response('', { status: 401 }),
    );
    onTestFinished(() => listener.close());
    const ANTHROPIC_BASE_URL = `http://127.0.0.1:${listener.port}/v1`;
    const of = (ANTHROPIC_API_KEY: string) =>
      chosenModel({ MODEL: 'anthropic/claude-x', ANTHROPIC_API_KEY, ANTHROPIC_BASE_URL }) ?? { id: '', config: '' };
    const { signal } = new AbortController();
    expect(await modelProblem(of('k'), signal)).toBeUndefined();
    expect(await modelProblem(of('wrong'), signal)).toContain('Set ANTHROPIC_API_KEY to a valid one');
    const { endpoint } = chosenModel({ MODEL: 'openai/gpt-5', OPENAI_API_KEY: 'k' }) ?? {};
    expect(endpoint).toMatchObject({ address: 'https://api.openai.com/v1', model: 'gpt-5', isTyped: false });
  });
});
