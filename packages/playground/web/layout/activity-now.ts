import type { BrowserStreamState } from '@browser-toolset/playground-ui';
import type { RunSummary } from '../../src/server/browser-agent/api.js';
import { type Conversation, pendingCall } from '../chat/conversation.js';

/** What goes on in a thread, as a person is told of it in the chat, the list and the tab's title. */
export type Activity =
  | 'idle'
  | 'starting'
  | 'working'
  | 'approval'
  | 'question'
  | 'control'
  | 'anothers-control'
  | 'paused'
  | 'stopped'
  | 'failed';

type BrowserNow = Pick<BrowserStreamState, 'status' | 'control'>;

/** What a run that goes on does. */
function whileRunning({ status, control }: BrowserNow): Activity {
  if (control?.holder === 'human') return control.isYou ? 'control' : 'anothers-control';
  return status === 'browser_starting' ? 'starting' : 'working';
}

export function chatActivity(conversation: Conversation, browser: BrowserNow): Activity {
  const { status, notice, messages } = conversation;
  if (status === 'waiting') return pendingCall(conversation)?.state === 'approval' ? 'approval' : 'question';
  if (status === 'running') return whileRunning(browser);
  const last = messages.at(-1);
  const hasFailed = last?.role === 'assistant' && last.parts.at(-1)?.kind === 'error';
  if (notice?.kind === 'error' || hasFailed) return 'failed';
  return notice?.isStopped ? 'stopped' : 'idle';
}

type RunNow = Pick<RunSummary, 'status' | 'success' | 'stopReason'> & {
  readonly question?: { readonly kind: 'approval' | 'question' };
};

export function runActivity(run: RunNow | undefined, browser: BrowserNow): Activity {
  switch (run?.status) {
    case undefined:
      return 'idle';
    case 'running':
      return whileRunning(browser);
    case 'paused':
      return 'paused';
    case 'waiting':
      return run.question?.kind ?? 'question';
    case 'interrupted':
      return 'stopped';
    case 'ended':
      if (run.success) return 'idle';
      return run.stopReason === 'stopped' ? 'stopped' : 'failed';
  }
}
