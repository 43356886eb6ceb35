/** Which tools a client is told of. */
export const PROFILES = ['core', 'full', 'slim', 'algonius'] as const;

/**
 * `core`: what most tasks need. `full`: all tools, with the schemas of their results. `slim`: enough to read pages and to fill
 * in forms. `algonius`: `core` with the element tools of the Algonius protocol.
 */
export type Profile = (typeof PROFILES)[number];

const SLIM = [
  'browser_navigate',
  'browser_snapshot',
  'browser_find',
  'browser_click',
  'browser_type',
  'browser_fill_form',
  'browser_press',
  'browser_read',
];

const ALGONIUS = ['click_element', 'get_dom_extra_elements'];

/** Tools that take room in the list of a client and that few tasks need. */
const FULL_ALONE = [
  'browser_console',
  'browser_network',
  'browser_emulate',
  'browser_extract',
  'browser_clipboard',
  'browser_pdf',
  'browser_storage',
  'ask_user',
];

/** Whether a profile has a tool. Without a profile it is all that the owner of the toolset chose. */
export function isInProfile(name: string, profile: Profile | undefined): boolean {
  if (ALGONIUS.includes(name)) return profile === 'algonius';
  if (profile === 'slim') return SLIM.includes(name);
  return profile === undefined || profile === 'full' || !FULL_ALONE.includes(name);
}

/** The schemas of results are most of a list of tools, and few clients read them. */
export function hasOutputSchemas(profile: Profile | undefined): boolean {
  return profile === 'full';
}

/** Ids for the option `tools` of a toolset that has to have all of them. */
export function toolsOnRequest(): string[] {
  return [...FULL_ALONE];
}
