/**
 * The contract between a browser toolset and what shows or drives it.
 * @module @browser-toolset/core
 */

export type {
  BrowserLiveControls,
  LiveAction,
  LiveDialog,
  LiveDialogAnswer,
  LiveQuestion,
  LiveSession,
  LiveTab,
  TouchEventInput,
} from './browser-live-controls.js';
export type {
  BrowserLiveSource,
  BrowserToolsetLike,
  ElementIdentity,
  FrameIdentity,
  KeyboardEventInput,
  MouseEventInput,
  ScreencastFrame,
  ScreencastOptions,
  ScreencastPicture,
  ScreencastStream,
} from './browser-toolset-like.js';
export { ERROR_CODES, type ErrorCode, type ErrorCodeInfo, type ToolFailure } from './errors.js';
export { type HumanActionsLike, humanActionLines } from './human-actions.js';
export { type KeyDefinition, keyDefinition } from './keys.js';
export { LatestFrame } from './latest-frame.js';
export {
  isMastraStorage,
  type MastraStorageLike,
  type ThreadKey,
  type ThreadStates,
  ThreadTexts,
} from './thread-texts.js';
export type { VideoChunk, VideoConfig, VideoListener, VideoOptions, VideoStream } from './video.js';
export {
  mouseInside,
  OUTSIDE_VIEWPORT,
  pointInside,
  touchInside,
  type ViewportSize,
  wheelInside,
} from './viewport-bounds.js';
