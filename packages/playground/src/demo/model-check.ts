import { z } from 'zod';
import type { ChosenModel, ModelEndpoint } from './model-choice.js';
import { asError, asRecord } from './unknown-values.js';

/** Milliseconds that a model's server may take to say which models it has. */
const PATIENCE_MS = 10_000;
/** Models that are named to a person who asked for one that is not there. */
const MOST_NAMED = 5;

/** Those of the OpenAI protocol and Anthropic, and those of Google. */
const modelList = z.union([
  z.object({ data: z.array(z.object({ id: z.string() })) }).transform(({ data }) => data.map(({ id }) => id)),
  z
    .object({ models: z.array(z.object({ name: z.string() })) })
    .transform(({ models }) => models.map(({ name }) => name.replace(/^models\//, ''))),
]);

/**
 * What keeps a model from answering, in a sentence that names it, its address and what to do; undefined where nothing is
 * known to. The server is asked for its models alone, which costs nothing.
 */
export async function modelProblem({ endpoint }: ChosenModel, signal: AbortSignal): Promise<string | undefined> {
  if (!endpoint) return undefined;
  try {
    return await problemOf(endpoint, AbortSignal.any([signal, AbortSignal.timeout(PATIENCE_MS)]));
  } catch (error) {
    signal.throwIfAborted();
    return unreachable(endpoint, error);
  }
}

async function problemOf(endpoint: ModelEndpoint, signal: AbortSignal): Promise<string | undefined> {
  const { address, headers, model } = endpoint;
  const name = endpointName(endpoint);
  const ask = (path: string) => fetch(`${address}${path}`, { headers, signal });
  const one = await ask(`/models/${model.split('/').map(encodeURIComponent).join('/')}`);
  const said = await one.text();
  // Google answers a wrong key with 400.
  if (one.status === 401 || one.status === 403 || said.includes('API_KEY_INVALID'))
    return `${name} cannot be used: its server refuses the API key. Set ${endpoint.keyVariable} to a valid one, and start again.`;
  if (one.status >= 500)
    return `${name} cannot be used now: its server answers with status ${one.status}. Look at what it says in its log.`;
  if (one.status !== 404) return undefined;
  // Not every server can be asked for one model.
  const all = await ask('/models');
  const models = all.ok ? await modelsIn(all) : undefined;
  if (models?.some(id => id === model || id === `${model}:latest`)) return undefined;
  if (models) return `${name} cannot be used: its server has no model "${model}"${choiceOf(models)}`;
  // Some servers tell nothing of their models. One that is no server of models is only told apart where its address was typed.
  if (all.status !== 404 || !endpoint.isTyped || (await hasChat(endpoint, signal))) return undefined;
  return `${name} cannot be used: there is no OpenAI API at that address. Correct ${endpoint.addressVariable} (most end in /v1), and start again.`;
}

/** Asks for nothing, which a server that has the route refuses without any model. */
async function hasChat({ address, headers }: ModelEndpoint, signal: AbortSignal): Promise<boolean> {
  const { status } = await fetch(`${address}/chat/completions`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: '{}',
    signal,
  });
  return status !== 404;
}

function choiceOf(models: readonly string[]): string {
  if (models.length === 0) return ', nor any other. Give it one, and start again.';
  const named = models.slice(0, MOST_NAMED).join(', ');
  return `. Set MODEL to one that it has (${named}${models.length > MOST_NAMED ? ', …' : ''}), and start again.`;
}

function unreachable(endpoint: ModelEndpoint, error: unknown): string {
  const { address, addressVariable } = endpoint;
  const { hostname } = new URL(address);
  const name = `${endpointName(endpoint)} cannot be reached`;
  if (asError(error).name === 'TimeoutError')
    return `${name}: its server has not answered within ${PATIENCE_MS / 1000} s. Look whether it is busy or behind a firewall.`;
  // The error of the connection is behind that of the request.
  const reason = asError(asError(error).cause ?? error);
  const { code } = asRecord(reason);
  if (code === 'ECONNREFUSED')
    return `${name}: nothing answers at that address. Start its server, or correct ${addressVariable}.`;
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return `${name}: there is no host "${hostname}", or no network. Correct ${addressVariable}, or connect.`;
  return `${name}: ${reason.message}. Look whether ${addressVariable} is right.`;
}

function endpointName({ model, address }: ModelEndpoint): string {
  return `The model ${model} at ${address}`;
}

/** Undefined for an answer that is no list of models, such as the page of a web site. */
async function modelsIn(response: Response): Promise<string[] | undefined> {
  const text = await response.text();
  try {
    return modelList.safeParse(JSON.parse(text)).data;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
