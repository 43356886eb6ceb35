import type { Session } from '../../browser/session.js';
import type { CommonResult } from '../../outcome/result.js';
import type { ToolDefinition } from '../define.js';
import { failure, toToolError } from './failure.js';

/** Lets a call act while no other process is at work in the thread, and records how it left the session. */
export async function recorded(
  { policy }: ToolDefinition,
  session: Session,
  act: () => Promise<CommonResult>,
): Promise<CommonResult> {
  if (session.owner.record === undefined || policy.needsTab === false) return act();
  try {
    await session.begin();
  } catch (error) {
    return failure(toToolError(error));
  }
  const result = await act();
  try {
    await session.end();
    return result;
  } catch (error) {
    return { ...(result.url !== undefined && { url: result.url }), ...failure(toToolError(error)) };
  }
}
