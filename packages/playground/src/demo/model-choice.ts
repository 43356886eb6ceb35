import type { MastraModelConfig } from '@mastra/core/llm';
import { defaultGateways, getProviderConfig, parseModelString } from '@mastra/core/llm';
import { UsageError } from './usage-error.js';

/** A model of the user's own. */
export interface ChosenModel {
  /** As it was named. */
  readonly id: string;
  readonly config: MastraModelConfig;
  /** Left out where it is not known how its server is asked. */
  readonly endpoint?: ModelEndpoint;
}

/** The server of a model. */
export interface ModelEndpoint {
  /** Without a slash at its end. */
  readonly address: string;
  /** As its server calls it. */
  readonly model: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The variable that has the address, or would. */
  readonly addressVariable: string;
  /** Whether that variable is set. */
  readonly isTyped: boolean;
  readonly keyVariable: string;
}

/**
 * The model named by `MODEL`, if any; with `MODEL_URL` at that address, which speaks the OpenAI protocol. Throws a
 * UsageError for what cannot work, such as an API key that is not in the environment.
 */
export function chosenModel(env: NodeJS.ProcessEnv): ChosenModel | undefined {
  const id = env.MODEL?.trim();
  const url = env.MODEL_URL?.trim();
  if (url) return modelAt(url, id, env.MODEL_API_KEY?.trim());
  if (!id) return undefined;
  const { provider, modelId } = parseModelString(id);
  if (!provider) throw new UsageError(`MODEL must look like provider/model, for example openai/gpt-5, not "${id}".`);
  const config = getProviderConfig(provider);
  // A gateway's own ids are in no registry, and it looks for its key itself.
  if (!config && defaultGateways.some(gateway => gateway.id === provider)) return { id, config: id };
  if (!config) throw new UsageError(`MODEL is ${id}, but Mastra's model router knows no provider "${provider}".`);
  const keys = [config.apiKeyEnvVar].flat();
  const keyVariable = keys.find(key => env[key]);
  if (!keyVariable) throw new UsageError(`MODEL is ${id}, which needs an API key: set ${keys.join(' or ')} too.`);
  const addressVariable = `${provider.toUpperCase().replaceAll('-', '_')}_BASE_URL`;
  const typed = env[addressVariable]?.trim();
  const address = typed || config.url || HOMES[provider];
  const headersOf = headersFor(provider, config.npm);
  // Some addresses are made of further variables.
  if (!address || address.includes('${') || !headersOf) return { id, config: id };
  const endpoint: ModelEndpoint = {
    address: address.replace(/\/+$/, ''),
    model: modelId,
    headers: headersOf(env[keyVariable] ?? ''),
    addressVariable,
    isTyped: Boolean(typed),
    keyVariable,
  };
  return { id, config: id, endpoint };
}

/** The addresses that the clients of these providers have built in. */
const HOMES: Readonly<Record<string, string>> = {
  openai: 'https://api.openai.com/v1',
  anthropic: 'https://api.anthropic.com/v1',
  google: 'https://generativelanguage.googleapis.com/v1beta',
  xai: 'https://api.x.ai/v1',
};

const bearer = (key: string) => ({ authorization: `Bearer ${key}` });
/** Those whose list of models is that of OpenAI's protocol. */
const SPEAKS_OPENAI = /^@(ai-sdk\/(openai|openai-compatible|groq|mistral|xai|cerebras|deepseek)|openrouter\/.*)$/;

/** How a provider is shown its key; undefined where that is not known. */
function headersFor(provider: string, npm: string | undefined): ((key: string) => Record<string, string>) | undefined {
  if (provider === 'anthropic') return key => ({ 'x-api-key': key, 'anthropic-version': '2023-06-01' });
  if (provider === 'google') return key => ({ 'x-goog-api-key': key });
  return npm === undefined || SPEAKS_OPENAI.test(npm) ? bearer : undefined;
}

function modelAt(url: string, id: string | undefined, apiKey = 'none'): ChosenModel {
  if (!/^https?:\/\//.test(url) || !URL.canParse(url))
    throw new UsageError(`MODEL_URL must be a web address, such as http://localhost:11434/v1, not "${url}".`);
  if (!id) throw new UsageError('MODEL_URL needs MODEL too: the name that the server has for its model.');
  const endpoint: ModelEndpoint = {
    address: url.replace(/\/+$/, ''),
    model: id,
    headers: bearer(apiKey),
    addressVariable: 'MODEL_URL',
    isTyped: true,
    keyVariable: 'MODEL_API_KEY',
  };
  return { id: `${id} at ${url}`, config: { id: `local/${id}`, url, apiKey }, endpoint };
}
