import type { AnyMastraTool, MastraTool } from '@browser-toolset/agent-browser';
import { LOOK_CALL_ID } from '@browser-toolset/browser-agent';
import { z } from 'zod';

type AgentTools = Readonly<Record<string, AnyMastraTool>>;

interface CallContext {
  readonly agent?: {
    readonly threadId?: string;
    readonly toolCallId?: string;
    readonly resumeData?: unknown;
    suspend?(payload: unknown): Promise<void>;
  };
}

const decision = z.object({ approved: z.boolean() });

/**
 * The tools, of which those that change something wait for a person on threads where they have to. (An `approval` of the
 * toolset itself would also hold for the chat, where Mastra's agent loop asks.)
 */
export function withApprovals(tools: AgentTools, isNeeded: (threadId: string) => boolean): AgentTools {
  return Object.fromEntries(Object.entries(tools).map(([id, tool]) => [id, held(tool, isNeeded)]));
}

function held(anyTool: AnyMastraTool, isNeeded: (threadId: string) => boolean): AnyMastraTool {
  const tool = anyTool as unknown as MastraTool;
  if (tool.id === 'ask_user' || tool.mcp?.annotations?.readOnlyHint) return anyTool;
  const execute = async (input: unknown, context: unknown): Promise<unknown> => {
    const { agent } = context as CallContext;
    const isLook = agent?.toolCallId === LOOK_CALL_ID;
    if (agent?.threadId === undefined || isLook || !isNeeded(agent.threadId))
      return tool.execute(input, context as never);
    const { data } = decision.safeParse(agent.resumeData);
    if (data?.approved)
      return tool.execute(input, { ...(context as object), agent: { ...agent, resumeData: undefined } } as never);
    if (data) return REFUSED;
    await agent.suspend?.({ approval: { tool: tool.id, input } });
    return undefined;
  };
  const { id, description, inputSchema, toModelOutput } = tool;
  return { id, description, inputSchema, toModelOutput, execute } as unknown as AnyMastraTool;
}

const REFUSED = {
  success: false,
  code: 'approval_required',
  message: 'The user did not approve this action. Nothing was done.',
};
