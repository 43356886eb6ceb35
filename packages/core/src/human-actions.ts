interface Acted {
  readonly role: string;
  readonly name: string;
}

/** What a person did in the pages while they had control, as results of a toolset's tools have it under `humanActions`. */
export interface HumanActionsLike {
  readonly url?: { readonly before: string; readonly after: string } | undefined;
  readonly activeTab?: string | undefined;
  readonly tabsOpened?: readonly { readonly tab: string; readonly url: string }[] | undefined;
  readonly tabsClosed?: readonly string[] | undefined;
  /** Of a secret only that it was changed. */
  readonly fields?:
    | readonly (Acted & { readonly value?: string | undefined; readonly secret?: boolean | undefined })[]
    | undefined;
  readonly clicks?: readonly Acted[] | undefined;
  /** How many fields and clicks are not listed. */
  readonly more?: number | undefined;
}

/** The words for what a person did, a line for each kind: agents and people are told the same. */
export function humanActionLines(actions: HumanActionsLike): string[] {
  const { url, activeTab, tabsOpened = [], tabsClosed = [], fields = [], clicks = [], more } = actions;
  const lines = [
    url && `went from ${url.before} to ${url.after}`,
    ...tabsOpened.map(tab => `opened tab ${tab.tab}: ${tab.url}`),
    tabsClosed.length > 0 && `closed tab ${tabsClosed.join(', ')}`,
    activeTab && `tab ${activeTab} is active now`,
    clicks.length > 0 && `clicked ${clicks.map(described).join(', ')}`,
    ...fields.map(field => `changed ${described(field)}${heldWords(field)}`),
    more && `and ${more} more`,
  ];
  return lines.filter(line => typeof line === 'string');
}

function described({ role, name }: Acted): string {
  return name === '' ? role : `${role} ${JSON.stringify(name)}`;
}

function heldWords({ value, secret }: { value?: string | undefined; secret?: boolean | undefined }): string {
  if (secret) return ' (a secret)';
  return value === undefined ? '' : ` to ${JSON.stringify(value)}`;
}
