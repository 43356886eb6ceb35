import { ERROR_CODES, type ErrorCode } from '@browser-toolset/core';
import { z } from 'zod/v4';
import { effectFields } from './effects.js';

const codes = Object.keys(ERROR_CODES) as [ErrorCode, ...ErrorCode[]];

/** Any of the codes with which a tool fails. */
export const errorCode = z.enum(codes);

/** Fields that any result can have. One object and no union: unions break MCP clients and are no step of a workflow. */
export const commonFields = {
  success: z.boolean(),
  url: z.string().optional(),
  title: z.string().optional(),
  ...effectFields,
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
  hint: z.string().optional().describe('Tells an element without a name, as in the snapshot'),
});
