import { humanActionLines } from '@browser-toolset/core';
import { z } from 'zod';

const acted = z.object({ role: z.string(), name: z.string() });
const personActed = z.object({
  humanActions: z.object({
    url: z.object({ before: z.string(), after: z.string() }).optional(),
    activeTab: z.string().optional(),
    tabsOpened: z.array(z.object({ tab: z.string(), url: z.string() })).optional(),
    tabsClosed: z.array(z.string()).optional(),
    fields: z.array(acted.extend({ value: z.string().optional(), secret: z.boolean().optional() })).optional(),
    clicks: z.array(acted).optional(),
    more: z.number().optional(),
  }),
});

/** What a person did in the browser before an action ended, in the words that its result tells the agent. */
export function personActions(result: unknown): string[] {
  const { data } = personActed.safeParse(result);
  return data ? humanActionLines(data.humanActions) : [];
}
