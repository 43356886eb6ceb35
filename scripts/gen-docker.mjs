// Writes docker/Dockerfile into its guide, so that there is one text of it. With --check it writes nothing and fails on drift.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from './bootstrap/layout.mjs';
import { writeGenerated } from './docs/generated.mjs';

const dockerfile = await readFile(join(root, 'docker/Dockerfile'), 'utf8');
await writeGenerated(['docs/guides/docker.md'], { dockerfile: () => `\`\`\`dockerfile\n${dockerfile}\`\`\`` });
