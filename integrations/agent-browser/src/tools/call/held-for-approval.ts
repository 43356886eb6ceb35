import type { CommonResult } from '../../outcome/result.js';
import type { ToolDefinition, ToolInput } from '../define.js';
import type { Call } from './call.js';
import { failure, toToolError } from './failure.js';
import { SUSPENDED } from './suspended.js';

/** The result of a call that must not act yet, or not at all; undefined when it may. */
export async function heldForApproval(
  tool: ToolDefinition,
  input: ToolInput,
  { approvals, session, run = {} }: Call,
): Promise<CommonResult | undefined> {
  if (approvals === undefined || tool.policy.readOnly) return undefined;
  try {
    return (await approvals.mayAct(tool, input, { session, run })) ? undefined : SUSPENDED;
  } catch (error) {
    const { activeTab } = session;
    return { ...failure(toToolError(error)), ...(activeTab !== undefined && { url: activeTab.url }) };
  }
}
