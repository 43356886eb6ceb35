import type { Session } from '../../browser/session.js';
import { stopLoading } from '../../browser/tab/stop-loading.js';
import { until } from '../../browser/tab/until.js';
import { ToolError } from '../../outcome/errors.js';
import type { CommonResult } from '../../outcome/result.js';
import type { ToolDefinition, ToolInput } from '../define.js';
import type { Action } from './action.js';
import { endedBy, failure, toToolError } from './failure.js';

/** Where a value would end up in a url, a dialog or a list of options, or nowhere, its name must not do so either. */
export function misplacedSecrets(
  { policy }: ToolDefinition,
  input: ToolInput,
  session: Session,
): ToolError | undefined {
  const { secrets } = session.owner;
  if (secrets.areNone || policy.readOnly || policy.needsTab === false) return undefined;
  const asked = secrets.asked(JSON.stringify(policy.takesSecrets ? (input.onDialog ?? '') : input));
  const known = asked.filter(name => secrets.names.includes(name));
  if (known.length === 0) return undefined;
  return new ToolError(
    'secret_not_allowed',
    `The secret ${known.join(', ')} is for text fields alone. Nothing was done.`,
  );
}

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
  const began = performance.now();
  for (;;) {
    // A person who does one thing is soon done; one who drives may not be.
    const isRefused = onAction === 'refuse' && control.isHeld;
    const left = timeout === undefined ? undefined : Math.max(0, began + timeout - performance.now());
    // Free control is not waited for: calls keep the order in which they came.
    if (!control.isFree && (isRefused || !(await control.agentMayAct({ timeout: left, signal }))))
      return inControl(session, isRefused ? 0 : performance.now() - began);
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

/**
 * Waits for a page that an earlier call has left to come. It is given up when it does not: until then Chromium asks the
 * page before it nothing.
 */
export async function arrival({ session, tab, signal, timeout }: Action): Promise<void> {
  if (!tab.isHeld) return;
  const url = tab.navigation?.url();
  const left = tab.navigationLeft(session.owner.config.navigationTimeout);
  const hasCome = await until(tab, () => tab.navigation === undefined, { timeout: Math.min(timeout, left), signal });
  if (signal.aborted) throw endedBy(signal);
  if (hasCome || !tab.isHeld) return;
  if (!(await stopLoading(tab))) return;
  session.effects.recovered(`${url} did not answer`, 'given up, the page before is still there');
}
