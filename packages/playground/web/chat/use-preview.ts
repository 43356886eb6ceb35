import { useEffect, useState } from 'react';
import type { CallPreview } from '../../src/server/api.js';
import { previewCall } from '../api/chat.js';
import type { ThreadKey } from '../api/mastra.js';
import type { ToolPart } from './conversation.js';

export interface PendingPreview {
  readonly toolCallId: string;
  readonly preview: CallPreview;
}

/** What the call that waits for approval is about to do; undefined while none waits or the server has not said. */
export function usePreview(key: ThreadKey, pending: ToolPart | undefined): PendingPreview | undefined {
  const [known, setKnown] = useState<PendingPreview>();
  const waits = pending?.state === 'approval' ? pending : undefined;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a call has the same input for as long as it waits
  useEffect(() => {
    if (waits === undefined) return;
    const leaving = new AbortController();
    const { id: toolCallId, tool, input } = waits;
    previewCall(key, { tool, input }, leaving.signal).then(
      preview => setKnown({ toolCallId, preview }),
      // The call is shown with its input alone.
      error => leaving.signal.aborted || console.warn('The server does not describe a call:', error),
    );
    return () => leaving.abort();
  }, [key, waits?.id]);
  return known?.toolCallId === waits?.id ? known : undefined;
}
