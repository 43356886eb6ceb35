import { useCallback, useEffect, useState } from 'react';
import type { CallPreview } from '../../src/server/api.js';
import { previewCall } from '../api/chat.js';
import type { ThreadKey } from '../api/mastra.js';
import type { ToolPart } from './conversation.js';

export interface PendingPreview {
  readonly toolCallId: string;
  readonly preview: CallPreview;
  /** The element that the person looks at. */
  readonly current: string | undefined;
  /** Shows an element in the live view. */
  readonly onShow: (ref: string) => void;
}

type Known = Pick<PendingPreview, 'toolCallId' | 'preview' | 'current'>;

/**
 * What the call that waits for approval is about to do, shown in the live view; undefined while none waits or the server
 * has not said.
 * @param view changes whenever the page may have moved under the outlines
 */
export function usePreview(
  key: ThreadKey,
  pending: ToolPart | undefined,
  view: string | undefined,
): PendingPreview | undefined {
  const [known, setKnown] = useState<Known>();
  const [current, setCurrent] = useState<string>();
  const waits = pending?.state === 'approval' ? pending : undefined;
  const toolCallId = waits?.id;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a call has the same input for as long as it waits
  useEffect(() => {
    if (waits === undefined) return;
    const leaving = new AbortController();
    const { id: toolCallId, tool, input } = waits;
    const isShown = known?.toolCallId === toolCallId;
    const show = isShown ? current : 'all';
    previewCall(key, { tool, input, ...(show && { show }) }, leaving.signal).then(
      preview => setKnown({ toolCallId, preview, current: isShown ? current : undefined }),
      // The call is shown with its input alone.
      error => leaving.signal.aborted || console.warn('The server does not describe a call:', error),
    );
    return () => leaving.abort();
  }, [key, toolCallId, current, view]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another call begins with all of it
  useEffect(() => setCurrent(undefined), [toolCallId]);
  const onShow = useCallback((ref: string) => setCurrent(ref), []);
  return known !== undefined && known.toolCallId === toolCallId ? { ...known, onShow } : undefined;
}
