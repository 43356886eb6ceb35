import type {
  ProcessInputStepArgs,
  ProcessLLMRequestArgs,
  ProcessLLMRequestResult,
  Processor,
} from '@mastra/core/processors';
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

/** The state that the model was told last. */
interface ToldBrowser {
  url?: string;
  is?: BrowserNow['is'];
  driver?: 'agent' | 'person';
}

const TITLE_LENGTH = 80;
const STATE_URL_LIMIT = 200;
const MOST_TABS_LISTED = 8;

/** The description of a browser at the beginning of a run. */
function describeBrowser(now: BrowserNow): string {
  if (now.is === 'closed') return now.by === 'user' ? CLOSED_BY_USER : 'Browser is closed; the next call opens it.';
  const active = now.tabs.find(({ id }) => id === now.active);
  const others = now.tabs.filter(tab => tab !== active);
  const more = others.length > MOST_TABS_LISTED ? [`${others.length - MOST_TABS_LISTED} more`] : [];
  return [
    now.is === 'open' ? 'Browser is open.' : 'Browser is hibernated; the next call restores its tabs.',
    active && `Active tab URL: ${place(active)} (${active.id} of ${now.tabs.length}).`,
    now.is === 'open' && now.urlChangedBy === 'user' && 'The user went there.',
    others.length > 0 &&
      `Other tabs: ${[...others.slice(0, MOST_TABS_LISTED).map(tab => `${tab.id} ${place(tab)}`), ...more].join(', ')}.`,
    now.is === 'open' && DRIVES[now.driver],
  ]
    .filter(Boolean)
    .join(' ');
}

/** The news in the middle of a run: changes that no result has told yet. */
function describeNews(now: BrowserNow, told: ToldBrowser): string {
  if (now.is === 'closed') return now.by === 'user' && told.is !== 'closed' ? CLOSED_BY_USER : '';
  if (now.is === 'asleep') return '';
  const active = now.tabs.find(({ id }) => id === now.active);
  const news: string[] = [];
  if (told.url !== undefined && active !== undefined && active.url !== told.url)
    news.push(
      `${now.urlChangedBy === 'user' ? 'user changed active tab URL to' : 'Active tab URL is now'} ${place(active)}.`,
    );
  if (now.driver !== (told.driver ?? 'agent')) news.push(DRIVES[now.driver]);
  return news.join(' ');
}

const CLOSED_BY_USER = 'The user closed the browser; the next call opens it again.';

const DRIVES = {
  agent: 'You have control.',
  person: 'A person has control: your actions wait for them, but you can still look at the page.',
};

/** Urls and titles are the page's own words: they stay on one line and cannot end what they stand in. */
function place({ url, title }: TabNow): string {
  const name = title === '' ? '' : ` ${JSON.stringify(title.slice(0, TITLE_LENGTH))}`;
  return `${url.slice(0, STATE_URL_LIMIT)}${name}`.replace(/[<>]/g, '');
}

/** The parts of the toolset that the processor needs. */
export interface PromptSource {
  /** Its tools, by id. */
  readonly tools: Readonly<
    Record<string, { mcp?: { annotations?: { readOnlyHint?: boolean } }; toModelOutput?: unknown }>
  >;
  readonly options: PromptOptions;
  /** Told which model a run asks next; tools that ask a model themselves take the same. */
  noteModel?(requestContext: object, model: ProcessInputStepArgs['model']): void;
  /** The browser of a call with this context; undefined when there was none yet. */
  browserOf(context: SessionKeyContext): BrowserNow | undefined;
}

export interface PromptOptions {
  /** Results that are out of date are shortened together once they make up so many estimated tokens. */
  staleTokens: number;
  /** Whether a line tells the model what its browser shows and who drives. */
  state: boolean;
}

/** A line about the browser, and how many messages stand before it. */
interface Note {
  after: number;
  text: string;
}

/** Lives as long as one run of an agent. */
interface RunState {
  names?: ReadonlyMap<string, PromptTool | undefined>;
  notes?: Note[];
  told?: ToldBrowser;
}

/**
 * Keeps long runs short: in what is sent to the model, results of browser tools that are out of date become one line
 * each, and a line says what the browser shows and who drives. Nothing stored is changed, nor anything that the user or
 * the model wrote. An agent with `browser: toolset` has it; one with `tools: toolset.tools` takes it as
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

  /** Notes under which names the agent has our tools, and its model. */
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
    // A tool that the agent has had before, and has no more, is known by its own name.
    const toolOf = (name: string) => (state.names?.has(name) ? state.names.get(name) : this.#known.get(name));
    const results = pastResults(args.prompt, toolOf, stored);
    const lastUrl = results.at(-1)?.stored?.result?.url;
    const shortened = shortenResults(args.prompt, results, this.#source.options.staleTokens);
    const noted = this.#source.options.state ? this.#withNotes(shortened, args, lastUrl) : shortened;
    return { prompt: picturesForProvider(noted, providerOf(args), name => toolOf(name) !== undefined) };
  }

  /** Tools of another toolset are another processor's. */
  #ours(tool: { id?: string; toModelOutput?: unknown }): PromptTool | undefined {
    const own = tool.id === undefined ? undefined : this.#source.tools[tool.id];
    return own !== undefined && own.toModelOutput === tool.toModelOutput ? this.#known.get(tool.id ?? '') : undefined;
  }

  /** Lines stay where they were put first, as long as the run goes on: its prompts begin alike. */
  #withNotes(prompt: Prompt, args: ProcessLLMRequestArgs, lastUrl: string | undefined): Prompt {
    const state = args.state as RunState;
    state.notes ??= [];
    const system = prompt.filter(({ role }) => role === 'system').length;
    const after = prompt.length - system;
    const now = this.#source.browserOf(contextOf(args));
    const text = now === undefined ? '' : news(now, { prompt, state, lastUrl });
    if (text !== '') state.notes.push({ after, text });
    if (now !== undefined) state.told = describedBrowser(now);
    return withLines(prompt, state.notes);
  }
}

function news(
  now: BrowserNow,
  { prompt, state, lastUrl }: { prompt: Prompt; state: RunState; lastUrl?: string },
): string {
  const isFirst = state.told === undefined && prompt.at(-1)?.role === 'user';
  if (isFirst) return describeBrowser(now);
  return describeNews(now, { ...state.told, url: lastUrl ?? state.told?.url });
}

function describedBrowser(now: BrowserNow): ToldBrowser {
  if (now.is !== 'open') return { is: now.is };
  return { is: now.is, driver: now.driver, url: now.tabs.find(({ id }) => id === now.active)?.url };
}

/** As Mastra tells of a browser's state: a message that is marked as none of the user's own. */
function withLines(prompt: Prompt, notes: readonly Note[]): Prompt {
  if (notes.length === 0) return prompt;
  let said = 0;
  return prompt.flatMap(message => {
    if (message.role !== 'system') said++;
    const here = message.role === 'system' ? [] : notes.filter(({ after }) => after === said);
    return [message, ...here.map(({ text }) => stateMessageOf(text))];
  });
}

function stateMessageOf(text: string): Prompt[number] {
  return { role: 'user', content: [{ type: 'text', text: `<state type="browser">${text}</state>` }] };
}

function providerOf({ model }: ProcessLLMRequestArgs): string {
  return (model as { provider?: string } | undefined)?.provider ?? '';
}

/** The context of the run, as a tool's execution context would have it. */
function contextOf({ requestContext, agent }: ProcessLLMRequestArgs): SessionKeyContext {
  const memory = requestContext?.get('MastraMemory') as { thread?: { id?: string }; resourceId?: string } | undefined;
  return {
    agent: { agentId: agent?.id, threadId: memory?.thread?.id, resourceId: memory?.resourceId },
    ...(requestContext !== undefined && { requestContext }),
  };
}
