import { type BrowserStream, BrowserViewPanel, type ViewOutline } from '@browser-toolset/playground-ui';
import type { CallPreview } from '../src/server/api.js';
import '@browser-toolset/playground-ui/styles.css';

/** With `?line=1mbit` in the page's address, the live view is as it is for somebody far away. */
export const LIVE_BASE = new URLSearchParams(window.location.search).get('line') === '1mbit' ? '/line/1mbit' : '';

interface LiveViewProps {
  readonly stream: BrowserStream;
  readonly outlines: readonly ViewOutline[];
}

/** What the thread's browser shows, for a person to watch and to drive. What the agent asks stands in the chat alone. */
export function LiveView({ stream, outlines }: LiveViewProps) {
  return <BrowserViewPanel {...{ stream, outlines }} size="large" showQuestions={false} className="live-view" />;
}

/** Where a call that waits for approval would act. The last place is what is pressed, after the fields of a form. */
export function outlinesOf(preview: CallPreview | undefined, current?: string): readonly ViewOutline[] {
  const places = preview?.places ?? [];
  return places.map(({ box, ref }, index) => {
    const label = index === places.length - 1 ? 'Waits for your approval' : '';
    return { box, label, isCurrent: ref !== undefined && ref === current };
  });
}
