import { getProviderConfig, parseModelString } from '@mastra/core/llm';
import { UsageError } from './usage-error.js';

/** The model named by `MODEL`, if any. Throws a UsageError if its API key is not in the environment. */
export function chosenModel(env: NodeJS.ProcessEnv): string | undefined {
  const id = env.MODEL?.trim();
  if (!id) return undefined;
  const { provider } = parseModelString(id);
  if (!provider) throw new UsageError(`MODEL must look like provider/model, for example openai/gpt-5, not "${id}".`);
  // Ids of gateways with keys of their own are not in the registry: the router judges those.
  const keys = [getProviderConfig(provider)?.apiKeyEnvVar ?? []].flat();
  if (keys.length > 0 && !keys.some(key => env[key])) {
    throw new UsageError(`MODEL is ${id}, which needs an API key: set ${keys.join(' or ')} too.`);
  }
  return id;
}
