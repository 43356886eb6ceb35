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
} from '@browser-toolset/core';
export type { RemoteEndpoint } from './browser/chromium/endpoint.js';
export type { BrowserNow, CloseReason, TabNow } from './browser/storage/browser-states.js';
export type { RecordStore } from './browser/storage/record-store.js';
export { type BrowserToolsetConfig, configSchema, type SessionKeyContext } from './config.js';
export type { Latency, ToolMetrics, ToolsetMetrics } from './observe/metrics.js';
export type { ThreadRef } from './option-groups.js';
export type { HumanActions } from './outcome/human-actions.js';
export type { CommonResult } from './outcome/result.js';
export { type ActionClass, type Approval, approvalFor, type BrowserAction, type ValueKind } from './policy/approval.js';
export type { SecretsConfig } from './policy/secrets.js';
export type { UrlPolicyOptions } from './policy/url-policy.js';
export { BrowserPromptProcessor, type PromptOptions, type PromptSource } from './prompt/processor.js';
export type { CallOptions } from './tools/call/call.js';
export type { BrowserSession, InputOf, ResultOf, SessionActions } from './tools/call/session-actions.js';
export type { ExtractAction, Extracted } from './tools/content/extract-typed.js';
export { TOOL_IDS, type ToolId } from './tools/index.js';
export { type AnyMastraTool, BrowserStepError, type MastraTool, type MastraTools } from './tools/mastra/mastra-tool.js';
export type { OfferedTool } from './tools/page-tools.js';
export { BrowserToolset } from './toolset.js';
