// The soak runs from source, the toolset from its build: the shapes it relies on are named here, so that neither
// type-checks against the other's output.

/** What any call answers, as far as the soak looks at it. */
export interface Result {
  success: boolean;
  code?: string;
  message?: string;
  url?: string;
  value?: string;
  valueUnknown?: string;
  content?: string;
  total?: number;
  text?: string;
  messages?: { text: string }[];
  requests?: { url: string }[];
  fields?: { ref: string; code?: string }[];
  emulation?: { colorScheme?: string };
  tree?: string;
  path?: string;
  refs?: Record<string, { role: string; name?: string }>;
  tabs?: { tab: string; url: string; active: boolean }[];
  newTab?: { tab: string };
  dialog?: { answered?: string };
  download?: { path?: string; state: string; fileSize?: number };
  recovered?: { was: string; now: string };
}

type Call = (input?: object, options?: { signal?: AbortSignal }) => Promise<Result>;

export type SoakSession = Record<
  | 'navigate'
  | 'history'
  | 'tabs'
  | 'snapshot'
  | 'find'
  | 'screenshot'
  | 'click'
  | 'type'
  | 'select'
  | 'scroll'
  | 'wait'
  | 'dialog'
  | 'close'
  | 'read'
  | 'console'
  | 'network'
  | 'pdf'
  | 'fillForm'
  | 'upload'
  | 'drag'
  | 'clipboard'
  | 'storage'
  | 'emulate'
  | 'hover'
  | 'press',
  Call
>;

export interface SoakToolset {
  session(id: string): SoakSession;
  close(): Promise<void>;
}

export type ToolsetOptions = Record<string, unknown>;

interface Integration {
  BrowserToolset: new (options: ToolsetOptions) => SoakToolset;
  ERROR_CODES: Record<string, unknown>;
}

const integration = (await import('@browser-toolset/agent-browser')) as unknown as Integration;

export function makeToolset(options: ToolsetOptions): SoakToolset {
  return new integration.BrowserToolset(options);
}

/** Whether a code is of the closed set of the toolset. */
export function isCode(code: string): boolean {
  return Object.hasOwn(integration.ERROR_CODES, code);
}
