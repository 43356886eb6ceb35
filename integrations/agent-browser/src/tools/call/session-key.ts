import { DEFAULT_SESSION } from '../../browser/sessions.js';
import type { SessionKeyContext } from '../../config.js';

/**
 * Whose call this is, from Mastra's tool execution context alone; nothing ambient is asked. `resolve` comes first, for
 * sub-agents and other callers whose thread id is not the one to go by.
 */
export function sessionKeyOf(
  context: SessionKeyContext,
  resolve?: (context: SessionKeyContext) => string | undefined,
): string {
  return (
    text(resolve?.(context)) ??
    text(context.agent?.threadId) ??
    text(context.requestContext?.get('mastra__threadId')) ??
    text(context.workflow?.runId) ??
    text(context.mcp?.extra?.sessionId) ??
    DEFAULT_SESSION
  );
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
