import { betweenBoundaries } from '@browser-toolset/core/boundaries';
import type {
  ProcessInputStepArgs,
  ProcessLLMRequestArgs,
  ProcessLLMRequestResult,
  Processor,
} from '@mastra/core/processors';
import { shortText } from '#page-engine/text/cut-text.js';
import type { BrowserNow, TabNow } from '../browser/storage/browser-states.js';
import type { SessionKeyContext } from '../options.js';
import {
  type Prompt,
  type PromptTool,
  pastResults,
  picturesForProvider,
  shortenResults,
  storedCalls,
} from './past-results.js';

/** The state that was last described to the model. */
interface DescribedBrowser {
  url?: string;
  is?: BrowserNow['is'];
  driver?: 'agent' | 'person';
}

const TITLE_LENGTH = 80;
const STATE_URL_LIMIT = 200;
const MOST_TABS_LISTED = 8;

/** Describes a browser at the beginning of a run. */
function describeBrowser(now: BrowserNow): string {
  if (now.is === 'closed') return now.by === 'user' ? CLOSED_BY_USER : 'Browser is closed; the next call opens it.';
  const active = now.tabs.find(({ id }) => id === now.active);
  const others = now.tabs.filter(tab => tab !== active);
  const more = others.length - MOST_TABS_LISTED;
  const own = [
    now.is === 'open' ? 'Browser is open.' : 'Browser is hibernated; the next call restores its tabs.',
    active && `Active tab: ${active.id} of ${now.tabs.length}.`,
    more > 0 && `${more} tabs are not listed.`,
    now.is === 'open' && now.urlChangedBy === 'user' && 'The user went there.',
    now.is === 'open' && DRIVES[now.driver],
  ];
  return withPlaces(own, [...(active ? [active] : []), ...others.slice(0, MOST_TABS_LISTED)]);
}

/** Describes changes in the middle of a run that no result has reported yet. */
function describeChangesOf(now: BrowserNow, described: DescribedBrowser): string {
  if (now.is === 'closed') return now.by === 'user' && described.is !== 'closed' ? CLOSED_BY_USER : '';
  if (now.is === 'asleep') return '';
  const active = now.tabs.find(({ id }) => id === now.active);
  const moved = described.url !== undefined && active !== undefined && active.url !== described.url ? [active] : [];
  const who =
    now.urlChangedBy === 'user' ? 'The user changed the URL of the active tab.' : 'The active tab has another URL.';
  const own = [moved.length > 0 && who, now.driver !== (described.driver ?? 'agent') && DRIVES[now.driver]];
  return withPlaces(own, moved);
}

const CLOSED_BY_USER = 'The user closed the browser; the next call opens it again.';

const DRIVES = {
  agent: 'You have control.',
  person: 'A person has control: your actions wait for them, but you can still look at the page.',
};

/** Adds the tabs, whose URLs and titles come from pages: each on one line, and unable to close the state tag. */
function withPlaces(own: readonly (string | false | undefined)[], tabs: readonly TabNow[]): string {
  const places = tabs.map(({ id, url, title }) => {
    const name = title === '' ? '' : ` ${JSON.stringify(shortText(title, TITLE_LENGTH))}`;
    return `${id} ${url.slice(0, STATE_URL_LIMIT)}${name}`.replace(/[<>]/g, '');
  });
  return [own.filter(Boolean).join(' '), betweenBoundaries(places.join('\n'))].filter(Boolean).join('\n');
}

/** The parts of the toolset that the processor uses. */
export interface PromptSource {
  readonly tools: Readonly<
    Record<string, { mcp?: { annotations?: { readOnlyHint?: boolean } }; toModelOutput?: unknown }>
  >;
  readonly options: PromptOptions;
  /** Called with the model of a run; tools that call a model themselves use the same one. */
  noteModel?(requestContext: object, model: ProcessInputStepArgs['model']): void;
  /** The browser of a call with this context; undefined if there has been none. */
  browserOf(context: SessionKeyContext): BrowserNow | undefined;
}

export interface PromptOptions {
  /** Outdated results are shortened together once they add up to this many estimated tokens. */
  staleTokens: number;
  /** Adds a line that describes what the browser shows and who has control. */
  state: boolean;
}

/** A line about the browser, and the number of non-system messages before it. */
interface Note {
  after: number;
  text: string;
}

/** State of one run of an agent. */
interface RunState {
  names?: ReadonlyMap<string, PromptTool | undefined>;
  notes?: Note[];
  described?: DescribedBrowser;
}

/**
 * Keeps the prompts of long runs short: outdated results of browser tools are sent to the model as one line each, and a
 * line describes what the browser shows and who has control. Stored messages and everything that the user or the model
 * wrote stay unchanged. An agent with `browser: toolset` has this processor; one with `tools: toolset.tools` needs
 * `inputProcessors: toolset.getInputProcessors()`.
 */
export class BrowserPromptProcessor implements Processor<'browser-toolset-prompt'> {
  static readonly id = 'browser-toolset-prompt';
  readonly id = BrowserPromptProcessor.id;
  readonly name = 'BrowserToolset prompt';
  readonly #source: PromptSource;
  readonly #known: ReadonlyMap<string, PromptTool>;

  constructor(source: PromptSource) {
    this.#source = source;
    const tools = Object.entries(source.tools).map(
      ([id, { mcp }]) => [id, { id, readOnly: mcp?.annotations?.readOnlyHint === true }] as const,
    );
    this.#known = new Map(tools);
  }

  /** Records the names under which the agent has the toolset's tools, and its model. */
  processInputStep(args: Pick<ProcessInputStepArgs, 'tools' | 'state' | 'model' | 'requestContext'>): undefined {
    const { tools, state, model, requestContext } = args;
    if (requestContext !== undefined) this.#source.noteModel?.(requestContext, model);
    (state as RunState).names = new Map(
      Object.entries(tools ?? {}).map(([name, tool]) => [
        name,
        this.#ours(tool as { id?: string; toModelOutput?: unknown }),
      ]),
    );
  }

  processLLMRequest(args: ProcessLLMRequestArgs): ProcessLLMRequestResult {
    const state = args.state as RunState;
    const stored = storedCalls(args.messageList?.get.all.db() ?? []);
    // A tool that the agent no longer has is recognized by its id.
    const toolOf = (name: string) => (state.names?.has(name) ? state.names.get(name) : this.#known.get(name));
    const results = pastResults(args.prompt, toolOf, stored);
    const lastUrl = results.at(-1)?.stored?.result?.url;
    const shortened = shortenResults(args.prompt, results, this.#source.options.staleTokens);
    const noted = this.#source.options.state ? this.#withNotes(shortened, args, lastUrl) : shortened;
    const { provider = '' } = (args.model ?? {}) as { provider?: string };
    return { prompt: picturesForProvider(noted, provider, name => toolOf(name) !== undefined) };
  }

  /** Resolves a tool of this toolset. Tools of another toolset are left to its processor. */
  #ours(tool: { id?: string; toModelOutput?: unknown }): PromptTool | undefined {
    const own = tool.id === undefined ? undefined : this.#source.tools[tool.id];
    return own !== undefined && own.toModelOutput === tool.toModelOutput ? this.#known.get(tool.id ?? '') : undefined;
  }

  /** Adds the lines about the browser. Each keeps its position, so that the prompts of a run begin alike. */
  #withNotes(prompt: Prompt, args: ProcessLLMRequestArgs, lastUrl: string | undefined): Prompt {
    const state = args.state as RunState;
    state.notes ??= [];
    const system = prompt.filter(({ role }) => role === 'system').length;
    const after = prompt.length - system;
    const now = this.#source.browserOf(contextOf(args));
    const text = now === undefined ? '' : lineFor(now, { prompt, state, lastUrl });
    if (text !== '') state.notes.push({ after, text });
    if (now !== undefined) state.described = describedBrowser(now);
    return withLines(prompt, state.notes);
  }
}

function lineFor(
  now: BrowserNow,
  { prompt, state, lastUrl }: { prompt: Prompt; state: RunState; lastUrl?: string },
): string {
  const isFirst = state.described === undefined && prompt.at(-1)?.role === 'user';
  if (isFirst) return describeBrowser(now);
  return describeChangesOf(now, { ...state.described, url: lastUrl ?? state.described?.url });
}

function describedBrowser(now: BrowserNow): DescribedBrowser {
  if (now.is !== 'open') return { is: now.is };
  return { is: now.is, driver: now.driver, url: now.tabs.find(({ id }) => id === now.active)?.url };
}

/** Inserts the lines in the form that Mastra uses for a browser's state: user messages marked as state. */
function withLines(prompt: Prompt, notes: readonly Note[]): Prompt {
  if (notes.length === 0) return prompt;
  let passed = 0;
  return prompt.flatMap(message => {
    if (message.role !== 'system') passed++;
    const here = message.role === 'system' ? [] : notes.filter(({ after }) => after === passed);
    return [message, ...here.map(({ text }) => stateMessageOf(text))];
  });
}

function stateMessageOf(text: string): Prompt[number] {
  return { role: 'user', content: [{ type: 'text', text: `<state type="browser">${text}</state>` }] };
}

/** The context of the run, in the shape of a tool's execution context. */
function contextOf({ requestContext, agent }: ProcessLLMRequestArgs): SessionKeyContext {
  const memory = requestContext?.get('MastraMemory') as { thread?: { id?: string }; resourceId?: string } | undefined;
  return {
    agent: { agentId: agent?.id, threadId: memory?.thread?.id, resourceId: memory?.resourceId },
    ...(requestContext !== undefined && { requestContext }),
  };
}
