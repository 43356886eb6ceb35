/**
 * The live view's server, for any browser toolset.
 * @module @browser-toolset/server
 */

export type { Authorize } from './access.js';
export type { LiveBrowser } from './live-browser.js';
export {
  type Admission,
  createLiveView,
  type LiveView,
  type LiveViewLimits,
  type LiveViewMetrics,
  type LiveViewOptions,
  type TokenRequest,
} from './live-view.js';
export type { Metrics } from './metrics.js';
export type { OriginRule } from './origin.js';
export {
  type AuthorizeRequest,
  BodyTooLong,
  type LiveRequest,
  type LiveResponse,
  REFUSALS,
  Refusal,
  type RefusalCode,
} from './requests.js';
export type { LiveSocket, SocketListener } from './socket.js';
export type { ViewerAnswer } from './thread-surroundings.js';
export type { Right } from './tokens.js';
