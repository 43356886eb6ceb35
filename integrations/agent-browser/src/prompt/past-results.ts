import type { ProcessLLMRequestArgs } from '@mastra/core/processors';
import { shortText } from '#page-engine/text/cut-text.js';
import { CHARACTERS_PER_TOKEN } from '../limits.js';
import type { CommonResult } from '../results/result.js';

export type Prompt = ProcessLLMRequestArgs['prompt'];
type Message = Prompt[number];
type ToolResultPart = Extract<Extract<Message, { role: 'tool' }>['content'][number], { type: 'tool-result' }>;

/** A result of any tool, as far as it is used here. */
export type RawResult = Partial<CommonResult> & {
  tree?: string;
  element?: { role: string; name: string };
  path?: string;
};

/** A tool call as Mastra stores it: arguments, result and time. */
interface StoredCall {
  args: Record<string, unknown>;
  result?: RawResult;
  /** Milliseconds since 1970. */
  at?: number;
}

/** The properties of a tool that decide how its results are kept. */
export interface PromptTool {
  id: string;
  readOnly: boolean;
}

/**
 * `view`: the page as a whole. `more`: the rest of a view. `reading`: what the agent requested from the page. `change`:
 * what an action did to it.
 */
type ResultKind = 'view' | 'more' | 'reading' | 'change';

/** A result of a browser tool in a prompt. */
export interface PastResult {
  part: ToolResultPart;
  tool: PromptTool;
  kind: ResultKind;
  stored: StoredCall | undefined;
  /** Results of the same step of the model have the same number. */
  step: number;
  hasPicture: boolean;
  /** The page of the result before, which does not have to be named again. */
  pageBefore?: string;
}

/** The results of browser tools in a prompt, in order. */
export function pastResults(
  prompt: Prompt,
  toolOf: (name: string) => PromptTool | undefined,
  stored: ReadonlyMap<string, StoredCall>,
): PastResult[] {
  let step = 0;
  let page = '';
  return prompt.flatMap(message => {
    if (message.role !== 'tool') {
      step++;
      return [];
    }
    return message.content.flatMap(part => {
      const tool = part.type === 'tool-result' ? toolOf(part.toolName) : undefined;
      if (tool === undefined || part.type !== 'tool-result') return [];
      const call = stored.get(part.toolCallId);
      const pageBefore = page;
      page = call?.result === undefined ? '' : pageOf(call.result);
      return [{ part, tool, kind: kindOf(tool, call), stored: call, step, hasPicture: hasPicture(part), pageBefore }];
    });
  });
}

/** The tool calls in a message list, by id. */
export function storedCalls(messages: readonly { content: unknown; createdAt?: unknown }[]): Map<string, StoredCall> {
  const calls = new Map<string, StoredCall>();
  for (const { content, createdAt } of messages) {
    const began = createdAt instanceof Date ? createdAt.getTime() : undefined;
    let open: StoredCall[] = [];
    for (const part of storedPartsOf(content)) {
      const { toolInvocation: invocation, createdAt: at } = part;
      if (invocation?.toolCallId !== undefined) {
        const call: StoredCall = { args: invocation.args ?? {}, result: invocation.result, at: began };
        calls.set(invocation.toolCallId, call);
        open.push(call);
      } else if (typeof at === 'number') {
        // A tool call in Mastra's messages has no time of its own, but the part after it has.
        for (const call of open) call.at = at;
        open = [];
      }
    }
  }
  return calls;
}

interface StoredPart {
  createdAt?: unknown;
  toolInvocation?: { toolCallId?: string; args?: Record<string, unknown>; result?: RawResult };
}

function storedPartsOf(content: unknown): StoredPart[] {
  const { parts } = (typeof content === 'object' && content !== null ? content : {}) as { parts?: unknown };
  return Array.isArray(parts) ? (parts as StoredPart[]) : [];
}

function kindOf({ id, readOnly }: PromptTool, call: StoredCall | undefined): ResultKind {
  if (id === 'browser_snapshot') {
    const { next, ref, scope, diff } = call?.args ?? {};
    if (next !== undefined) return 'more';
    if (diff === true) return 'change';
    return ref === undefined && (scope === undefined || scope === 'page') ? 'view' : 'reading';
  }
  if (call?.result?.wholePage) return 'view';
  return readOnly ? 'reading' : 'change';
}

function hasPicture({ output }: ToolResultPart): boolean {
  return output.type === 'content' && output.value.some(({ type }) => type !== 'text');
}

const BRIEF_NAME_LIMIT = 60;
const BRIEF_URL_LIMIT = 120;
const BRIEF_MESSAGE_LIMIT = 120;

/**
 * A line for an outdated result: tool, time, outcome. Element and page follow it between the boundary lines that the
 * result itself had, so that the prompt stays the same wherever it is written again. It contains no refs.
 */
export function brief({ part, stored, pageBefore }: PastResult): string {
  const time = stored?.at === undefined ? '' : ` ${new Date(stored.at).toISOString().slice(11, 16)}`;
  const { line, number } = readFirstLine(part);
  const result = stored?.result;
  const own = result !== undefined ? withCommas(outcome(result)) : number === undefined ? line : 'ended';
  const page = result !== undefined ? withCommas(pageWords(result, pageBefore)) : line;
  // Without lines the result reported nothing of the page.
  const isBounded = number !== undefined && page !== '' && !page.includes(number);
  return `[shortened] ${part.toolName}${time}: ${own}${isBounded ? `\n[page ${number}]\n${page}\n[end ${number}]` : ''}`;
}

function withCommas(words: readonly string[]): string {
  return words.filter(Boolean).join(', ');
}

function outcome({ success, code, newTab, humanActions }: RawResult): string[] {
  return [
    success ? 'ok' : (code ?? 'failed'),
    newTab === undefined ? '' : `opened tab ${newTab.tab}`,
    humanActions === undefined ? '' : 'a person had acted before',
  ];
}

/** What a page may influence; the page itself where it is another one than that of the result before. */
function pageWords(result: RawResult, pageBefore: string | undefined): string[] {
  const { success, message = '', element, path, download, dialog } = result;
  return [
    success ? '' : withoutRefs(firstSentence(message)),
    element === undefined ? '' : `${element.role} ${quotedWithoutRefs(element.name)}`,
    path ?? '',
    download === undefined ? '' : `download ${download.state} ${download.path ?? quotedWithoutRefs(download.fileName)}`,
    dialog === undefined ? '' : `${dialog.type} dialog ${quotedWithoutRefs(dialog.message)}`,
    pageOf(result) === pageBefore ? '' : pageOf(result),
  ];
}

function pageOf({ title, url }: RawResult): string {
  return (title === undefined ? shortUrl(url) : `on ${quotedWithoutRefs(title)} ${shortUrl(url)}`).trim();
}

/** Names come from the page, so they are quoted and kept on one line. */
function quotedWithoutRefs(text: string): string {
  return JSON.stringify(withoutRefs(shortText(text, BRIEF_NAME_LIMIT)));
}

function shortUrl(url = ''): string {
  return shortText(url, BRIEF_URL_LIMIT);
}

/** The first line that a model read of a result, and the number of the boundary lines around it, where it has any. */
function readFirstLine({ output }: ToolResultPart): { line: string; number: string | undefined } {
  const text = textOf(output);
  const [before = '', number] = /^\[page (\d+)\]\n/m.exec(text) ?? [];
  const [line = ''] = text.slice(text.indexOf(before) + before.length).split('\n');
  return { line: withoutRefs(shortText(line, BRIEF_MESSAGE_LIMIT)), number };
}

function textOf(output: ToolResultPart['output']): string {
  if (output.type === 'text' || output.type === 'error-text') return output.value;
  if (output.type !== 'content') return JSON.stringify(output.value);
  return output.value.map(part => (part.type === 'text' ? part.text : '')).join('\n');
}

function firstSentence(message: string): string {
  return shortText(message.split('\n')[0]?.split(/(?<=[.!?]) /)[0] ?? '', BRIEF_MESSAGE_LIMIT);
}

/** Replaces refs: those of an old result may be stale, and the model must not reuse them. */
function withoutRefs(text: string): string {
  return text.replace(/@e\d+/g, 'it');
}

/** The approximate cost of an image of the viewport. */
const PICTURE_TOKENS = 1200;

/**
 * Shortens outdated results in a prompt to one line each. Calls keep their results, and everything else is unchanged.
 * @param batch Estimated tokens that are shortened together.
 */
export function shortenResults(prompt: Prompt, results: readonly PastResult[], batch: number): Prompt {
  const weighed = results.map(result => {
    const line = brief(result);
    const saves = resultTokens(result.part) - line.length / CHARACTERS_PER_TOKEN;
    // A person's answers are not shortened.
    return { ...result, line, saves: result.tool.id === 'ask_user' ? 0 : saves };
  });
  const outdated = toShorten(weighed, batch);
  const chosen = new Map(
    weighed.filter((_, index) => outdated.has(index)).map(({ part, line }) => [part.toolCallId, line]),
  );
  return chosen.size === 0 ? prompt : prompt.map(message => shortenedMessage(message, chosen));
}

function shortenedMessage(message: Message, lines: ReadonlyMap<string, string>): Message {
  if (message.role === 'tool') {
    const content = message.content.map(part => {
      const line = part.type === 'tool-result' ? lines.get(part.toolCallId) : undefined;
      return line === undefined ? part : withoutCopy({ ...part, output: { type: 'text' as const, value: line } });
    });
    return { ...message, content };
  }
  if (message.role !== 'assistant') return message;
  const content = message.content.map(part =>
    part.type === 'tool-call' && lines.has(part.toolCallId) ? withoutCopy(part) : part,
  );
  return { ...message, content };
}

/** Mastra stores the model's version of a result with the call and the result, too. */
function withoutCopy<Part extends { providerOptions?: ToolResultPart['providerOptions'] }>(part: Part): Part {
  const { mastra, ...others } = part.providerOptions ?? {};
  if (mastra === undefined) return part;
  const { modelOutput: _, ...rest } = mastra;
  return { ...part, providerOptions: { ...others, mastra: rest } };
}

function resultTokens({ output }: ToolResultPart): number {
  const pictures = output.type === 'content' ? output.value.filter(({ type }) => type !== 'text').length : 0;
  return textOf(output).length / CHARACTERS_PER_TOKEN + pictures * PICTURE_TOKENS;
}

/** The properties of a result that decide whether it is shortened. */
export interface Weighed extends Pick<PastResult, 'kind' | 'step' | 'hasPicture'> {
  /** Estimated tokens saved by shortening it. */
  saves: number;
}

/** The newest changes and readings that stay whole besides the newest view of the page. */
const NEWEST_CHANGES = 5;
const NEWEST_READINGS = 3;
/** Results that would save fewer tokens are kept, such as short errors. */
const LEAST_SAVING = 30;

/**
 * Chooses the results to shorten. Outdated results are collected until they save `batch` tokens and are shortened
 * together, because each change in the middle of a prompt invalidates the provider's prompt cache from there on. Only
 * images are removed at once.
 *
 * Invariant: a result that is chosen at some point is also chosen later, so that a prompt that continues begins as
 * before, in every step and in every run.
 */
export function toShorten(results: readonly Weighed[], batch: number): ReadonlySet<number> {
  const chosen = new Set<number>();
  results.forEach(({ step }, index) => {
    if (results[index + 1]?.step === step) return;
    const outdated = outdatedIn(results.slice(0, index + 1)).filter(old => !chosen.has(old));
    const gathered = outdated.reduce((sum, old) => sum + (results[old]?.saves ?? 0), 0);
    if (gathered >= batch || outdated.some(old => results[old]?.hasPicture))
      for (const old of outdated) chosen.add(old);
  });
  return chosen;
}

function outdatedIn(results: readonly Weighed[]): number[] {
  const view = results.findLastIndex(({ kind }) => kind === 'view');
  const since = (kind: Weighed['kind']) =>
    results.flatMap((one, index) => (one.kind === kind && index > view ? [index] : []));
  const readings = results.flatMap(({ kind, hasPicture }, index) => (kind === 'reading' && !hasPicture ? [index] : []));
  const kept = new Set([
    view,
    results.length - 1,
    results.findLastIndex(({ hasPicture }) => hasPicture),
    ...since('more'),
    ...since('change').slice(-NEWEST_CHANGES),
    ...readings.slice(-NEWEST_READINGS),
  ]);
  return results.flatMap(({ saves }, index) => (kept.has(index) || saves < LEAST_SAVING ? [] : [index]));
}

/** Providers whose protocols accept images in tool results. */
const TAKES_PICTURES = /^(?:anthropic|google|vertex|amazon-bedrock|bedrock)\b|\.responses$/;
/** The text in a result in place of its image. */
const POINTER = 'The picture follows in the next message.';

type Output = Extract<ToolResultPart['output'], { type: 'content' }>;
type Media = Extract<Output['value'][number], { type: 'media' }>;

/**
 * Moves the images of browser tools into user messages after the results, because servers of the chat completions
 * protocol accept none in tool messages. Prompts for other providers are unchanged.
 */
export function picturesForProvider(prompt: Prompt, provider: string, isOurs: (toolName: string) => boolean): Prompt {
  if (TAKES_PICTURES.test(provider)) return prompt;
  const out: Prompt = [];
  let waiting: Media[] = [];
  const addPictures = (): void => {
    if (waiting.length > 0) out.push(picturesMessageOf(waiting));
    waiting = [];
  };
  for (const message of prompt) {
    if (message.role !== 'tool') {
      // The results of one turn must stay together.
      addPictures();
      out.push(message);
      continue;
    }
    const content = message.content.map(part => {
      if (part.type !== 'tool-result' || !isOurs(part.toolName)) return part;
      const { rest, pictures } = apart(part);
      waiting.push(...pictures);
      return rest;
    });
    out.push({ ...message, content });
  }
  addPictures();
  return out;
}

function apart(part: ToolResultPart): { rest: ToolResultPart; pictures: Media[] } {
  const { output } = part;
  if (output.type !== 'content') return { rest: part, pictures: [] };
  const pictures = output.value.filter(
    (each): each is Media => each.type === 'media' && each.mediaType.startsWith('image/'),
  );
  if (pictures.length === 0) return { rest: part, pictures };
  const texts = output.value.filter(each => !pictures.includes(each as Media));
  const value: Output['value'] = [...texts, { type: 'text', text: POINTER }];
  return { rest: { ...part, output: { type: 'content', value } }, pictures };
}

function picturesMessageOf(pictures: readonly Media[]): Message {
  const intro =
    pictures.length === 1 ? 'The picture that the browser tool took:' : 'The pictures that the browser tools took:';
  const files = pictures.map(({ data, mediaType }) => ({ type: 'file' as const, data, mediaType }));
  return { role: 'user', content: [{ type: 'text', text: intro }, ...files] };
}
