export { ERROR_CODES, type ErrorCode } from '@browser-toolset/core';
export type { BrowserToolsetConfig, SessionKeyContext, ThreadRef } from './config.js';
export type { CommonResult } from './outcome/result.js';
export { type ActionClass, type Approval, approvalFor, type BrowserAction, type ValueKind } from './policy/approval.js';
export type { ToolId } from './tools/index.js';
export { type AnyMastraTool, BrowserStepError, type MastraTool, type MastraTools } from './tools/mastra-tool.js';
export type { BrowserSession, CallOptions, InputOf, ResultOf, SessionActions } from './tools/session-actions.js';
export { BrowserToolset } from './toolset.js';
