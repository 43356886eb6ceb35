/** Options that only a new context can be given. */
const OWN_CONTEXT = ['userAgent', 'locale', 'timezoneId', 'proxy', 'colorScheme', 'device'] as const;

type OwnContextOption = (typeof OWN_CONTEXT)[number] | 'ignoreHTTPSErrors';

/** Options as far as they say whose a context is. */
type ContextOptions = { readonly [Name in OwnContextOption]?: unknown };

interface Browser {
  profile?: string | undefined;
  cdpUrl?: unknown;
  scope?: 'thread' | 'shared' | undefined;
}

/** Those of the options that only a new context can be given. */
export function ownContextOptions(config: ContextOptions): OwnContextOption[] {
  const set = OWN_CONTEXT.filter(option => config[option] !== undefined);
  return config.ignoreHTTPSErrors ? [...set, 'ignoreHTTPSErrors'] : set;
}

/** Whether the session has the pages of a person's own browser. */
export function isPersonsContext({ cdpUrl, scope }: Omit<Browser, 'profile'>): boolean {
  return typeof cdpUrl === 'string' && scope === 'shared';
}

/** Whether sessions use the context that a browser came with, whose device is its own. */
export function joinsContext({ profile, cdpUrl, scope }: Browser): boolean {
  return profile !== undefined || typeof cdpUrl === 'function' || isPersonsContext({ cdpUrl, scope });
}
