import type { Agent, AgentRun } from '@mastra/core/agent';
import { MastraError } from '@mastra/core/error';
import { asError } from '../demo/unknown-values.js';
import type { CallPreview, Decision, WaitingCall, WaitingThread } from './api.js';
import type { RecordedToolset } from './recorded-toolset.js';
import { WaitingThreads } from './waiting-threads.js';

/** One thread of one agent. */
export interface ChatKey {
  readonly agentId: string;
  readonly threadId: string;
}

/** Answers that are remembered, so that none is given twice. */
const KEPT_ANSWERS = 1_000;
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
    void hearAll(stream, type => waiting.hear(threadId, type));
  }

  #unanswered({ toolCalls }: AgentRun): WaitingCall[] {
    return toolCalls.flatMap(({ toolCallId, requiresApproval, suspendPayload }) => {
      if (toolCallId === undefined) return [];
      const call: WaitingCall = { toolCallId, kind: requiresApproval ? 'approval' : 'question', suspendPayload };
      return this.#answered.has(nameOf(call)) ? [] : call;
    });
  }

  preview({ threadId }: ChatKey, call: { tool: string; input: unknown }): Promise<CallPreview> {
    return this.#toolset.describeCall(threadId, call);
  }

  /** Lets a run go on that waits. The same answer twice is one. Rejects with `UnawaitedAnswer` when nobody waits for it. */
  async decide(key: ChatKey, decision: Decision): Promise<void> {
    const name = nameOf(decision);
    if (this.#answered.has(name)) return;
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

/** Calls back with the type of each chunk of a stream, until it ends or breaks off, which its thread's run tells as well. */
async function hearAll(stream: AsyncIterable<{ type: string }>, hear: (type: string) => void): Promise<void> {
  try {
    for await (const { type } of stream) hear(type);
  } catch (error) {
    process.stderr.write(`Chat: a thread is no longer followed: ${asError(error).message}\n`);
  }
}
