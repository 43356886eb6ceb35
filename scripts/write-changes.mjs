// Writes what the site's changelog shows, which is not committed: the changesets that wait, and the CHANGELOG of each package.
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { readChangesets } from '@changesets/read';
import { root } from './bootstrap/layout.mjs';
import { pendingChanges, releasedChanges } from './docs/changes.mjs';
import { publishedPackages } from './packaging/published.mjs';

const changelogs = (await publishedPackages())
  .map(({ folder }) => join(root, folder, 'CHANGELOG.md'))
  .filter(file => existsSync(file));
const released = await Promise.all(changelogs.map(async file => releasedChanges(await readFile(file, 'utf8'))));
const file = join(root, 'docs/.cache/changes.md');
await mkdir(dirname(file), { recursive: true });
await writeFile(file, [pendingChanges(await readChangesets(root)), ...released].join('\n'));
