import { readFile } from 'node:fs/promises';
import { ERROR_CODES, type ErrorCode, type ErrorCodeInfo } from '@browser-toolset/core';
import { betweenBoundaries } from '@browser-toolset/core/boundaries';
import { z } from 'zod/v4';
import { effectFields, effectLines } from './effects.js';

const codes = Object.keys(ERROR_CODES) as [ErrorCode, ...ErrorCode[]];

export const errorCode = z.enum(codes);

/**
 * Fields that any result can have. A single object rather than a union, because unions break MCP clients and cannot be
 * the output of a workflow step.
 */
export const commonFields = {
  success: z.boolean(),
  url: z.string().optional(),
  title: z.string().optional(),
  ...effectFields,
  changes: z.string().optional(),
  /** The number of added, changed and removed nodes, including those that do not fit into `changes`. */
  changeCounts: z.object({ added: z.number(), changed: z.number(), removed: z.number() }).optional(),
  /** `changes` is the page as a whole instead of the differences from what was read before. */
  wholePage: z.boolean().optional(),
  code: errorCode.optional(),
  message: z.string().optional(),
  recoveryHint: z.string().optional(),
  canRetry: z.boolean().optional(),
};

/** Fields that any result can have. */
export type CommonResult = z.infer<z.ZodObject<typeof commonFields>>;

/** The element that received an action. */
export const elementField = z.object({
  ref: z.string().optional(),
  role: z.string(),
  name: z.string(),
  tag: z.string(),
  id: z.string().optional(),
  hint: z.string().optional().describe('Describes an element without a name, as in the snapshot'),
});

/** A result as the model gets it: text, or text and an image. Mastra converts `media` to the format of each model. */
type ModelOutput = { type: 'text'; value: string } | { type: 'content'; value: ModelPart[] };

type ModelPart = { type: 'text'; text: string } | { type: 'media'; mediaType: string; data: string };

/** A result that may refer to an image file, and to a smaller one for the model. */
type Result = CommonResult & { path?: string; mimeType?: string; shown?: { path: string } };

/** A tool as far as the text of its results depends on it. */
interface Speaker {
  readonly policy: { trustedOutput?: true; readOnly?: true };
  headline(result: CommonResult): string;
}

/** Converts a result for the model. Never throws, because Mastra would end the whole run. */
export async function modelOutput(speaker: Speaker, result: Result): Promise<ModelOutput> {
  const text = resultText(result, result.success ? speaker.headline(result) : '', speaker.policy);
  if (!result.success || result.mimeType === undefined || result.path === undefined)
    return { type: 'text', value: text };
  const data = await readFile(result.shown?.path ?? result.path, 'base64').catch(() => undefined);
  if (data === undefined)
    return { type: 'text', value: `${text}\nThe picture no longer exists: take a new screenshot.` };
  return {
    type: 'content',
    value: [
      { type: 'text', text },
      { type: 'media', mediaType: result.mimeType, data },
    ],
  };
}

/** Codes whose messages, unless they have a hint of their own, are the toolset's own words or repeat words of the model. */
export const OWN_MESSAGE_CODES: ReadonlySet<string | undefined> = new Set([
  'invalid_ref',
  'no_dialog',
  'browser_closed',
  'human_in_control',
  'aborted',
]);

/**
 * The text of a result for the model: what was done, its effects, what changed. Everything that a page can influence is
 * between boundary lines.
 * @param headline What the tool did, in a few words.
 */
export function resultText(
  result: CommonResult,
  headline: string,
  { trustedOutput, readOnly }: Speaker['policy'],
): string {
  const success = trustedOutput ? { own: [headline], page: [] } : { own: [], page: [headline] };
  const { own, page } = result.success ? success : failureLines(result);
  const others = [...page, ...effectLines(result)];
  // What a call that only reads reports as changed had changed before.
  const { changes = '' } = result;
  const lines = (readOnly ? [changes, ...others] : [...others, changes]).filter(line => line !== '').join('\n');
  return [...own, betweenBoundaries(lines)].filter(line => line !== '').join('\n');
}

/**
 * Splits a failure into the toolset's own words (`own`) and text that a page may influence (`page`): most messages name
 * an element, an address or a file.
 */
function failureLines({ code, message = '', recoveryHint = '' }: CommonResult): { own: string[]; page: string[] } {
  // Mastra's own validation error of a result has no code.
  if (code === undefined) return { own: [], page: [message, recoveryHint] };
  const info: ErrorCodeInfo = ERROR_CODES[code];
  const isGeneral = recoveryHint === (info.recoveryHint ?? '');
  if (isGeneral && OWN_MESSAGE_CODES.has(code)) return { own: [`${code}: ${message}`, recoveryHint], page: [] };
  return {
    own: [`${code}: ${isGeneral ? recoveryHint : info.meaning}`],
    page: [message, isGeneral ? '' : recoveryHint],
  };
}
