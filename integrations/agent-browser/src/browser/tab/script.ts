import { Script } from 'node:vm';
import { EVALUATION_SOURCE } from '../../generated/page-evaluation.js';
import { ToolError } from '../../outcome/errors.js';
import type { Evaluated } from '../../page/evaluation-protocol.js';

/** A function, or an arrow function, at the beginning of a text. */
const FUNCTION = /^(async\b\s*)?(function\b|\([\s\S]*?\)\s*=>|[\w$]+\s*=>)/;

/**
 * A function for Playwright that runs a script in the page and takes `{ element?, arg }`. The script is an expression, statements of which the last
 * one is the outcome, or the body of a function with `return`; it has `element` and `arg`.
 * @throws ToolError `invalid_input` for what is no JavaScript.
 */
export function scriptOf(expression: string): (input: unknown) => Promise<Evaluated> {
  const text = expression.trim();
  const given = FUNCTION.test(text) ? 'element === undefined ? [arg] : [element, arg]' : 'undefined';
  const source = `({ element, arg }) => (${EVALUATION_SOURCE})(${runOf(text)}, ${given})`;
  // Playwright sends the text of a function; nothing of it ever runs here.
  return Object.assign(
    async (): Promise<Evaluated> => {
      throw new Error('only its text is used');
    },
    { toString: () => source },
  );
}

function runOf(text: string): string {
  const asExpression = `async () => (\n${text.replace(/;+$/, '')}\n)`;
  if (syntaxError(`(${asExpression})`) === undefined) return asExpression;
  const asBody = `async () => {\n${text}\n}`;
  const error = syntaxError(text);
  if (error === undefined) return `() => eval(${JSON.stringify(text)})`;
  if (syntaxError(`(${asBody})`) === undefined) return asBody;
  throw new ToolError('invalid_input', `expression: ${error}.`);
}

function syntaxError(code: string): string | undefined {
  try {
    new Script(code);
    return undefined;
  } catch (error) {
    return String(error);
  }
}
