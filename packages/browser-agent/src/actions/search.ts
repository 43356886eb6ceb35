import { z } from 'zod/v4';
import { type ActionDefinition, defineAction } from './action.js';
import { outcomeOf } from './tool-actions.js';

/** @param address Of the results, with `%s` where the query stands. */
export function searchAction(address: string): ActionDefinition {
  return defineAction({
    name: 'search',
    description: `Search the web with ${new URL(address.replace('%s', 'x')).hostname}.`,
    input: z.strictObject({ query: z.string().min(1).max(500) }),
    async run({ query }, { tools, callId, signal, resumeData }) {
      const url = address.replace('%s', () => encodeURIComponent(query));
      const call = await tools.call('browser_navigate', { url }, { callId, signal, resumeData });
      const outcome = outcomeOf('navigate', call, id => tools.has(id));
      // An export searches where the record did.
      return { ...outcome, ...(outcome.metadata && { metadata: { ...outcome.metadata, searchUrl: address } }) };
    },
  }) as ActionDefinition;
}
