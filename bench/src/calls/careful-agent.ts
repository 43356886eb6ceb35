import { callTool, type ModelTool } from '../toolset.ts';

/** What an agent looks for in what it has read: a control by its line, or a fact. */
type Wanted = RegExp;

const NAVIGATES = /^page "/m;

/**
 * An agent that knows what it has read of the page it is on, and takes a snapshot only where that does not hold what it
 * needs next.
 */
export class CarefulAgent {
  calls = 0;
  snapshots = 0;
  readonly #tools: Record<string, ModelTool>;
  readonly #thread: string;
  #known: string[] = [];

  constructor(tools: Record<string, ModelTool>, thread: string) {
    this.#tools = tools;
    this.#thread = thread;
  }

  /** The ref of a control: of the last line read that names it. */
  async ref(wanted: Wanted): Promise<string> {
    return (await this.#find(line => refAfter(line, wanted))) ?? fail(wanted);
  }

  /** Whether the agent can read a fact on the page. */
  async reads(wanted: Wanted): Promise<boolean> {
    return (await this.#find(line => (wanted.test(line) ? line : undefined))) !== undefined;
  }

  async call(tool: string, input: object): Promise<unknown> {
    this.calls++;
    const { result, text } = await callTool(this.#tools[tool] ?? fail(tool), input, this.#thread);
    if (NAVIGATES.test(text)) this.#known = [];
    this.#known.push(...text.split('\n'));
    return result;
  }

  async #find(read: (line: string) => string | undefined): Promise<string | undefined> {
    for (const look of [undefined, {}, { interactiveOnly: false, maxTokens: 20_000 }]) {
      if (look !== undefined) {
        this.snapshots++;
        await this.call('browser_snapshot', look);
      }
      const found = this.#known.flatMap(line => read(line) ?? []).at(-1);
      if (found !== undefined) return found;
    }
    return undefined;
  }
}

/** The ref that follows what is wanted in a line, which may name several controls. */
function refAfter(line: string, wanted: Wanted): string | undefined {
  const match = wanted.exec(line);
  return match === null ? undefined : /@e\d+/.exec(line.slice(match.index))?.[0];
}

function fail(what: unknown): never {
  throw new Error(`the agent finds no ${String(what)}`);
}
