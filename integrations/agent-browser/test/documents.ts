import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { integration } from './linked-project.js';

export const root = resolve(integration, '../..');

/** What users read: the site's pages and the READMEs of packages, and none that a tool or an installation put beside them. */
const WHERE = ['README.md', 'docs/*.md', 'integrations/*/README.md', 'packages/*/README.md'];
const paths = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '-z', ...WHERE], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\0')
  .filter(document => document !== '');

interface Block {
  /** Empty for what is no code, such as a text that a model reads. */
  language: string;
  code: string;
  /** The lines that the document says it prints, in a block of the language `output` right behind it. */
  output: string | undefined;
}

/** What users read. Documents are paths from the root. */
export const DOCUMENTS = paths.map(document => ({
  document,
  blocks: blocksOf(readFileSync(resolve(root, document), 'utf8')),
}));

/** Documents that have programs, and these. */
export const SNIPPETS = DOCUMENTS.map(({ document, blocks }) => ({
  document,
  codes: blocks.filter(({ language }) => language === 'ts' || language === 'tsx'),
})).filter(({ codes }) => codes.length > 0);

function blocksOf(text: string): Block[] {
  return [...text.matchAll(/^```(\w*)\n([\s\S]*?)^```\n(?:\n```output\n([\s\S]*?)^```$)?/gm)].map(
    ([, language = '', code = '', output]) => ({ language, code, output }),
  );
}
