import type { Page } from 'playwright-core';

/** The result of work on a page; rejects when the page crashes, for then the DevTools protocol never answers. */
export function unlessCrashed<T>(page: Page, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const onCrash = (): void => reject(new Error('The page crashed.'));
    page.on('crash', onCrash);
    work.then(resolve, reject).finally(() => page.off('crash', onCrash));
  });
}
