import type { LiveAction, LiveQuestion } from '@browser-toolset/core';
import type { ServerMessage } from '@browser-toolset/core/protocol';
import { DEFAULT_THREAD, type LiveThread } from './live-browser.js';

/** The messages beyond frames for a viewer that has just come, as far as the browser has them. */
export function extrasNow({ source, threadId }: LiveThread): ServerMessage[] {
  const messages: ServerMessage[] = [];
  if (source.liveTabs) messages.push(tabsMessage({ source, threadId }));
  const dialog = source.liveDialog?.(threadId);
  if (dialog) messages.push({ dialog });
  const question = source.liveQuestion?.(threadId);
  if (question) messages.push(questionMessage(question));
  return messages;
}

/** Tells it whenever it changes. Returns the way to stop. */
export function followExtras({ source, threadId }: LiveThread, tell: (message: ServerMessage) => void): () => void {
  const stops = [
    source.liveTabs && source.onTabsChanged?.(() => tell(tabsMessage({ source, threadId })), threadId),
    source.onAction?.(action => isOf(action, threadId) && tell({ action }), threadId),
    source.liveDialog &&
      source.onDialogChanged?.(() => tell({ dialog: source.liveDialog?.(threadId) ?? null }), threadId),
    source.liveQuestion &&
      source.onQuestionChanged?.(() => tell(questionMessage(source.liveQuestion?.(threadId))), threadId),
  ];
  return () => {
    for (const stop of stops) stop?.();
  };
}

function tabsMessage({ source, threadId }: LiveThread): ServerMessage {
  return { tabs: [...(source.liveTabs?.(threadId) ?? [])] };
}

/** Without a thread a browser tells of all of them. */
function isOf(action: LiveAction, threadId = DEFAULT_THREAD): boolean {
  return action.threadId === threadId;
}

function questionMessage(question: LiveQuestion | undefined): ServerMessage {
  if (question === undefined) return { question: null };
  const { options, ...rest } = question;
  return { question: { ...rest, ...(options && { options: [...options] }) } };
}
