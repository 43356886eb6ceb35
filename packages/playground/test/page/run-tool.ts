import type { Page } from 'playwright-core';

/** Runs a tool by hand; answers with the place of its result. */
export async function runTool(page: Page, name: string, fill: (form: ReturnType<Page['getByRole']>) => Promise<void>) {
  await page.getByRole('tab', { name: 'Tools' }).click();
  await page.getByRole('list', { name: 'Tools' }).getByRole('button', { name, exact: true }).click();
  const form = page.getByRole('form', { name: `browser_${name}` });
  await fill(form);
  await form.getByRole('button', { name: 'Run' }).click();
  return page.getByRole('region', { name: 'Result' });
}
