import type { MastraModelConfig } from '@mastra/core/llm';
import { defaultGateways, getProviderConfig, parseModelString } from '@mastra/core/llm';
import { UsageError } from './usage-error.js';

/** A model of the user's own. */
export interface ChosenModel {
  /** As it was named. */
  readonly id: string;
  readonly config: MastraModelConfig;
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
  const { provider } = parseModelString(id);
  if (!provider) throw new UsageError(`MODEL must look like provider/model, for example openai/gpt-5, not "${id}".`);
  const config = getProviderConfig(provider);
  // A gateway's own ids are in no registry, and it looks for its key itself.
  if (!config && defaultGateways.some(gateway => gateway.id === provider)) return { id, config: id };
  if (!config) throw new UsageError(`MODEL is ${id}, but Mastra's model router knows no provider "${provider}".`);
  const keys = [config.apiKeyEnvVar].flat();
  if (!keys.some(key => env[key])) {
    throw new UsageError(`MODEL is ${id}, which needs an API key: set ${keys.join(' or ')} too.`);
  }
  return { id, config: id };
}

function modelAt(url: string, id: string | undefined, apiKey = 'none'): ChosenModel {
  if (!/^https?:\/\//.test(url) || !URL.canParse(url))
    throw new UsageError(`MODEL_URL must be a web address, such as http://localhost:11434/v1, not "${url}".`);
  if (!id) throw new UsageError('MODEL_URL needs MODEL too: the name that the server has for its model.');
  return { id: `${id} at ${url}`, config: { id: `local/${id}`, url, apiKey } };
}
