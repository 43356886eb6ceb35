/**
 * A real browser for Mastra agents, workflows and plain code.
 * @module @browser-toolset/agent-browser
 */

export {
  type BrowserLiveControls,
  type BrowserLiveSource,
  type BrowserToolsetLike,
  type ElementIdentity,
  ERROR_CODES,
  type ErrorCode,
  type ErrorCodeInfo,
  type KeyboardEventInput,
  type LiveAction,
  type LiveDialog,
  type LiveDialogAnswer,
  type LiveQuestion,
  type LiveSession,
  type LiveTab,
  type MastraStorageLike,
  type MouseEventInput,
  type ScreencastFrame,
  type ScreencastOptions,
  type ScreencastStream,
  type ThreadStates,
  type TouchEventInput,
  type VideoChunk,
  type VideoConfig,
  type VideoListener,
  type VideoOptions,
  type VideoStream,
  type ViewportSize,
} from '@browser-toolset/core';
export type { SecretsConfig } from '#egress/secrets.js';
export type { UrlPolicyOptions } from '#egress/url-policy.js';
export type { RemoteEndpoint } from './browser/chromium/endpoint.js';
export type { BrowserNow, CloseReason, TabNow } from './browser/storage/browser-states.js';
export type { RecordStore } from './browser/storage/record-store.js';
export type { OfferedTool } from './browser/tab/web-mcp.js';
export type { ActionPreview, PreviewedElement, PreviewOptions } from './call/preview.js';
export type { CallOptions } from './call/run.js';
export { type AnyMastraTool, BrowserStepError, type MastraTool, type MastraTools } from './mastra/mastra-tool.js';
export type { Latency, ToolMetrics, ToolsetMetrics } from './observe/observation.js';
export { type BrowserToolsetConfig, configSchema, type SessionKeyContext, type ThreadRef } from './options.js';
export {
  type ActionClass,
  type ActionElement,
  type ActionField,
  type Approval,
  approvalFor,
  type BrowserAction,
  type ValueKind,
} from './policy/approval.js';
export { BrowserPromptProcessor, type PromptOptions, type PromptSource } from './prompt/processor.js';
export type { HumanActions } from './results/effects.js';
export type { CommonResult } from './results/result.js';
export { TOOL_IDS, type ToolId } from './tools/index.js';
export type {
  BrowserSession,
  ExtractAction,
  Extracted,
  InputOf,
  ResultOf,
  SessionActions,
} from './tools/session-actions.js';
export { BrowserToolset } from './toolset.js';
