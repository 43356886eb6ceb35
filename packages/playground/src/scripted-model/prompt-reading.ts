import { ERROR_CODES } from '@browser-toolset/core';
import type { Prompt, ToolResultOutput } from './model-interface.js';
import { View } from './view.js';

export interface Reading {
  readonly view: View;
  /** The ids of the calls that were answered since the task. */
  readonly answered: readonly string[];
  /** The tool's message, if the last step failed. */
  readonly failure: string | undefined;
}

type Message = Prompt[number];
type ToolResult = Extract<Extract<Message, { role: 'tool' }>['content'][number], { type: 'tool-result' }>;

/** Reads a prompt from its last task on. The model keeps no state, so that a conversation can go on after any restart. */
export function readPrompt(prompt: Prompt): Reading {
  const start = prompt.findLastIndex(isTask);
  const results = prompt.slice(start + 1).flatMap(toolResults);
  const last = results.at(-1)?.output;
  return {
    view: new View(
      start < 0 ? '' : plainText(prompt[start]),
      results.map(result => outputText(result.output)),
    ),
    answered: results.map(result => result.toolCallId),
    failure: last && isFailure(last) ? outputText(last) : undefined,
  };
}

/** Mastra reports a browser's state as a user message too; that is not a task. */
function isTask(message: Message): boolean {
  return message.role === 'user' && !plainText(message).includes('<state');
}

function plainText(message: Message | undefined): string {
  if (message?.role !== 'user') return '';
  return message.content.map(part => (part.type === 'text' ? part.text : '')).join('\n');
}

function toolResults(message: Message): ToolResult[] {
  if (message.role !== 'tool') return [];
  return message.content.filter((part): part is ToolResult => part.type === 'tool-result');
}

function outputText(output: ToolResultOutput): string {
  switch (output.type) {
    case 'text':
    case 'error-text':
      return output.value;
    case 'json':
    case 'error-json':
      return JSON.stringify(output.value);
    case 'content':
      return output.value.map(part => (part.type === 'text' ? part.text : `[${part.mediaType}]`)).join('\n');
  }
}

/** Mastra's words to a model for a call that a person did not approve. */
const DECLINED = 'Tool call was not approved';

function isFailure(output: ToolResultOutput): boolean {
  if (output.type === 'error-text' || output.type === 'error-json') return true;
  if (output.type === 'json') return isFailureObject(output.value);
  const text = outputText(output);
  const [code = ''] = text.split(':', 1);
  return Object.hasOwn(ERROR_CODES, code) || text.startsWith(DECLINED);
}

function isFailureObject(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return ('success' in value && value.success === false) || ('error' in value && value.error === true);
}
