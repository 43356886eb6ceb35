import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { type Browser, chromium, type Page, selectors } from 'playwright-core';
import type { Request, Told } from './role-and-name-engine.js';

const ENGINE = 'role-and-name';

/** Starts Chromium with the page side of roles and names in Playwright's isolated world, as in the product. */
export async function launchWithEngine(): Promise<Browser> {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL('role-and-name-engine.ts', import.meta.url))],
    bundle: true,
    write: false,
    format: 'iife',
    globalName: 'engineModule',
    target: 'chrome120',
  });
  const content = `(() => { ${outputFiles[0]?.text}\nreturn engineModule.createEngine(); })()`;
  await selectors.register(ENGINE, { content }, { contentScript: true });
  const executablePath = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium';
  return chromium.launch({ executablePath, args: ['--no-sandbox'] });
}

async function answer<T>(page: Page, request: Request): Promise<T> {
  const locator = page.locator(`${ENGINE}=${encodeURIComponent(JSON.stringify(request))}`);
  return JSON.parse((await locator.textContent()) ?? 'null') as T;
}

/** Role and name of the element with the attribute `t` in some markup. */
export function tellCase(page: Page, html: string, options: { css?: string; crowd?: number } = {}) {
  return answer<Told>(page, { do: 'case', html, css: options.css ?? '', crowd: options.crowd ?? 0 });
}

/** Roles and names of all elements that match, shadow roots included. */
export function ask(page: Page, selector: string, options: { inPass?: boolean } = {}) {
  return answer<Told[]>(page, { do: 'ask', selector, inPass: options.inPass ?? true });
}

export function nameWithClosedRoot(page: Page, html: string) {
  return answer<string>(page, { do: 'closed-root', html });
}
