import { useEffect, useMemo, useRef, useSyncExternalStore } from 'react';
import { BrowserStreamModel, type BrowserStreamOptions } from '../stream/model.js';
import { type BrowserStreamState, INITIAL_STATE } from '../stream/state.js';

export interface UseBrowserStreamOptions extends BrowserStreamOptions {
  /** False keeps the connection closed. @default true */
  enabled?: boolean | undefined;
}

/** A browser as a component sees it. */
export interface BrowserStream {
  state: BrowserStreamState;
  /** The viewer's actions, and the frames. The same object as long as agent, thread and server are. */
  model: BrowserStreamModel;
  /** What the server sends; undefined before the first frame. */
  frames: BrowserStreamState['frames'];
}

/**
 * Connects to the live view of one thread's browser, as long as the component is mounted.
 *
 * @example
 * const stream = useBrowserStream({ agentId: 'shopper', threadId });
 * return <BrowserViewPanel stream={stream} />;
 */
export function useBrowserStream({ enabled = true, ...options }: UseBrowserStreamOptions): BrowserStream {
  const { baseUrl, agentId, threadId, token } = options;
  // The rest is read once for each address, so that an object written inline does not reconnect at each render.
  const latest = useRef(options);
  latest.current = options;
  const model = useMemo(
    () => new BrowserStreamModel({ ...latest.current, baseUrl, agentId, threadId, token }),
    [baseUrl, agentId, threadId, token],
  );
  useEffect(() => {
    if (!enabled) return;
    const connect = () => model.start();
    connect();
    window.addEventListener('online', connect);
    return () => {
      window.removeEventListener('online', connect);
      model.stop();
    };
  }, [model, enabled]);
  const state = useSyncExternalStore(model.subscribe, model.getSnapshot, () => INITIAL_STATE);
  return useMemo(() => ({ state, model, frames: state.frames }), [state, model]);
}
