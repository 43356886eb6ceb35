import { access } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { ResolvedConfig } from '../../config.js';
import { badSetup } from '../../outcome/errors.js';

/** Builds of Chromium that run no unpacked extensions: the headless shell has none, Google Chrome takes no switch for them since 137. */
const WITHOUT = /headless[-_]shell|google[-_ ]?chrome(?!-for-testing)|Google Chrome\.app/i;

/**
 * The switches that load the unpacked extensions of the option `extensions`.
 *
 * @throws ToolError For a folder without a manifest, and for a Chromium that loads none.
 */
export async function extensionArgs(
  { extensions }: Pick<ResolvedConfig, 'extensions'>,
  executablePath: string,
): Promise<string[]> {
  if (extensions.length === 0) return [];
  if (WITHOUT.test(executablePath))
    throw badSetup(
      `The option extensions needs another browser than ${executablePath}, which loads no unpacked extensions: use Chromium or Chrome for Testing.`,
    );
  const folders = extensions.map(folder => resolve(folder));
  for (const folder of folders)
    await access(join(folder, 'manifest.json')).catch(cause => {
      throw badSetup(`The option extensions names ${folder}, which has no manifest.json.`, cause);
    });
  const list = folders.join(',');
  return [`--disable-extensions-except=${list}`, `--load-extension=${list}`];
}
