import type { Page } from 'playwright-core';
import { outputText } from '../prompt/scripted-model.ts';
import { tokensOf } from '../tokens.ts';
import type { ModelTool, Toolset } from '../toolset.ts';
import { namelessIn } from './nameless.ts';

/** Part of a line that the agent has read. */
type Said = string | RegExp;

/** A control by the line that names it, the first of them after another line where two are given. */
type WantedControl = Said | [after: Said, wanted: Said];

interface ToolResult {
  success?: boolean;
  fields?: { error?: string }[];
}

/** What a call must have told. */
interface Expectation {
  /** What its result must say. */
  says?: Said | Said[];
  /** What its result must not say. */
  saysNot?: Said | Said[];
  /** The page makes something else of what is typed, as tags of a text. */
  mayDiffer?: boolean;
}

const NEW_PAGE = /^page "/m;
/** How results say that a field does not hold what was typed. */
const DIFFERS = /differs from what was (?:typed|entered)/;
/** The line before and after what a page says. */
const PAGE_LINE = /^\[(?:page|end) \d+\]$/;

/**
 * An agent that finds what it acts on in the results that it has read, by role and name. Where these do not name it, it
 * has to look once more, which is a flaw, and where the look does not either, it cannot go on.
 */
export class Player {
  calls = 0;
  tokens = 0;
  readonly flaws: string[] = [];
  /** Each call with what the model reads of its result. */
  readonly script: string[] = [];
  readonly #toolset: Toolset;
  readonly #thread: string;
  readonly #url: string;
  #known: string[] = [];
  #last = '';

  constructor(toolset: Toolset, page: { name: string; url: string }) {
    this.#toolset = toolset;
    this.#thread = page.name;
    this.#url = page.url;
  }

  /** Opens the page. */
  async open(expected?: Expectation): Promise<void> {
    await this.call('navigate', { url: this.#url }, expected);
  }

  async click(wanted: WantedControl, expected?: Expectation & { input?: object }): Promise<void> {
    await this.call('click', { ref: await this.ref(wanted), ...expected?.input }, expected);
  }

  /** Clicks a day of the calendar that is open. */
  async clickDay(day: number, expected?: Expectation): Promise<void> {
    const ref = dayIn(this.#known, day);
    if (ref === undefined) throw new Error(`finds no day ${day}`);
    await this.call('click', { ref }, expected);
  }

  async hover(wanted: WantedControl, expected?: Expectation): Promise<void> {
    await this.call('hover', { ref: await this.ref(wanted) }, expected);
  }

  async type(wanted: WantedControl, text: string, expected?: Expectation & { input?: object }): Promise<void> {
    await this.call('type', { ref: await this.ref(wanted), text, ...expected?.input }, expected);
  }

  async press(keys: string | string[], expected?: Expectation & { on?: WantedControl }): Promise<void> {
    const on = expected?.on === undefined ? {} : { ref: await this.ref(expected.on) };
    await this.call('press', { keys, ...on }, expected);
  }

  async select(wanted: WantedControl, labels: string[], expected?: Expectation): Promise<void> {
    await this.call('select', { ref: await this.ref(wanted), labels }, expected);
  }

  async fill(fields: [WantedControl, string | boolean | string[]][], expected?: Expectation): Promise<void> {
    const filled: { ref: string; value: string | boolean | string[] }[] = [];
    for (const [wanted, value] of fields) filled.push({ ref: await this.ref(wanted), value });
    await this.call('fill_form', { fields: filled }, expected);
  }

  async drag(from: WantedControl, to: WantedControl, expected?: Expectation): Promise<void> {
    await this.call('drag', { from: await this.ref(from), to: await this.ref(to) }, expected);
  }

  async find(text: string, expected?: Expectation): Promise<void> {
    await this.call('find', { text }, expected);
  }

  /** Calls a tool once. What it answers is held against what was expected of it. */
  async call(
    tool: string,
    input: object,
    { says = [], saysNot = [], mayDiffer = false }: Expectation = {},
  ): Promise<void> {
    this.calls++;
    const browserTool = (this.#toolset.tools as Record<string, ModelTool | undefined>)[`browser_${tool}`];
    if (browserTool === undefined) throw new Error(`there is no tool ${tool}`);
    const context = { agent: { agentId: 'bed', threadId: this.#thread, resourceId: 'bed' } };
    const result = (await browserTool.execute(input, context)) as ToolResult;
    const text = outputText(await browserTool.toModelOutput(result));
    this.tokens += tokensOf(text);
    const call = `${tool} ${JSON.stringify(input)}`;
    this.script.push(`> ${call}\n${text}`);
    if (tool !== 'snapshot' && NEW_PAGE.test(text)) this.#known = [];
    this.#known.push(...text.split('\n').filter(line => !line.startsWith('- ')));
    this.#last = text;
    const failed = result.success === false || result.fields?.some(({ error }) => error !== undefined) === true;
    const differs = !mayDiffer && DIFFERS.test(text);
    if (failed || differs) this.flaws.push(`${call}: ${text.split('\n').find(line => !PAGE_LINE.test(line))}`);
    for (const wanted of asList(says)) if (!matches(text, wanted)) this.flaws.push(`${call}: does not say ${wanted}`);
    for (const wanted of asList(saysNot)) if (matches(text, wanted)) this.flaws.push(`${call}: says ${wanted}`);
    for (const line of namelessIn(text)) this.flaws.push(`no name or hint: ${line.trim()}`);
  }

  /** The ref of a control: of the last line read that names it. */
  async ref(wanted: WantedControl): Promise<string> {
    const known = refOfControl(this.#known, wanted);
    if (known !== undefined) return known;
    for (const look of [{}, { interactiveOnly: false, maxTokens: 20_000 }]) {
      this.flaws.push(`had to look for ${wanted}`);
      await this.call('snapshot', look);
      const found = refOfControl(this.#last.split('\n'), wanted);
      if (found !== undefined) return found;
    }
    throw new Error(`finds no ${wanted}`);
  }

  /** What the page's own script says of the task. */
  async state(): Promise<unknown> {
    const page: Page | null = await this.#toolset.getActivePage(this.#thread);
    return page?.evaluate(() => (globalThis as unknown as { state(): unknown }).state());
  }
}

const asList = <T>(of: T | T[]): T[] => (Array.isArray(of) ? of : [of]);

function matches(text: string, said: Said): boolean {
  return typeof said === 'string' ? text.includes(said) : said.test(text);
}

/**
 * The ref in the last line that has what is wanted: of several in a line the one that follows it. The line of a control
 * may name its row as well.
 */
function refOfControl(lines: readonly string[], wanted: WantedControl): string | undefined {
  if (Array.isArray(wanted)) {
    const [after, then] = wanted;
    const refs = lines.map(line => refBehind(line, then));
    const from = lines.findLastIndex(line => matches(line, after));
    const below = from < 0 ? undefined : refs.slice(from).find(ref => ref !== undefined);
    return below ?? refs.findLast((ref, at) => ref !== undefined && matches(lines[at] ?? '', after));
  }
  return lines.map(line => refBehind(line, wanted)).findLast(ref => ref !== undefined);
}

function refBehind(line: string, said: Said): string | undefined {
  const at = typeof said === 'string' ? line.indexOf(said) : line.search(said);
  return at < 0 ? undefined : /@e\d+/.exec(line.slice(at))?.[0];
}

/** The ref of a day where the days of a calendar are told in one line (`days 1-31: @e2-@e32, today 4`). */
function dayIn(lines: readonly string[], day: number): string | undefined {
  const ranges = lines.flatMap(line => [...line.matchAll(/(?:days|,) (\d+)-(\d+):? @e(\d+)-@e(\d+)/g)]);
  const range = ranges.findLast(([, first, last]) => Number(first) <= day && day <= Number(last));
  return range && `@e${Number(range[3]) + day - Number(range[1])}`;
}
