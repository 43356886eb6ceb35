import type { Page } from 'playwright-core';

/** What work on a page brings; rejects when the page crashes: what it is asked over the DevTools protocol then has no answer. */
export function unlessCrashed<T>(page: Page, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const onCrash = (): void => reject(new Error('The page crashed.'));
    page.on('crash', onCrash);
    work.then(resolve, reject).finally(() => page.off('crash', onCrash));
  });
}
