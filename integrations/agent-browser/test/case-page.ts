import type { BrowserSession, BrowserToolset } from '../src/index.js';
import { expectSuccess, pageOf, servePages } from './fixtures.js';

/** A page that holds each case in turn, for what does not depend on how a document came to be. */
interface CasePage {
  session: BrowserSession;
  /** Puts markup in place of the case before, and runs its scripts: each in a block, so that they share functions alone. */
  show(html: string): Promise<void>;
  /** Shows markup and answers with what a snapshot of its controls says, below the line of the page itself. */
  read(html: string, how?: { interactiveOnly?: boolean }): Promise<string>;
  /** The value of an expression in the page. */
  evaluate(expression: string): Promise<unknown>;
}

/** Opens such a page for the cases of a file, as soon as there is one. */
export function casePage(toolset: BrowserToolset, head = ''): CasePage {
  const session = toolset.session('case-page');
  let opened: Promise<void> | undefined;

  const open = async (): Promise<void> => {
    const icon = '<link rel="icon" href="data:,">';
    const site = await servePages({
      '/': `<!doctype html><meta charset="utf-8"><title>Case</title>${icon}${head}<body></body>`,
    });
    expectSuccess(await session.navigate({ url: site.url() }));
  };

  const show = async (html: string): Promise<void> => {
    opened ??= open();
    await opened;
    await (await pageOf(toolset, session.threadId)).evaluate(markup => {
      document.body.setHTMLUnsafe(markup);
      for (const script of document.body.querySelectorAll<HTMLScriptElement>('script:not([type])'))
        script.replaceWith(Object.assign(document.createElement('script'), { text: `{ ${script.text} }` }));
    }, html);
  };

  return {
    session,
    show,
    async read(html, how = { interactiveOnly: true }) {
      await show(html);
      const { tree = '' } = expectSuccess(await session.snapshot(how));
      return tree.slice(tree.indexOf('\n') + 1);
    },
    async evaluate(expression) {
      return (await pageOf(toolset, session.threadId)).evaluate(expression);
    },
  };
}
