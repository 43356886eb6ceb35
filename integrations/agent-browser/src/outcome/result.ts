import { ERROR_CODES, type ErrorCode } from '@browser-toolset/core';
import { z } from 'zod/v4';
import { humanActionsField } from './human-actions.js';

const codes = Object.keys(ERROR_CODES) as [ErrorCode, ...ErrorCode[]];

const recovered = z.object({ was: z.string(), now: z.string() });

/** Fields that any result can have. One object and no union: unions break MCP clients and are no step of a workflow. */
export const commonFields = {
  success: z.boolean(),
  url: z.string().optional(),
  title: z.string().optional(),
  navigated: z.boolean().optional(),
  newTab: z.object({ tab: z.string(), url: z.string() }).optional(),
  closedTabs: z.number().optional(),
  dialog: z
    .object({ type: z.string(), message: z.string(), answered: z.enum(['accepted', 'dismissed']).optional() })
    .optional(),
  download: z
    .object({
      path: z.string().optional(),
      fileName: z.string(),
      fileSize: z.number().optional(),
      mimeType: z.string().optional(),
      state: z.enum(['completed', 'in_progress', 'timeout']),
    })
    .optional(),
  /** The page asked for files: only browser_upload gives them. */
  fileChooser: z.object({ multiple: z.boolean() }).optional(),
  consoleErrors: z.array(z.string()).optional(),
  recovered: recovered.optional(),
  /** What a person did since the last result, told once they have given control back. */
  humanActions: humanActionsField.optional(),
  changes: z.string().optional(),
  code: z.enum(codes).optional(),
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
