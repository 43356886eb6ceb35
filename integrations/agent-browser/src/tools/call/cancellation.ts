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
  call: Cancellable,
  work: (signal: AbortSignal) => Promise<CommonResult>,
): Promise<CommonResult> {
  const { signal, stop } = endOf(call);
  try {
    return await Promise.race([work(signal), cancelled(call.session, signal)]);
  } finally {
    stop();
  }
}

/** A signal for what ends a call early: its caller, or the owner of its session. */
function endOf({ session, signal }: Cancellable): { signal: AbortSignal; stop: () => void } {
  const ending = new AbortController();
  const onAbort = (): void => ending.abort(aborted());
  if (signal?.aborted) onAbort();
  signal?.addEventListener('abort', onAbort);
  const stopListening = session.events.on('interrupted', () =>
    ending.abort(new ToolError('browser_closed', 'The browser was closed while the call ran or waited.')),
  );
  const stop = (): void => {
    signal?.removeEventListener('abort', onAbort);
    stopListening();
  };
  return { signal: ending.signal, stop };
}

/** A call that waits for its turn ends as soon as it is cancelled; one that runs ends by itself then. */
function cancelled({ activeTab }: Session, signal: AbortSignal): Promise<CommonResult> {
  const place = activeTab === undefined ? {} : { url: activeTab.url };
  return new Promise(resolve => {
    const onAbort = (): void => resolve({ ...failure(endedBy(signal)), ...place });
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort, { once: true });
  });
}
