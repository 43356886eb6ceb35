import type { Session } from '../../browser/session.js';
import { type ActionReport, logLine } from '../../observe/action-report.js';
import { beginSpan, type ParentSpan } from '../../observe/span.js';
import { Stopwatch } from '../../observe/stopwatch.js';
import { effectWords } from '../../outcome/effects.js';
import type { CommonResult } from '../../outcome/result.js';
import type { Action } from './action.js';
import { SUSPENDED } from './calling-run.js';

const NAME_LENGTH = 80;

/** Tells spans, logs and metrics of one call. */
export class WatchedCall {
  readonly watch = new Stopwatch();
  readonly #endSpan: ((report: ActionReport) => void) | undefined;
  readonly #noLongerWaits: () => void;
  #action: Action | undefined;
  #isEnded = false;

  constructor(
    readonly tool: string,
    readonly session: Session,
    span?: ParentSpan,
  ) {
    this.#endSpan = span && beginSpan(span, tool, session.threadId);
    this.#noLongerWaits = session.owner.metrics.waits();
  }

  /** It is the call's turn. */
  started(): void {
    this.#noLongerWaits();
    if (this.watch.spent('queued') === 0) this.watch.add('queued', this.watch.total);
  }

  follow(action: Action): void {
    this.#action = action;
  }

  ended(result: CommonResult): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.started();
    const report = this.#report(result);
    const { metrics, log } = this.session.owner;
    metrics.note(report, result);
    log.debug(logLine(report), { threadId: report.threadId });
    this.#endSpan?.(report);
  }

  #report(result: CommonResult): ActionReport {
    const { watch, session } = this;
    const element = this.#element();
    return {
      tool: this.tool,
      threadId: session.threadId,
      outcome: result === SUSPENDED ? 'suspended' : result.success ? 'ok' : (result.code ?? 'browser_error'),
      ...(element !== undefined && { element }),
      ...(result.url !== undefined && { url: result.url }),
      effects: effectWords(result),
      times: {
        queued: watch.spent('queued'),
        starting: watch.spent('starting'),
        acting: watch.spent('acting'),
        settling: watch.spent('settling'),
        reading: watch.spent('reading'),
        total: watch.total,
      },
    };
  }

  /** As the agent was told of it: what it holds is not part of that. */
  #element(): ActionReport['element'] {
    const was = this.#action?.acted?.was;
    return was && { role: was.role, name: was.name.slice(0, NAME_LENGTH) };
  }
}
