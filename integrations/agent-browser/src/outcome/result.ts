import { ERROR_CODES, type ErrorCode } from '@browser-toolset/core';
import { z } from 'zod/v4';
import { humanActionsField } from './human-actions.js';

const codes = Object.keys(ERROR_CODES) as [ErrorCode, ...ErrorCode[]];

/** Any of the codes with which a tool fails. */
export const errorCode = z.enum(codes);

const recovered = z.object({ was: z.string(), now: z.string() });

const newTab = z.object({ tab: z.string(), url: z.string(), closed: z.boolean().optional() });

const dialog = z.object({
  type: z.string(),
  message: z.string(),
  answered: z.enum(['accepted', 'dismissed']).optional(),
});

const download = z.object({
  path: z.string().optional(),
  fileName: z.string(),
  fileSize: z.number().optional(),
  mimeType: z.string().optional(),
  state: z.enum(['completed', 'in_progress', 'timeout', 'failed']),
  receivedBytes: z.number().optional(),
  totalBytes: z.number().optional(),
  error: z.string().optional(),
});

const failedRequest = z.object({
  method: z.string(),
  url: z.string(),
  status: z.number().optional(),
  reason: z.string().optional(),
});

/** Fields that any result can have. One object and no union: unions break MCP clients and are no step of a workflow. */
export const commonFields = {
  success: z.boolean(),
  url: z.string().optional(),
  title: z.string().optional(),
  navigated: z.boolean().optional(),
  /** HTTP status of the page that it went to. */
  status: z.number().optional(),
  /** The page still arrives: what is there is shown, and `browser_wait` waits on. */
  loading: z.boolean().optional(),
  /** What the tab waits for: no answer has come, and it shows the page before. */
  awaited: z.string().optional(),
  newTab: newTab.optional(),
  /** All of them, when there are several; so below. */
  newTabs: z.array(newTab).optional(),
  closedTabs: z.number().optional(),
  /** Some of them closed because a session has no more tabs than this. */
  tabLimit: z.number().optional(),
  /** The latest one. */
  dialog: dialog.optional(),
  dialogs: z.array(dialog).optional(),
  /** Dialogs of a document that had opened several before: they were dismissed without a question. */
  dismissedDialogs: z.object({ count: z.number(), type: z.string().optional() }).optional(),
  download: download.optional(),
  downloads: z.array(download).optional(),
  /** The page asked for files: only browser_upload gives them. */
  fileChooser: z.object({ multiple: z.boolean() }).optional(),
  /** What the page printed. */
  pdf: z.object({ path: z.string() }).optional(),
  /** Fields that the page, or the browser, does not take as they are. */
  validation: z.array(z.object({ ref: z.string().optional(), name: z.string(), message: z.string() })).optional(),
  consoleErrors: z.array(z.string()).optional(),
  /** Requests of the action that failed, or that the server answered with an error. */
  failedRequests: z.array(failedRequest).optional(),
  recovered: recovered.optional(),
  /** What a person did since the last result, told once they have given control back. */
  humanActions: humanActionsField.optional(),
  changes: z.string().optional(),
  /** How much came, changed and went, whether `changes` has room for it or not. */
  changeCounts: z.object({ added: z.number(), changed: z.number(), removed: z.number() }).optional(),
  /** `changes` is the page itself, not what differs from what was read before. */
  wholePage: z.boolean().optional(),
  code: errorCode.optional(),
  message: z.string().optional(),
  recoveryHint: z.string().optional(),
  canRetry: z.boolean().optional(),
};

const commonSchema = z.object(commonFields);

/** Fields that any result can have. */
export type CommonResult = z.infer<typeof commonSchema>;

/** The element that an action landed on. */
export const elementField = z.object({
  ref: z.string().optional(),
  role: z.string(),
  name: z.string(),
  tag: z.string(),
  id: z.string().optional(),
});
