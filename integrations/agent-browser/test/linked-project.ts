import { mkdir, mkdtemp, realpath, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

export const integration = resolve(import.meta.dirname, '..');
const ours = '@browser-toolset/agent-browser';

/** A project of a user in a temporary folder, with this package and some that it has itself: linked, so nothing is installed. */
export async function linkedProject(packages: readonly string[], more: Record<string, string> = {}): Promise<string> {
  const folder = await mkdtemp(join(await realpath(tmpdir()), 'linked-project-'));
  const dependencies = Object.fromEntries([ours, ...packages].map(name => [name, '*']));
  const manifest = { name: 'linked-project', private: true, type: 'module', dependencies };
  await writeFile(join(folder, 'package.json'), JSON.stringify(manifest));
  const targets: Record<string, string> = { [ours]: integration, ...more };
  for (const name of packages) targets[name] = await realpath(join(integration, 'node_modules', name));
  for (const [name, target] of Object.entries(targets)) {
    const link = join(folder, 'node_modules', name);
    await mkdir(dirname(link), { recursive: true });
    await symlink(target, link, 'junction');
  }
  return folder;
}
