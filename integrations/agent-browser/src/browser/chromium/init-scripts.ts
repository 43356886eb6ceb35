import { readFile } from 'node:fs/promises';
import type { BrowserContext } from 'playwright-core';
import type { ResolvedConfig } from '../../config.js';
import { badSetup, plainMessage } from '../../outcome/errors.js';

/** Contexts that have them: one that several sessions share gets them once. */
const prepared = new WeakSet<BrowserContext>();

/** Lets the scripts of the option `initScripts` run in every page of a context, before the page's own. */
export async function addInitScripts(context: BrowserContext, { initScripts }: ResolvedConfig): Promise<void> {
  if (initScripts.length === 0 || prepared.has(context)) return;
  const texts = await Promise.all(
    initScripts.map(script => (typeof script === 'string' ? textOf(script) : script.content)),
  );
  if (prepared.has(context)) return;
  prepared.add(context);
  for (const content of texts) await context.addInitScript({ content });
}

async function textOf(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (cause) {
    throw badSetup(`The option initScripts names ${path}, which cannot be read: ${plainMessage(cause)}`, cause);
  }
}
