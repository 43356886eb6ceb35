import { setTimeout as pause } from 'node:timers/promises';
import type { BrowserLiveControls, BrowserToolsetLike, ElementIdentity, LiveDialog } from '@browser-toolset/core';
import { plainError } from '@browser-toolset/core/files';
import { until } from '@browser-toolset/core/waiting';
import { RequestContext } from '@mastra/core/request-context';
import { z } from 'zod/v4';

/** Counts the time in which somebody else has the browser: what several calls wait at once counts once. */
class HeldTime {
  /** Told when the first call begins to wait, and when the last one goes on. */
  onChange: (isHeld: boolean) => void = () => undefined;
  #waiting = 0;
  #since = 0;
  #before = 0;

  /** Milliseconds so far. */
  get total(): number {
    return this.#before + (this.#waiting > 0 ? performance.now() - this.#since : 0);
  }

  /** A call waits from now on. Returns the way to end that. */
  begin(): () => void {
    if (this.#waiting++ === 0) {
      this.#since = performance.now();
      this.onChange(true);
    }
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      this.#waiting--;
      if (this.#waiting > 0) return;
      this.#before += performance.now() - this.#since;
      this.onChange(false);
    };
  }
}

/** A tool of a toolset, as far as an agent needs it: what Mastra's `createTool` makes. */
export interface BrowserTool {
  id: string;
  description?: string;
  inputSchema?: unknown;
  execute?(input: unknown, context: unknown): Promise<unknown>;
  toModelOutput?(output: unknown): unknown;
}

const effect = z.looseObject({});

/** The common fields of all tools' results that the loop reads. The rest is handed on whole. */
const toolResult = z.looseObject({
  success: z.boolean(),
  code: z.string().optional(),
  message: z.string().optional(),
  recoveryHint: z.string().optional(),
  canRetry: z.boolean().optional(),
  url: z.string().optional(),
  title: z.string().optional(),
  navigated: z.unknown().optional(),
  newTab: effect.optional(),
  closedTabs: z.unknown().optional(),
  dialog: z
    .looseObject({ type: z.string().optional(), message: z.string().optional(), answered: z.unknown().optional() })
    .optional(),
  changeCounts: z.object({ added: z.number(), changed: z.number(), removed: z.number() }).optional(),
  /** What changed on the page, as the end of the text. */
  changes: z.string().optional(),
  wholePage: z.boolean().optional(),
  element: z
    .looseObject({ role: z.string(), name: z.string(), tag: z.string().optional(), id: z.string().optional() })
    .optional(),
});
export type ToolResult = z.infer<typeof toolResult>;

/** A call that has ended, or one that waits for a person. */
export type CallOutcome =
  | { kind: 'ended'; result: ToolResult; text: string; images: Picture[] }
  | { kind: 'suspended'; payload: Suspended };

export interface Picture {
  data: string;
  mediaType: string;
}

/** The thing that a call waits for: an answer to a question, or an approval. */
export const suspended = z.looseObject({
  question: z.string().optional(),
  options: z.array(z.looseObject({ label: z.string() })).optional(),
  approval: z.unknown().optional(),
});
export type Suspended = z.infer<typeof suspended>;

interface CallOptions {
  signal?: AbortSignal;
  /** The same for a call that is resumed. */
  callId: string;
  /** The answer of a person. */
  resumeData?: unknown;
  /** Nobody reads the text of the result. */
  isSilent?: true;
}

/** Failures that pass by themselves: a person drives, or another process that has died still counts as at work. */
const HELD = new Set(['human_in_control', 'session_in_use']);
const PERSON_DRIVES = 'A person has control of this browser.';
/** Milliseconds until a call that was held is repeated, where no event tells that it may go on. */
const HELD_PAUSE = 1_000;
/** Milliseconds for which another process is waited for. */
const LONGEST_IN_USE = 90_000;

/** A toolset, as far as an agent uses it. What it cannot do is done without. */
export type UsedToolset = Pick<BrowserToolsetLike<unknown>, 'tools' | 'identifyElements'> &
  Partial<Pick<BrowserLiveControls, 'isControlled' | 'onControlChanged' | 'liveDialog'>>;

/** Calls the tools of a toolset for one thread. */
export class BrowserTools {
  /** Told when a call has to wait until somebody else has done with the browser, and why. */
  onHeld: (reason: string) => void = () => undefined;
  /** How long calls have waited so. */
  readonly held = new HeldTime();

  constructor(
    readonly toolset: UsedToolset,
    readonly threadId: string,
    readonly agentId: string,
  ) {}

  has(id: string): boolean {
    return this.#tool(id)?.execute !== undefined;
  }

  #tool(id: string): BrowserTool | undefined {
    return (this.toolset.tools as Readonly<Record<string, BrowserTool>>)[id];
  }

  /** How the markup tells elements, by ref; nothing of those that the toolset cannot tell. */
  async identify(refs: readonly string[]): Promise<Readonly<Record<string, ElementIdentity>>> {
    return (refs.length > 0 && (await this.toolset.identifyElements?.(refs, this.threadId))) || {};
  }

  /**
   * Never throws but what the signal was aborted with: a tool that throws has failed. A call that somebody else holds up, a
   * person who drives or another process, is repeated until they are done.
   */
  async call(id: string, input: unknown, options: CallOptions): Promise<CallOutcome> {
    const deadline = performance.now() + LONGEST_IN_USE;
    for (;;) {
      const outcome = await this.#besidePerson(id, input, options);
      const { code = '', message = '' } = outcome.kind === 'ended' ? outcome.result : {};
      const isOver = code === 'session_in_use' && performance.now() > deadline;
      if (!HELD.has(code) || isOver) return outcome;
      const goesOn = this.held.begin();
      try {
        if (!(await this.whenFree(options.signal))) {
          this.onHeld(message);
          await pause(HELD_PAUSE, undefined, { signal: options.signal });
        }
      } finally {
        goesOn();
      }
    }
  }

  /** Resolves when no person drives, as far as the toolset tells; to whether one did. */
  async whenFree(signal?: AbortSignal): Promise<boolean> {
    if (!this.#isControlled()) return false;
    this.onHeld(PERSON_DRIVES);
    const goesOn = this.held.begin();
    await until(
      () => !this.#isControlled(),
      { signal },
      check => this.#onControl(check),
    );
    goesOn();
    signal?.throwIfAborted();
    return true;
  }

  /** A tool that acts waits by itself for a person who drives: that is none of the run's time. */
  async #besidePerson(id: string, input: unknown, options: CallOptions): Promise<CallOutcome> {
    let goesOn: (() => void) | undefined;
    const heed = (): void => {
      if (!this.#isControlled()) {
        goesOn?.();
        goesOn = undefined;
      } else if (goesOn === undefined) {
        goesOn = this.held.begin();
        if (!options.isSilent) this.onHeld(PERSON_DRIVES);
      }
    };
    const off = this.#onControl(heed);
    heed();
    try {
      return await this.#once(id, input, options);
    } finally {
      off();
      goesOn?.();
    }
  }

  /** The dialog that the active tab waits with, as far as the toolset tells. */
  get openDialog(): LiveDialog | undefined {
    return this.toolset.liveDialog?.(this.threadId);
  }

  #isControlled(): boolean {
    return this.toolset.isControlled?.(this.threadId) ?? false;
  }

  #onControl(callback: () => void): () => void {
    return this.toolset.onControlChanged?.(callback, this.threadId) ?? (() => undefined);
  }

  async #once(id: string, input: unknown, options: CallOptions): Promise<CallOutcome> {
    const { signal, callId, resumeData, isSilent } = options;
    signal?.throwIfAborted();
    const tool = this.#tool(id);
    if (tool?.execute === undefined) return failedCall(`This toolset has no ${id}.`);
    let payload: Suspended | undefined;
    const suspend = async (given: unknown): Promise<void> => {
      payload = suspended.parse(given);
    };
    const requestContext = new RequestContext();
    requestContext.set('mastra__threadId', this.threadId);
    const agent = {
      agentId: this.agentId,
      threadId: this.threadId,
      toolCallId: callId,
      messages: [],
      suspend,
      resumeData,
    };
    try {
      const given = await tool.execute(input, { requestContext, abortSignal: signal, agent });
      if (payload !== undefined) return { kind: 'suspended', payload };
      signal?.throwIfAborted();
      const parsed = toolResult.safeParse(given);
      if (!parsed.success) return failedCall(`${id} answered with no result: ${z.prettifyError(parsed.error)}`);
      const read = isSilent ? { text: '', images: [] } : await this.#read(tool, given);
      return { kind: 'ended', result: parsed.data, ...read };
    } catch (error) {
      signal?.throwIfAborted();
      return failedCall(plainError(error));
    }
  }

  /** The text that a model would read of it. */
  async #read(tool: BrowserTool, given: unknown): Promise<{ text: string; images: Picture[] }> {
    if (tool.toModelOutput === undefined) return { text: JSON.stringify(given), images: [] };
    const output = modelOutput.safeParse(await tool.toModelOutput(given));
    if (!output.success) return { text: JSON.stringify(given), images: [] };
    const { data } = output;
    if (data.type !== 'content')
      return { text: typeof data.value === 'string' ? data.value : JSON.stringify(data.value), images: [] };
    return {
      text: data.value.flatMap(part => (part.type === 'text' ? (part.text ?? '') : [])).join('\n'),
      images: data.value.flatMap(({ data: bytes, mediaType }) =>
        bytes === undefined || !mediaType?.startsWith('image/') ? [] : { data: bytes, mediaType },
      ),
    };
  }
}

const modelOutput = z.union([
  z.object({
    type: z.literal('content'),
    value: z.array(
      z.looseObject({
        type: z.string(),
        text: z.string().optional(),
        data: z.string().optional(),
        mediaType: z.string().optional(),
      }),
    ),
  }),
  z.object({ type: z.enum(['text', 'json', 'error-text', 'error-json']), value: z.unknown() }),
]);

function failedCall(message: string): CallOutcome {
  const result = { success: false, code: 'browser_error', message };
  return { kind: 'ended', result, text: message, images: [] };
}
