import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import {
  BrowserViewFrame,
  BrowserViewPanel,
  type BrowserViewPanelProps,
  type UseBrowserStreamOptions,
  useBrowserStream,
} from '../../src/index.js';

/** What a test mounts on the page. */
export interface MountOptions {
  component: 'frame' | 'panel';
  stream?: Partial<Pick<UseBrowserStreamOptions, 'agentId' | 'threadId' | 'token' | 'settings' | 'frames' | 'enabled'>>;
  props?: Pick<
    BrowserViewPanelProps,
    'size' | 'defaultSize' | 'theme' | 'takeOnInteraction' | 'showQuestions' | 'title'
  >;
  /** Keys that stay with the host. */
  hostKeys?: string[];
  /** Of the place that the component fills, in CSS pixels. */
  width: number;
  height: number;
}

function Host({ component, stream: options, props, hostKeys = [] }: MountOptions) {
  const shouldIgnoreKey = (event: KeyboardEvent) => hostKeys.includes(event.key);
  const stream = useBrowserStream({ agentId: 'shopper', threadId: 'thread-1', ...options });
  return component === 'frame' ? (
    <BrowserViewFrame stream={stream} shouldIgnoreKey={shouldIgnoreKey} {...props} />
  ) : (
    <BrowserViewPanel stream={stream} shouldIgnoreKey={shouldIgnoreKey} {...props} />
  );
}

declare global {
  interface Window {
    mount(options: MountOptions): void;
    unmount(): void;
  }
}

const place = document.getElementById('place') as HTMLElement;
const root = createRoot(place);
window.mount = options => {
  place.style.width = `${options.width}px`;
  place.style.height = `${options.height}px`;
  root.render(
    <StrictMode>
      <Host {...options} />
    </StrictMode>,
  );
};
window.unmount = () => root.render(null);
