import { type BrowserStream, BrowserViewPanel, type ViewOutline } from '@browser-toolset/playground-ui';
import type { CallPreview } from '../src/server/api.js';
import '@browser-toolset/playground-ui/styles.css';

/** With `?line=1mbit` in the page's address, the live view is as it is for somebody far away. */
export const LIVE_BASE = new URLSearchParams(window.location.search).get('line') === '1mbit' ? '/line/1mbit' : '';

interface LiveViewProps {
  readonly stream: BrowserStream;
  readonly outline: ViewOutline | undefined;
}

/** What the thread's browser shows, for a person to watch and to drive. What the agent asks stands in the chat alone. */
export function LiveView({ stream, outline }: LiveViewProps) {
  return <BrowserViewPanel {...{ stream, outline }} size="large" showQuestions={false} className="live-view" />;
}

/** Where a call that waits for approval would act. */
export function outlineOf(preview: CallPreview | undefined): ViewOutline | undefined {
  return preview?.box && { box: preview.box, label: 'Waits for your approval' };
}
