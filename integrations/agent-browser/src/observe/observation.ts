import { createHistogram, type RecordableHistogram } from 'node:perf_hooks';
import { SpanType } from '@mastra/core/observability';
import { CHARACTERS_PER_TOKEN } from '../limits.js';
import type { CommonResult } from '../results/result.js';

/** Measures the phases of a call in milliseconds. A nested phase is not counted in the outer one. */
export class Stopwatch {
  readonly began = performance.now();
  readonly spent = {
    /** Waiting for other calls of the thread, or for a person. */
    queued: 0,
    /** Starting or waking the browser. */
    starting: 0,
    acting: 0,
    /** Waiting for the action's effects. */
    settling: 0,
    /** Reading the page afterwards. */
    reading: 0,
  };
  #inside = 0;

  get total(): number {
    return performance.now() - this.began;
  }

  async time<T>(phase: keyof Stopwatch['spent'], task: () => Promise<T>): Promise<T> {
    const [began, insideBefore] = [performance.now(), this.#inside];
    try {
      return await task();
    } finally {
      const whole = performance.now() - began;
      this.spent[phase] += whole - (this.#inside - insideBefore);
      this.#inside = insideBefore + whole;
    }
  }
}

/** A tool call for spans, logs and metrics, without any typed text. */
export interface ActionReport {
  tool: string;
  threadId: string;
  outcome: 'ok' | 'suspended' | NonNullable<CommonResult['code']>;
  element?: { role: string; name: string };
  url?: string;
  /** The other effects, in a few words each. */
  effects: string[];
  /** In milliseconds. */
  times: Stopwatch['spent'] & { total: number };
}

/** Formats a call as one log line. */
export function logLine({ threadId, tool, outcome, element, effects, times, url }: ActionReport): string {
  const on = element === undefined ? '' : ` on ${element.role} ${JSON.stringify(element.name)}`;
  const phases = (['queued', 'starting', 'acting', 'settling', 'reading'] as const)
    .filter(phase => times[phase] >= 1)
    .map(phase => `${phase} ${Math.round(times[phase])}`);
  const spent = phases.length === 0 ? '' : ` (${phases.join(', ')})`;
  const came = effects.length === 0 ? '' : `: ${effects.join(', ')}`;
  return `[${threadId}] ${tool}${on} ${outcome} in ${Math.round(times.total)} ms${spent}${came}${url === undefined ? '' : ` at ${url}`}`;
}

/** The methods used of the calling tool's span (`tracingContext.currentSpan` of Mastra's execution context). */
export interface ParentSpan {
  createChildSpan(options: { type: SpanType.GENERIC; name: string; attributes: Record<string, unknown> }): ChildSpan;
}

interface ChildSpan {
  end(options: { attributes: Record<string, unknown> }): void;
  error(options: { error: Error; endSpan: true; attributes: Record<string, unknown> }): void;
}

/** Starts an action's span; returns the function that ends it. */
export function beginSpan(parent: ParentSpan, tool: string, threadId: string): (report: ActionReport) => void {
  const attributes = { tool, threadId };
  const span = parent.createChildSpan({ type: SpanType.GENERIC, name: `browser action: '${tool}'`, attributes });
  return report => {
    const ended = { ...attributes, ...spanAttributesOf(report) };
    if (report.outcome === 'ok' || report.outcome === 'suspended') return span.end({ attributes: ended });
    // Only the code, since messages quote the page.
    span.error({ error: new Error(report.outcome), endSpan: true, attributes: ended });
  };
}

function spanAttributesOf({ outcome, element, url, effects, times }: ActionReport): Record<string, unknown> {
  const rounded = Object.entries(times).map(([phase, ms]) => [`ms.${phase}`, Math.round(ms * 10) / 10]);
  return {
    outcome,
    ...(element !== undefined && { 'element.role': element.role, 'element.name': element.name }),
    ...(url !== undefined && { url }),
    ...(effects.length > 0 && { effects }),
    ...Object.fromEntries(rounded),
  };
}

/** Milliseconds, within one percent. */
export interface Latency {
  count: number;
  mean: number;
  p50: number;
  p95: number;
  p99: number;
  max: number;
}

export interface ToolMetrics {
  /** Calls by outcome: `ok`, `suspended`, or an error code. */
  outcomes: Record<string, number>;
  /** From the call to its result. */
  latency: Latency;
}

/** Counts since the toolset was created, and its present state. */
export interface ToolsetMetrics {
  sessions: {
    /** Now. */
    open: number;
    asleep: number;
    /** Since the beginning. */
    opened: number;
    hibernated: number;
    /** Tabs or whole sessions that were lost and restored. */
    recovered: number;
  };
  browsers: {
    /** Launched or attached to. */
    started: number;
  };
  /** Calls by tool. */
  actions: Record<string, ToolMetrics>;
  /** The time that calls waited for their turn. */
  queue: { waiting: number; latency: Latency };
  /** Pages as text, whole or as changes, and their estimated tokens. */
  snapshots: { count: number; tokens: number };
  crashes: { pages: number; browsers: number };
  /** Running screencasts. */
  viewers: number;
}

/** Histograms record microseconds, up to an hour. */
const LONGEST_CALL_US = 3_600_000_000;

/** Counts events. Its size grows with tools and codes, never with calls. */
export class Metrics {
  readonly counts = { opened: 0, hibernated: 0, recovered: 0, started: 0, pageCrashes: 0, browserCrashes: 0 };
  readonly #tools = new Map<string, { outcomes: Record<string, number>; histogram: RecordableHistogram }>();
  readonly #queued = histogram();
  readonly #snapshots = { count: 0, tokens: 0 };
  #waiting = 0;

  /** Counts a waiting call. Returns a function that ends the wait. */
  waits(): () => void {
    this.#waiting++;
    let isWaiting = true;
    return () => {
      if (isWaiting) this.#waiting--;
      isWaiting = false;
    };
  }

  note({ tool, outcome, times }: ActionReport, result: CommonResult & { tree?: string }): void {
    const known = this.#tools.get(tool) ?? { outcomes: {}, histogram: histogram() };
    this.#tools.set(tool, known);
    known.outcomes[outcome] = (known.outcomes[outcome] ?? 0) + 1;
    record(known.histogram, times.total);
    record(this.#queued, times.queued);
    if (result.recovered !== undefined) this.counts.recovered++;
    for (const text of [result.tree, result.changes]) {
      if (text === undefined) continue;
      this.#snapshots.count++;
      this.#snapshots.tokens += Math.ceil(text.length / CHARACTERS_PER_TOKEN);
    }
  }

  read(now: { open: number; asleep: number; viewers: number }): ToolsetMetrics {
    const { opened, hibernated, recovered, started, pageCrashes, browserCrashes } = this.counts;
    const tools = [...this.#tools].map(
      ([tool, { outcomes, histogram: times }]) =>
        [tool, { outcomes: { ...outcomes }, latency: latencyOf(times) }] as const,
    );
    return {
      sessions: { open: now.open, asleep: now.asleep, opened, hibernated, recovered },
      browsers: { started },
      actions: Object.fromEntries(tools),
      queue: { waiting: this.#waiting, latency: latencyOf(this.#queued) },
      snapshots: { ...this.#snapshots },
      crashes: { pages: pageCrashes, browsers: browserCrashes },
      viewers: now.viewers,
    };
  }
}

function histogram(): RecordableHistogram {
  return createHistogram({ lowest: 1, highest: LONGEST_CALL_US, figures: 2 });
}

function record(times: RecordableHistogram, milliseconds: number): void {
  times.record(Math.min(LONGEST_CALL_US, Math.max(1, Math.round(milliseconds * 1000))));
}

function latencyOf(times: RecordableHistogram): Latency {
  const { count } = times;
  if (count === 0) return { count, mean: 0, p50: 0, p95: 0, p99: 0, max: 0 };
  const [p50 = 0, p95 = 0, p99 = 0] = [50, 95, 99].map(percent => times.percentile(percent) / 1000);
  return { count, mean: times.mean / 1000, p50, p95, p99, max: times.max / 1000 };
}

/** The log of a toolset's internal events. Every entry names its thread. */
export interface SessionLog {
  debug(message: string, details: Record<string, unknown>): void;
  warn(message: string, details: Record<string, unknown>): void;
}
