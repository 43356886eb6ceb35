import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../bootstrap/layout.mjs';

export const dockerfile = readFileSync(join(root, 'docker/Dockerfile'), 'utf8');
export const guide = readFileSync(join(root, 'docs/guides/docker.md'), 'utf8');

/**
 * The guide's blocks in a language.
 * @param {string} language
 */
export function blocks(language) {
  return [...guide.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'gm'))].map(
    ([, text = '']) => text,
  );
}

/**
 * What stands behind an instruction of the Dockerfile, its lines joined.
 * @param {string} name such as `COPY`
 */
export function instruction(name) {
  const lines = dockerfile.replace(/^#.*\n/gm, '').replace(/\\\n\s*/g, '');
  const [, rest] = new RegExp(`^${name} (.*)$`, 'm').exec(lines) ?? [];
  if (rest === undefined) throw new Error(`The Dockerfile has no ${name}.`);
  return rest;
}
