import { createHistogram, type RecordableHistogram } from 'node:perf_hooks';
import type { CommonResult } from '../outcome/result.js';
import type { ActionReport } from './action-report.js';

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
  /** How often each outcome was: `ok`, `suspended`, or a code. */
  outcomes: Record<string, number>;
  /** From the call to its result. */
  latency: Latency;
}

/** Counts of a toolset's work since it was made, and its present state. */
export interface ToolsetMetrics {
  sessions: {
    /** Now. */
    open: number;
    asleep: number;
    /** Since the beginning. */
    opened: number;
    hibernated: number;
    /** Tabs or whole sessions that were lost and brought back. */
    recovered: number;
  };
  browsers: {
    /** Launched or attached to. */
    started: number;
  };
  /** Calls by tool. */
  actions: Record<string, ToolMetrics>;
  /** Time that calls waited for their turn. */
  queue: { waiting: number; latency: Latency };
  /** Pages as text, whole or what changed, and their estimated tokens. */
  snapshots: { count: number; tokens: number };
  crashes: { pages: number; browsers: number };
  /** Screencasts that run now. */
  viewers: number;
}

const CHARACTERS_PER_TOKEN = 4;
/** Histograms hold microseconds, up to an hour. */
const LONGEST = 3_600_000_000;

/** Counts what happens. Its size depends on the number of tools and codes, never on that of calls. */
export class Metrics {
  readonly counts = { opened: 0, hibernated: 0, recovered: 0, started: 0, pageCrashes: 0, browserCrashes: 0 };
  readonly #tools = new Map<string, { outcomes: Record<string, number>; histogram: RecordableHistogram }>();
  readonly #queued = histogram();
  readonly #snapshots = { count: 0, tokens: 0 };
  #waiting = 0;

  /** A call waits for its turn. Returns what to call when it waits no more. */
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
  return createHistogram({ lowest: 1, highest: LONGEST, figures: 2 });
}

function record(times: RecordableHistogram, milliseconds: number): void {
  times.record(Math.min(LONGEST, Math.max(1, Math.round(milliseconds * 1000))));
}

function latencyOf(times: RecordableHistogram): Latency {
  const { count } = times;
  if (count === 0) return { count, mean: 0, p50: 0, p95: 0, p99: 0, max: 0 };
  const [p50 = 0, p95 = 0, p99 = 0] = [50, 95, 99].map(percent => times.percentile(percent) / 1000);
  return { count, mean: times.mean / 1000, p50, p95, p99, max: times.max / 1000 };
}
