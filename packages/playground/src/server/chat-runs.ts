import { setTimeout as delay } from 'node:timers/promises';
import type { PreviewOptions } from '@browser-toolset/agent-browser';
import type { Agent, AgentRun } from '@mastra/core/agent';
import { MastraError } from '@mastra/core/error';
import { z } from 'zod';
import { asError } from '../demo/unknown-values.js';
import type { CallKind, CallPreview, Decision, WaitingCall, WaitingThread } from './api.js';
import { AllowedKinds } from './call-kinds.js';
import type { DescribedCall, RecordedToolset } from './recorded-toolset.js';
import { WaitingThreads } from './waiting-threads.js';

/** One thread of one agent. */
export interface ChatKey {
  readonly agentId: string;
  readonly threadId: string;
}

/** Answers that are remembered, so that none is given twice. */
const KEPT_ANSWERS = 1_000;
/** How often, and how soon again, it is asked whether a run has been suspended. */
const MOST_ASKED = 100;
const ASK_AGAIN_MS = 100;
const STOPPED = 'The user stopped the run.';
/** As Mastra says it where no reason is given. */
const DECLINED = 'Tool call was not approved by the user:';
/** What Mastra's agents say of an answer that nobody waits for. */
const UNAWAITED = new Set([
  'AGENT_SEND_TOOL_APPROVAL_NO_ACTIVE_THREAD_RUN',
  'AGENT_SEND_STREAM_RESUME_NO_SUSPENDED_THREAD_RUN',
]);

/** Nobody waits for this answer, or no longer. */
export class UnawaitedAnswer extends Error {}

interface ChatRunsParts {
  readonly agents: Readonly<Record<string, Agent>>;
  readonly toolset: RecordedToolset;
}

/** What a person decides of the chat agents' runs: which calls wait, what they are, and whether they go on. */
export class ChatRuns {
  readonly #agents: Readonly<Record<string, Agent>>;
  readonly #toolset: RecordedToolset;
  /** Mastra's storage names a run as suspended until the call that was approved has ended. */
  readonly #answered = new Set<string>();
  /** By agent. */
  readonly #waiting = new Map<string, WaitingThreads>();
  /** The ways to stop listening to threads, by their keys. */
  readonly #followed = new Map<string, () => void>();
  /** What a person has approved for the rest of a thread's run, by its key. */
  readonly #allowed = new Map<string, AllowedKinds>();

  constructor({ agents, toolset }: ChatRunsParts) {
    this.#agents = agents;
    this.#toolset = toolset;
  }

  has(agentId: string): boolean {
    return Object.hasOwn(this.#agents, agentId);
  }

  /** The calls that wait for a person. */
  async waiting({ agentId, threadId }: ChatKey): Promise<WaitingCall[]> {
    const { runs } = await this.#agent(agentId).listSuspendedRuns({ threadId, resourceId: agentId });
    return runs.flatMap(run => this.#unanswered(run));
  }

  /** The threads of an agent in which a call waits, those of earlier servers among them. */
  async waitingThreads(agentId: string): Promise<WaitingThreads> {
    const { runs } = await this.#agent(agentId).listSuspendedRuns({ resourceId: agentId });
    const stored = runs.flatMap((run): WaitingThread[] => {
      const [call] = this.#unanswered(run);
      return call && run.threadId ? [{ threadId: run.threadId, kind: call.kind }] : [];
    });
    const waiting = this.#waitingOf(agentId);
    waiting.learn(stored);
    return waiting;
  }

  #waitingOf(agentId: string): WaitingThreads {
    const waiting = this.#waiting.get(agentId) ?? new WaitingThreads();
    this.#waiting.set(agentId, waiting);
    return waiting;
  }

  /** Listens to a thread from now on, for who shows the list of threads. */
  async #follow({ agentId, threadId }: ChatKey): Promise<void> {
    const key = JSON.stringify([agentId, threadId]);
    if (this.#followed.has(key)) return;
    this.#followed.set(key, () => undefined);
    const { stream, unsubscribe } = await this.#agent(agentId).subscribeToThread({ threadId, resourceId: agentId });
    this.#followed.set(key, unsubscribe);
    const waiting = this.#waitingOf(agentId);
    void hearAll(stream, chunk => {
      waiting.hear(threadId, chunk.type);
      if (chunk.type === 'tool-call-approval') void this.#letAllowed({ agentId, threadId }, chunk);
    });
  }

  /** Approves a call that waits when a person has approved all of its kind in this run. Any doubt is left to the person. */
  async #letAllowed(key: ChatKey, chunk: unknown): Promise<void> {
    const { data } = approvalChunk.safeParse(chunk);
    const allowed = this.#allowedIn(key);
    if (!data || allowed.all.length === 0) return;
    const { toolCallId, toolName: tool, args: input } = data.payload;
    try {
      const { kind } = await this.#toolset.describeCall(key.threadId, { tool, input });
      if (!allowed.has(kind)) return;
      await this.#untilSuspended(key, toolCallId);
      if (allowed.has(kind)) await this.decide(key, { kind: 'approval', toolCallId, approved: true });
    } catch (error) {
      // The person is asked about this and all others again, unless they have answered meanwhile.
      allowed.clear();
      if (!(error instanceof UnawaitedAnswer))
        process.stderr.write(`Chat: a call was not approved with its kind: ${asError(error).message}\n`);
    }
  }

  /** A run says that it waits before it can be resumed, and an answer in between is lost. No event tells when it can. */
  async #untilSuspended(key: ChatKey, toolCallId: string): Promise<void> {
    for (let asked = 0; asked < MOST_ASKED; asked++) {
      const waiting = await this.waiting(key);
      if (waiting.some(call => call.toolCallId === toolCallId)) return;
      await delay(ASK_AGAIN_MS);
    }
    throw new Error('Its run was not suspended.');
  }

  #allowedIn({ agentId, threadId }: ChatKey): AllowedKinds {
    const key = JSON.stringify([agentId, threadId]);
    const allowed = this.#allowed.get(key) ?? new AllowedKinds();
    this.#allowed.set(key, allowed);
    return allowed;
  }

  /** What a person has approved for the rest of the run. */
  allowed(key: ChatKey): readonly CallKind[] {
    return this.#allowedIn(key).all;
  }

  takeBack(key: ChatKey, kind: string): void {
    this.#allowedIn(key).takeBack(kind);
  }

  /** The kind must be that of the call as it is now: the page may have changed since the person read of it. */
  async #allowKind(key: ChatKey, { toolCallId, kind: wanted }: { toolCallId: string; kind: string }): Promise<void> {
    const { agentId, threadId } = key;
    const { runs } = await this.#agent(agentId).listSuspendedRuns({ threadId, resourceId: agentId });
    const call = runs.flatMap(({ toolCalls }) => toolCalls).find(each => each.toolCallId === toolCallId);
    if (call?.toolName === undefined) throw new UnawaitedAnswer('The agent no longer waits for this answer.');
    const { kind } = await this.#toolset.describeCall(threadId, { tool: call.toolName, input: call.args });
    if (kind?.key !== wanted) throw new UnawaitedAnswer('The page has changed: read again what the agent asks for.');
    this.#allowedIn(key).allow(kind);
  }

  #unanswered({ toolCalls }: AgentRun): WaitingCall[] {
    return toolCalls.flatMap(({ toolCallId, requiresApproval, suspendPayload }) => {
      if (toolCallId === undefined) return [];
      const call: WaitingCall = { toolCallId, kind: requiresApproval ? 'approval' : 'question', suspendPayload };
      return this.#answered.has(nameOf(call)) ? [] : call;
    });
  }

  async preview(key: ChatKey, call: DescribedCall, options: PreviewOptions): Promise<CallPreview> {
    const preview = await this.#toolset.describeCall(key.threadId, call, options);
    return { ...preview, isAllowed: this.#allowedIn(key).has(preview.kind) };
  }

  /** Lets a run go on that waits. The same answer twice is one. Rejects with `UnawaitedAnswer` when nobody waits for it. */
  async decide(key: ChatKey, decision: Decision): Promise<void> {
    const name = nameOf(decision);
    if (this.#answered.has(name)) return;
    if (decision.kind === 'approval' && decision.approved && decision.allOfKind !== undefined)
      await this.#allowKind(key, { toolCallId: decision.toolCallId, kind: decision.allOfKind });
    this.#note(name);
    const { agentId, threadId } = key;
    const call = { threadId, resourceId: agentId, toolCallId: decision.toolCallId };
    const given =
      decision.kind === 'question'
        ? { approved: true, resumeData: decision.answer }
        : {
            approved: decision.approved,
            ...(decision.reason !== undefined && { declineContext: { reason: `${DECLINED} ${decision.reason}` } }),
          };
    await this.#follow(key);
    try {
      await this.#agent(agentId).sendToolApproval({ ...call, ...given });
      this.#waitingOf(agentId).goesOn(threadId);
    } catch (error) {
      this.#answered.delete(name);
      if (error instanceof MastraError && UNAWAITED.has(error.id))
        throw new UnawaitedAnswer('The agent no longer waits for this answer.', { cause: error });
      throw error;
    }
  }

  /** Ends the thread's run, whatever it does or waits for. */
  async stop(key: ChatKey): Promise<void> {
    const { agentId, threadId } = key;
    this.#allowedIn(key).clear();
    for (const { toolCallId, kind } of await this.waiting(key)) {
      const decision: Decision =
        kind === 'question'
          ? { toolCallId, kind, answer: STOPPED }
          : { toolCallId, kind, approved: false, reason: STOPPED };
      await this.decide(key, decision);
    }
    this.#agent(agentId).abortThreadStream({ threadId, resourceId: agentId, clearPendingSignals: true });
    this.#waitingOf(agentId).goesOn(threadId);
    await this.#noteStopped(key, true);
  }

  /** A run is about to begin. */
  async runBegins(key: ChatKey): Promise<void> {
    this.#allowedIn(key).clear();
    await this.#follow(key);
    await this.#noteStopped(key, false);
  }

  /** Who opens the thread later is told why its last run has no end. */
  async #noteStopped({ agentId, threadId }: ChatKey, isStopped: boolean): Promise<void> {
    const memory = await this.#agent(agentId).getMemory();
    const thread = await memory?.getThreadById({ threadId });
    // A thread without metadata has null there.
    if (!thread || (thread.metadata?.isStopped === true) === isStopped) return;
    await memory?.updateThread({
      id: threadId,
      title: thread.title ?? '',
      metadata: { ...thread.metadata, isStopped },
    });
  }

  /** Ends all runs as they are, so that what they did stays on record as unfinished. Runs that wait still wait. */
  async interrupt(): Promise<void> {
    for (const [agentId, agent] of Object.entries(this.#agents)) {
      const memory = await agent.getMemory();
      const { threads = [] } = (await memory?.listThreads({ filter: { resourceId: agentId }, perPage: false })) ?? {};
      for (const { id: threadId } of threads) agent.abortThreadStream({ threadId, resourceId: agentId });
    }
    for (const unsubscribe of this.#followed.values()) unsubscribe();
  }

  #note(name: string): void {
    this.#answered.add(name);
    for (const oldest of this.#answered) {
      if (this.#answered.size <= KEPT_ANSWERS) return;
      this.#answered.delete(oldest);
    }
  }

  #agent(agentId: string): Agent {
    const agent = this.has(agentId) ? this.#agents[agentId] : undefined;
    if (!agent) throw new UnawaitedAnswer(`There is no agent ${agentId}.`);
    return agent;
  }
}

/** A call can wait twice: to be approved, then with a question. */
function nameOf({ toolCallId, kind }: Pick<WaitingCall, 'toolCallId' | 'kind'>): string {
  return `${kind} ${toolCallId}`;
}

const approvalChunk = z.object({
  payload: z.object({ toolCallId: z.string(), toolName: z.string(), args: z.unknown() }),
});

/** Calls back with each chunk of a stream, until it ends or breaks off, which its thread's run tells as well. */
async function hearAll(
  stream: AsyncIterable<{ type: string }>,
  hear: (chunk: { type: string }) => void,
): Promise<void> {
  try {
    for await (const chunk of stream) hear(chunk);
  } catch (error) {
    process.stderr.write(`Chat: a thread is no longer followed: ${asError(error).message}\n`);
  }
}
