import type { Session } from '../../browser/session.js';
import { ToolError } from '../../outcome/errors.js';
import type { CommonResult } from '../../outcome/result.js';
import type { ToolDefinition } from '../define.js';
import { failure } from './failure.js';

/** Of what the call belongs to. */
interface Standing {
  session: Session;
  signal: AbortSignal;
}

/**
 * Lets a call act when it is its turn in the session and no person drives. What only looks goes on beside a person; the
 * rest waits in front of the queue, so that nothing stands behind it.
 */
export async function inTurn(
  { policy }: ToolDefinition,
  { session, signal }: Standing,
  act: () => Promise<CommonResult>,
): Promise<CommonResult> {
  const { queue, person } = session;
  if ((policy.readOnly && !policy.scrolls) || policy.watches) return queue.run(act);
  const { control } = person;
  const { onAction, timeout } = session.owner.config.humanControl;
  const deadline = performance.now() + timeout;
  for (;;) {
    // A person who does one thing is soon done; one who drives may not be.
    const isRefused = onAction === 'refuse' && control.isHeld;
    const left = Math.max(0, deadline - performance.now());
    // Free control is not waited for: calls keep the order in which they came.
    if (!control.isFree && (isRefused || !(await control.agentMayAct({ timeout: left, signal }))))
      return inControl(session, isRefused ? 0 : timeout);
    const result = await queue.run(async () => {
      const leave = person.enterAsAgent();
      return leave === undefined ? undefined : act().finally(leave);
    });
    if (result !== undefined) return result;
  }
}

function inControl(session: Session, waited: number): CommonResult {
  const patience = waited === 0 ? '' : ` and did not give it back within ${Math.round(waited / 1000)} s`;
  const error = new ToolError('human_in_control', `A person has control of this browser${patience}.`);
  const { activeTab } = session;
  return { ...failure(error), ...(activeTab !== undefined && { url: activeTab.url }) };
}
