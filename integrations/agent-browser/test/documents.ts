import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { integration } from './linked-project.js';

export const root = resolve(integration, '../..');
const guides = readdirSync(join(root, 'docs/browser-agent')).map(name => `docs/browser-agent/${name}`);

/** Documents whose code and links are tested, as paths from the root. */
export const DOCUMENTS = [
  'README.md',
  'integrations/agent-browser/README.md',
  'packages/browser-agent/README.md',
  ...guides,
];
