import { fileURLToPath } from 'node:url';
import { build, stop } from 'esbuild';
import type { CDPSession, Page } from 'playwright-core';
import type { BothWays, CaseAnswer, Cases, Request, Told } from './role-and-name-engine.js';

/** The page side of roles and names, as a script that defines `engineModule`. */
let bundle: Promise<string> | undefined;

async function bundled(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL('role-and-name-engine.ts', import.meta.url))],
    bundle: true,
    write: false,
    format: 'iife',
    globalName: 'engineModule',
    target: 'chrome120',
  });
  // Its own process.
  await stop();
  return outputFiles[0]?.text ?? '';
}

/** What the page does around a question, without being drawn between. */
interface Around {
  before?: () => void;
  after?: () => void;
}

const called = (work: (() => void) | undefined): string => (work === undefined ? '' : `(${work})();`);

const sessions = new WeakMap<Page, Promise<CDPSession>>();

/**
 * Asks the page side of roles and names, in an isolated world as in the product. A selector engine of Playwright's, which
 * would run in one too, stays registered: it would be in all pages of the test files that come later in this process.
 */
async function answer<T>(page: Page, request: Request, { before, after }: Around = {}): Promise<T> {
  const session = sessions.get(page) ?? page.context().newCDPSession(page);
  sessions.set(page, session);
  const evaluate = await evaluatorIn(await session);
  if ((await evaluate('typeof engineModule')) === 'undefined') {
    bundle ??= bundled();
    await evaluate(await bundle);
  }
  const asked = `JSON.stringify(engineModule.answerTo(${JSON.stringify(request)}))`;
  return JSON.parse(await evaluate(`${called(before)} answer = ${asked}; ${called(after)} answer`)) as T;
}

/** Evaluates expressions in the world of this name, of which each document has one. */
async function evaluatorIn(session: CDPSession): Promise<(expression: string) => Promise<string>> {
  const { frameTree } = await session.send('Page.getFrameTree');
  const world = { frameId: frameTree.frame.id, worldName: 'role-and-name' };
  const { executionContextId } = await session.send('Page.createIsolatedWorld', world);
  return async expression => {
    const asked = { expression, contextId: executionContextId, returnByValue: true };
    const { result, exceptionDetails } = await session.send('Runtime.evaluate', asked);
    if (exceptionDetails !== undefined)
      throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    return String(result.value);
  };
}

/**
 * Roles and names of the elements with the attribute `t` in some markups, by markup. They are asked for at once, and each
 * has the page for itself.
 */
export async function tellCases(page: Page, html: readonly string[], options: Partial<Omit<Cases, 'html'>> = {}) {
  const { css = '', crowd = 0 } = options;
  const answers = await answer<CaseAnswer[]>(page, { do: 'cases', html, css, crowd });
  const byMarkup = new Map(html.map((markup, index) => [markup, answers[index]]));
  return (markup: string): Told => {
    const told = byMarkup.get(markup);
    if (told === undefined || 'error' in told || told.told === undefined)
      throw new Error(`${markup} has no answer: ${told && 'error' in told ? told.error : 'no element with t'}`);
    return told.told;
  };
}

/** Roles and names of all elements that match, shadow roots included. */
export function ask(page: Page, selector: string, options: { inPass?: boolean } = {}) {
  return answer<Told[]>(page, { do: 'ask', selector, inPass: options.inPass ?? true });
}

/** The same of elements that the page makes for the question alone: pages that nobody sees cost no time to be drawn. */
export function askUndrawn(page: Page, selector: string, build: () => void) {
  const after = () => document.body.replaceChildren();
  return answer<Told[]>(page, { do: 'ask', selector, inPass: true }, { before: build, after });
}

/** Roles and names of all elements of some markups, which have the page for themselves. */
export function askBothWays(page: Page, html: readonly string[], css: string) {
  return answer<BothWays[]>(page, { do: 'both-ways', html, css });
}

export function nameWithClosedRoot(page: Page, html: string) {
  return answer<string>(page, { do: 'closed-root', html });
}
