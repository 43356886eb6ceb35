import type { CallToolResult, ContentBlock } from '@modelcontextprotocol/server';
import { z } from 'zod/v4';
import type { McpTool, McpToolset } from './mcp-toolset.js';

/** A result of a tool, as far as this server reads it. The rest goes to the client whole. */
const toolResult = z.looseObject({
  success: z.boolean(),
  code: z.string().optional(),
  message: z.string().optional(),
  recoveryHint: z.string().optional(),
});
export type ToolResult = z.infer<typeof toolResult>;

/** The thing that a call waits for: an answer to a question, or a person's approval of an action. */
const suspended = z.looseObject({
  question: z.string().optional(),
  options: z.array(z.looseObject({ label: z.string() })).optional(),
  selectionMode: z.enum(['single_select', 'multi_select']).optional(),
});
export type Suspended = z.infer<typeof suspended>;

export interface CallRequest {
  input: unknown;
  threadId: string;
  /** The same for a call that goes on with an answer. */
  callId: string;
  signal: AbortSignal;
  /** Somebody can be asked while the call waits. */
  canAsk: boolean;
  /** The answer of a person. */
  answer?: unknown;
}

export type CallOutcome = { result: ToolResult; content: ContentBlock[] } | { waitsFor: Suspended };

/** Calls a tool of the toolset in the thread of a client. Rejects where the tool throws, which none does for what a model can mend. */
export async function callTool(toolset: McpToolset, name: string, request: CallRequest): Promise<CallOutcome> {
  const tool = toolset.tools[name] as McpTool | undefined;
  if (tool?.execute === undefined) throw new Error(`The toolset has no ${name}`);
  const { threadId, callId, signal, answer } = request;
  let waitsFor: Suspended | undefined;
  const suspend = async (payload: unknown): Promise<void> => {
    waitsFor = suspended.parse(payload);
  };
  const given = await tool.execute(request.input, {
    abortSignal: signal,
    ...(request.canAsk
      ? { agent: { agentId: 'mcp', threadId, toolCallId: callId, messages: [], suspend, resumeData: answer } }
      : // A context of an agent can always suspend, as Mastra hands it on; this one cannot.
        { mcp: { extra: { sessionId: threadId } } }),
  });
  if (waitsFor !== undefined) return { waitsFor };
  return { result: toolResult.parse(given), content: await contentOf(tool, given) };
}

/** The result of a call as the protocol has it: text and pictures for a model, the typed result for programs. */
export function callToolResult({ result, content }: { result: ToolResult; content: ContentBlock[] }): CallToolResult {
  return { content, structuredContent: result, ...(!result.success && { isError: true }) };
}

/** A failure of this server's own, in the form of those of tools. */
export function failure(code: string, message: string, recoveryHint?: string): CallToolResult {
  const result = { success: false, code, message, ...(recoveryHint !== undefined && { recoveryHint }) };
  const text = `${code}: ${message}${recoveryHint === undefined ? '' : `\n${recoveryHint}`}`;
  return callToolResult({ result, content: [{ type: 'text', text }] });
}

const part = z.looseObject({
  type: z.string(),
  text: z.string().optional(),
  data: z.string().optional(),
  mediaType: z.string().optional(),
});
const modelOutput = z.union([
  z.object({ type: z.literal('content'), value: z.array(part) }),
  z.object({ type: z.enum(['text', 'json', 'error-text', 'error-json']), value: z.unknown() }),
]);

/** The content that a model of Mastra would read of it. */
async function contentOf(tool: McpTool, given: unknown): Promise<ContentBlock[]> {
  const output = modelOutput.safeParse(await tool.toModelOutput?.(given));
  if (!output.success) return [{ type: 'text', text: JSON.stringify(given) }];
  const { data } = output;
  if (data.type !== 'content')
    return [{ type: 'text', text: typeof data.value === 'string' ? data.value : JSON.stringify(data.value) }];
  return data.value.flatMap((each): ContentBlock[] => {
    if (each.type === 'text') return [{ type: 'text', text: each.text ?? '' }];
    if (each.data === undefined || !each.mediaType?.startsWith('image/')) return [];
    return [{ type: 'image', data: each.data, mimeType: each.mediaType }];
  });
}
