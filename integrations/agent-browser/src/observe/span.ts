import { SpanType } from '@mastra/core/observability';
import type { ActionReport } from './action-report.js';

/**
 * The methods that are used of the span of the calling tool (`tracingContext.currentSpan` of Mastra's execution
 * context).
 */
export interface ParentSpan {
  createChildSpan(options: { type: SpanType.GENERIC; name: string; attributes: Record<string, unknown> }): ChildSpan;
}

interface ChildSpan {
  end(options: { attributes: Record<string, unknown> }): void;
  error(options: { error: Error; endSpan: true; attributes: Record<string, unknown> }): void;
}

/** Begins the span of an action; returns the way to end it. */
export function beginSpan(parent: ParentSpan, tool: string, threadId: string): (report: ActionReport) => void {
  const attributes = { tool, threadId };
  const span = parent.createChildSpan({ type: SpanType.GENERIC, name: `browser action: '${tool}'`, attributes });
  return report => {
    const ended = { ...attributes, ...attributesOf(report) };
    if (report.outcome === 'ok' || report.outcome === 'suspended') return span.end({ attributes: ended });
    // The code alone: messages quote the page.
    span.error({ error: new Error(report.outcome), endSpan: true, attributes: ended });
  };
}

function attributesOf({ outcome, element, url, effects, times }: ActionReport): Record<string, unknown> {
  const rounded = Object.entries(times).map(([phase, ms]) => [`ms.${phase}`, Math.round(ms * 10) / 10]);
  return {
    outcome,
    ...(element !== undefined && { 'element.role': element.role, 'element.name': element.name }),
    ...(url !== undefined && { url }),
    ...(effects.length > 0 && { effects }),
    ...Object.fromEntries(rounded),
  };
}
