import { defaultGateways, getProviderConfig, parseModelString } from '@mastra/core/llm';
import { UsageError } from './usage-error.js';

/** The model named by `MODEL`, if any. Throws a UsageError if its API key is not in the environment. */
export function chosenModel(env: NodeJS.ProcessEnv): string | undefined {
  const id = env.MODEL?.trim();
  if (!id) return undefined;
  const { provider } = parseModelString(id);
  if (!provider) throw new UsageError(`MODEL must look like provider/model, for example openai/gpt-5, not "${id}".`);
  const config = getProviderConfig(provider);
  // A gateway's own ids are in no registry, and it looks for its key itself.
  if (!config && defaultGateways.some(gateway => gateway.id === provider)) return id;
  if (!config) throw new UsageError(`MODEL is ${id}, but Mastra's model router knows no provider "${provider}".`);
  const keys = [config.apiKeyEnvVar].flat();
  if (!keys.some(key => env[key])) {
    throw new UsageError(`MODEL is ${id}, which needs an API key: set ${keys.join(' or ')} too.`);
  }
  return id;
}
