import { readFile } from 'node:fs/promises';
import { ERROR_CODES, type ErrorCode, type ErrorCodeInfo } from '@browser-toolset/core';
import { betweenBoundaries } from '@browser-toolset/core/boundaries';
import { z } from 'zod/v4';
import { effectFields, effectLines } from './effects.js';

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
  hint: z.string().optional().describe('Describes an element without a name, as in the snapshot'),
});

/** A result as a model gets it: text, or text and a picture. Mastra converts `media` to each model's own kind. */
type ModelOutput = { type: 'text'; value: string } | { type: 'content'; value: ModelPart[] };

type ModelPart = { type: 'text'; text: string } | { type: 'media'; mediaType: string; data: string };

/** A result that may stand for a picture in a file. */
type Result = CommonResult & { path?: string; mimeType?: string };

/** Says a success in a few words. */
interface Speaker {
  readonly policy: { trustedOutput?: true };
  headline(result: CommonResult): string;
}

/** A result as the model gets it. Never throws: Mastra would end the whole run. */
export async function modelOutput(speaker: Speaker, result: Result): Promise<ModelOutput> {
  const text = resultText(result, result.success ? speaker.headline(result) : '', speaker.policy);
  if (!result.success || result.mimeType === undefined || result.path === undefined)
    return { type: 'text', value: text };
  const data = await readFile(result.path, 'base64').catch(() => undefined);
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

/** Their messages are in the toolset's own words, which repeat the model's at most. */
export const OWN_MESSAGE_CODES: ReadonlySet<string | undefined> = new Set([
  'invalid_ref',
  'no_dialog',
  'browser_closed',
  'human_in_control',
  'aborted',
  'secret_not_allowed',
]);

/**
 * The text that a model reads of a result: what was done, what came of it, what changed. All that a page may have a say
 * in stands between boundary lines.
 * @param headline What the tool did, in a few words.
 */
export function resultText(result: CommonResult, headline: string, { trustedOutput }: Speaker['policy']): string {
  const success = trustedOutput ? { own: [headline], told: [] } : { own: [], told: [headline] };
  const { own, told } = result.success ? success : failureLines(result);
  const lines = [...told, ...effectLines(result), result.changes ?? ''].filter(line => line !== '').join('\n');
  // A failure without a url has not come to any page.
  const page = result.success || result.url !== undefined ? betweenBoundaries(lines) : lines;
  return [...own, page].filter(line => line !== '').join('\n');
}

/** `own`: in the toolset's words alone. */
function failureLines({ code, message = '', recoveryHint = '' }: CommonResult): { own: string[]; told: string[] } {
  // Mastra's own report of a result that does not fit has no code.
  if (code === undefined) return { own: [message], told: [recoveryHint] };
  if (OWN_MESSAGE_CODES.has(code)) return { own: [`${code}: ${message}`, recoveryHint], told: [] };
  const info: ErrorCodeInfo = ERROR_CODES[code];
  const isGeneral = recoveryHint === info.recoveryHint;
  return {
    own: [`${code}: ${isGeneral ? recoveryHint : info.meaning}`],
    told: [message, isGeneral ? '' : recoveryHint],
  };
}
