import { z } from 'zod/v4';

const thing = { role: z.string(), name: z.string() };

/** The actions of a person in the pages while they drove. Fields for actions that did not happen are left out. */
export const humanActionsField = z.object({
  /** Urls of the active tab. */
  url: z.object({ before: z.string(), after: z.string() }).optional(),
  /** The tab that is active since. */
  activeTab: z.string().optional(),
  tabsOpened: z.array(z.object({ tab: z.string(), url: z.string() })).optional(),
  tabsClosed: z.array(z.string()).optional(),
  /** The new values of fields; of a secret only that it was changed. */
  fields: z.array(z.object({ ...thing, value: z.string().optional(), secret: z.boolean().optional() })).optional(),
  clicks: z.array(z.object(thing)).optional(),
  /** So many fields and clicks are not told. */
  more: z.number().optional(),
});

export type HumanActions = z.infer<typeof humanActionsField>;

/** The lines that a model reads of what a person did. */
export function humanLines(actions: HumanActions): string[] {
  const { url, activeTab, tabsOpened = [], tabsClosed = [], fields = [], clicks = [], more } = actions;
  const lines = [
    url && `went from ${url.before} to ${url.after}`,
    ...tabsOpened.map(tab => `opened tab ${tab.tab}: ${tab.url}`),
    tabsClosed.length > 0 && `closed tab ${tabsClosed.join(', ')}`,
    activeTab && `tab ${activeTab} is active now`,
    clicks.length > 0 && `clicked ${clicks.map(described).join(', ')}`,
    ...fields.map(field => `changed ${described(field)}${held(field)}`),
    more && `and ${more} more`,
  ].filter(line => typeof line === 'string');
  return lines.length === 0 ? [] : ['A person drove meanwhile and', ...lines.map(line => `  ${line}`)];
}

function described({ role, name }: { role: string; name: string }): string {
  return name === '' ? role : `${role} ${JSON.stringify(name)}`;
}

function held({ value, secret }: { value?: string; secret?: boolean }): string {
  if (secret) return ' (a secret)';
  return value === undefined ? '' : ` to ${JSON.stringify(value)}`;
}
