import { readFile } from 'node:fs/promises';
import { effectLines } from './effect-lines.js';
import { humanLines } from './human-actions.js';
import type { CommonResult } from './result.js';

/** What a model gets of a result: text, or text and a picture. Mastra converts `media` to each model's own kind. */
export type ModelOutput = { type: 'text'; value: string } | { type: 'content'; value: ModelPart[] };

type ModelPart = { type: 'text'; text: string } | { type: 'media'; mediaType: string; data: string };

/** A result that may stand for a picture in a file. */
type Result = CommonResult & { path?: string; mimeType?: string };

/** Says a success in a few words. */
interface Speaker {
  headline(result: CommonResult): string;
}

/** A result as the model gets it. Never throws: Mastra would end the whole run. */
export async function modelOutput(speaker: Speaker, result: Result): Promise<ModelOutput> {
  const text = resultText(result, result.success ? speaker.headline(result) : '');
  if (!result.success || result.mimeType === undefined || result.path === undefined)
    return { type: 'text', value: text };
  const data = await readFile(result.path, 'base64').catch(() => undefined);
  if (data === undefined) return { type: 'text', value: `${text}\nThe picture is gone: take a new one.` };
  return {
    type: 'content',
    value: [
      { type: 'text', text },
      { type: 'media', mediaType: result.mimeType, data },
    ],
  };
}

/**
 * The text that a model reads of a result: what was done, what came of it, what changed.
 * @param headline What the tool did, in a few words.
 */
export function resultText(result: CommonResult, headline: string): string {
  const lines = result.success ? [headline, ...happenedLines(result)] : failureLines(result);
  if (result.changes !== undefined) lines.push(result.changes);
  return lines.filter(line => line !== '').join('\n');
}

function failureLines(result: CommonResult): string[] {
  // Mastra's own report of a result that does not fit has no code.
  const lines = [result.code === undefined ? `${result.message}` : `${result.code}: ${result.message}`];
  if (result.recoveryHint !== undefined) lines.push(result.recoveryHint);
  return [...lines, ...happenedLines(result)];
}

function happenedLines(result: CommonResult): string[] {
  return [...(result.humanActions === undefined ? [] : humanLines(result.humanActions)), ...effectLines(result)];
}
