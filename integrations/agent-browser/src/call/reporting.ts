import { randomUUID } from 'node:crypto';
import type { LiveAction } from '@browser-toolset/core';
import { z } from 'zod/v4';
import type { Point } from '#page-engine/dom/geometry.js';
import { anyElement } from '#page-engine/protocol.js';
import { cutText } from '#page-engine/text/cut-text.js';
import type { Session } from '../browser/session.js';
import { type ActionReport, beginSpan, logLine, type ParentSpan, Stopwatch } from '../observe/observation.js';
import { describeRef, type RefEntry } from '../refs/registry.js';
import { effectWords } from '../results/effects.js';
import { ToolError } from '../results/errors.js';
import type { CommonResult } from '../results/result.js';
import { type Action, SUSPENDED } from './action.js';
import type { ToolDefinition, ToolInput } from './define.js';
import { failure } from './failure.js';
import { refEntryOf } from './risk.js';

const EVENT_NAME_LIMIT = 80;

/** Reports one call to spans, logs and metrics. */
export class WatchedCall {
  readonly watch = new Stopwatch();
  readonly #endSpan: ((report: ActionReport) => void) | undefined;
  readonly #noLongerWaits: () => void;
  #action: Action | undefined;

  constructor(
    readonly tool: string,
    readonly session: Session,
    span?: ParentSpan,
  ) {
    this.#endSpan = span && beginSpan(span, tool, session.threadId);
    this.#noLongerWaits = session.owner.metrics.waits();
  }

  started(): void {
    this.#noLongerWaits();
    if (this.watch.spent.queued === 0) this.watch.spent.queued = this.watch.total;
  }

  follow(action: Action): void {
    this.#action = action;
  }

  ended(result: CommonResult): void {
    this.started();
    const report = this.#report(result);
    const { metrics, log } = this.session.owner;
    metrics.note(report, result);
    log.debug(logLine(report), { threadId: report.threadId });
    this.#endSpan?.(report);
  }

  #report(result: CommonResult): ActionReport {
    const { watch, session } = this;
    // The element as the agent knew it; its value is not included.
    const was = this.#action?.acted?.was;
    return {
      tool: this.tool,
      threadId: session.threadId,
      outcome: result === SUSPENDED ? 'suspended' : result.success ? 'ok' : (result.code ?? 'browser_error'),
      ...(was && { element: { role: was.role, name: cutText(was.name, EVENT_NAME_LIMIT) } }),
      ...(result.url !== undefined && { url: result.url }),
      effects: effectWords(result),
      times: { ...watch.spent, total: watch.total },
    };
  }
}

/** Milliseconds that the page may take to locate an element: viewers must not hold up the agent for longer. */
const AIM_MS = 5_000;
const SUMMARY_LIMIT = 200;

/** Publishes one call to viewers. */
export class ViewerEvents {
  readonly #id = randomUUID();
  readonly #began = performance.now();
  #isStarted = false;
  /** The texts that were typed into masked fields. */
  #secrets: string[] = [];

  private constructor(
    readonly tool: ToolDefinition,
    readonly session: Session,
    readonly input: ToolInput,
  ) {}

  /** Undefined when there are no listeners: then nothing is looked up. */
  static of(tool: ToolDefinition, session: Session, input: ToolInput): ViewerEvents | undefined {
    return session.events.isHeard('action') ? new ViewerEvents(tool, session, input) : undefined;
  }

  started(): void {
    if (this.#isStarted) return;
    this.#isStarted = true;
    const entry = refEntryOf(this.session, this.input.ref);
    this.#emit({ phase: 'started', ...(entry && refAndTarget(entry)) });
  }

  /** Publishes where the action acts, each time it becomes known. */
  follow(action: Action): void {
    action.onReach = entry => this.#aim(action, entry);
    const { from, to } = this.input;
    for (const { data: point } of [this.input, from, to].map(value => pointSchema.safeParse(value)))
      if (point !== undefined && isPointInViewport(action, point)) this.#emit({ phase: 'aimed', point });
  }

  ended(result: CommonResult): void {
    this.started();
    const { success, code } = result;
    const whole = eventSummary(this.tool, result);
    const summary = this.#secrets.reduce((text, secret) => text.replaceAll(secret, '•••'), whole);
    const duration = Math.round(performance.now() - this.#began);
    this.#emit({ phase: 'ended', success, ...(code !== undefined && { code }), ...(summary && { summary }), duration });
  }

  /** The call waits for approval, maybe after it has begun. */
  suspended(): void {
    if (this.#isStarted) this.ended(failure(new ToolError('approval_required', 'Waiting for approval.')));
  }

  async #aim(action: Action, entry: RefEntry): Promise<void> {
    const { document, id } = entry.node;
    const limits = { timeout: AIM_MS, signal: action.signal };
    const { engine } = action.tab;
    // For a target that accepts any description, the facts would also report a kept event, which is reported only once.
    const target = action.session.refs.target(entry);
    const facts = await engine.call(document.frame, 'facts', { target, inView: true }, limits).catch(() => undefined);
    // A field whose facts are unknown is treated as masked.
    if (facts?.masked ?? true) this.#secrets = typedTexts(this.tool, this.input);
    // The element is gone or has changed, which the action itself will report.
    if (facts === undefined) return;
    const locator = engine.locator(document.frame, anyElement(document.doc, id));
    const box = await locator.boundingBox(limits).catch(() => undefined);
    if (box == null) return;
    const { x, y, width, height } = box;
    const point = { x: x + width / 2, y: y + height / 2 };
    this.#emit({ phase: 'aimed', ...refAndTarget(entry), point, box: { x, y, width, height } });
  }

  #emit(part: Pick<LiveAction, 'phase'> & Partial<LiveAction>): void {
    const { session, tool } = this;
    session.events.emit('action', { id: this.#id, threadId: session.threadId, tool: tool.id, ...part, at: Date.now() });
  }
}

function refAndTarget({ ref, shown }: RefEntry): Pick<LiveAction, 'ref' | 'target'> {
  return { ref, target: describeRef({ ...shown, row: '' }) };
}

const pointSchema = z.object({ x: z.number(), y: z.number() });

/** All texts that a call puts into fields, longest first, as they are and as they are quoted. */
function typedTexts({ enters }: ToolDefinition, input: ToolInput): string[] {
  const texts = enters === 'nothing' ? [] : enters(input).flatMap(value => value.texts.filter(text => text !== ''));
  return [...texts, ...texts.map(text => JSON.stringify(text).slice(1, -1))].sort((a, b) => b.length - a.length);
}

function eventSummary(tool: ToolDefinition, result: CommonResult): string {
  const { success, url, message = '' } = result;
  const destination = url ? `Now at ${url}` : '';
  const text = success ? tool.headline(result) || destination : message.split(/(?<=[.!?]) /)[0];
  return (text ?? '').split('\n')[0]?.slice(0, SUMMARY_LIMIT) ?? '';
}

function isPointInViewport({ tab }: Action, { x, y }: Point): boolean {
  const size = tab.page.viewportSize();
  return x >= 0 && y >= 0 && (size === null || (x < size.width && y < size.height));
}
