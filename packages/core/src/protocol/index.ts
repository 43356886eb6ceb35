/**
 * The messages of the live view.
 * @module @browser-toolset/core/protocol
 */

export {
  CLIENT_MESSAGES,
  type ClientMessage,
  type ClientMessageInput,
  type ClientMessageType,
  parseClientMessage,
  TEXT_LIMIT,
} from './client-messages.js';
export {
  type ControlState,
  type LiveVideo,
  type LiveViewport,
  parseServerMessage,
  SERVER_MESSAGES,
  type ServerMessage,
  type ServerMessageKind,
  STREAM_STATUSES,
  type StreamStatus,
} from './server-messages.js';
export {
  decodeVideoMessage,
  encodeVideoMessage,
  VIDEO_HEADER_BYTES,
  VIDEO_SEQUENCES,
  VIDEO_VERSION,
  type VideoMessage,
} from './video-chunks.js';
