'use client';

/**
 * React components that show an agent's browser live and let a person take over.
 * @module @browser-toolset/playground-ui
 */

export {
  type ClientRect,
  type MappingOptions,
  mapToClientCoords,
  mapToViewportCoords,
  type Point,
  type ViewportSize,
} from './input/geometry.js';
export type { BrowserStreamAddress } from './stream/address.js';
export type { FrameData, OutgoingMessage } from './stream/client.js';
export {
  BrowserStreamModel,
  type BrowserStreamOptions,
  type StreamChunk,
  type StreamFrame,
  type StreamSettings,
  type StreamTraffic,
} from './stream/model.js';
export {
  BrowserRequestError,
  BrowserRequests,
  type BrowserSession,
  type NavigateRequest,
  type RequestOptions,
  type TabRequest,
} from './stream/requests.js';
export { type BrowserStreamState, canTake, isDriving } from './stream/state.js';
export type { Connection, SocketConstructor, SocketLike } from './stream/transport.js';
export type { ViewOutline } from './view/agent-overlay.js';
export { BrowserViewFrame, type BrowserViewFrameProps } from './view/browser-view-frame.js';
export { BrowserViewPanel, type BrowserViewPanelProps, type BrowserViewSize } from './view/browser-view-panel.js';
export { FramePainter, type FramePainterOptions, type PaintSurface } from './view/frame-painter.js';
export { type BrowserStream, type UseBrowserStreamOptions, useBrowserStream } from './view/use-browser-stream.js';
