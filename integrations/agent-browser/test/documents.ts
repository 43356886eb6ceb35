import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { integration } from './linked-project.js';

export const root = resolve(integration, '../..');

const PACKAGES = ['integrations/agent-browser', 'packages/browser-agent', 'packages/server'];
const pages = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
  .filter(name => name.endsWith('.md'))
  .map(name => join('docs', name));

/** What users read, as far as it has code, and the code of each. Documents are paths from the root. */
export const SNIPPETS = ['README.md', ...PACKAGES.map(folder => `${folder}/README.md`), ...pages.sort()]
  .map(document => ({ document, codes: codesOf(readFileSync(join(root, document), 'utf8')) }))
  .filter(({ codes }) => codes.length > 0);

/** Each block, and the lines that the document says it prints, in a block of the language `output` right behind it. */
function codesOf(text: string): { code: string; output: string | undefined }[] {
  return [...text.matchAll(/^```ts\n([\s\S]*?)^```\n(?:\n```output\n([\s\S]*?)^```$)?/gm)].map(
    ([, code = '', output]) => ({ code, output }),
  );
}
