import { unlessAborted } from '@browser-toolset/core/waiting';
import type { Session } from '../../browser/session.js';
import { ToolError } from '../../outcome/errors.js';
import type { CommonResult } from '../../outcome/result.js';
import { aborted, endedBy, failure } from './failure.js';

/** Whose call it is, and what its caller cancels it with. */
interface Cancellable {
  session: Session;
  signal?: AbortSignal;
}

/** Works until the caller, or the owner of the session, ends the call; then it answers so at once. */
export async function untilCancelled(
  { session, signal: caller }: Cancellable,
  work: (signal: AbortSignal) => Promise<CommonResult>,
): Promise<CommonResult> {
  const ending = new AbortController();
  const { signal } = ending;
  const onAbort = (): void => ending.abort(aborted());
  if (caller?.aborted) onAbort();
  caller?.addEventListener('abort', onAbort);
  const stopListening = session.events.on('interrupted', () =>
    ending.abort(new ToolError('browser_closed', 'The browser was closed while the call ran or waited.')),
  );
  try {
    return await unlessAborted(work(signal), signal);
  } catch (error) {
    if (!signal.aborted) throw error;
    const { activeTab } = session;
    return { ...failure(endedBy(signal)), ...(activeTab && { url: activeTab.url }) };
  } finally {
    caller?.removeEventListener('abort', onAbort);
    stopListening();
  }
}
