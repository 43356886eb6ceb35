import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The workspace's packages, as folders relative to the root in `/` form, read from pnpm-workspace.yaml.
 * @param {string} root
 * @returns {string[]}
 */
export function workspaceFolders(root) {
  return packagePatterns(readFileSync(join(root, 'pnpm-workspace.yaml'), 'utf8'))
    .flatMap(pattern => (pattern.endsWith('/*') ? foldersIn(root, pattern.slice(0, -2)) : [pattern]))
    .filter(folder => existsSync(join(root, folder, 'package.json')));
}

/**
 * The `packages:` list; of YAML only the plain block list that pnpm's own documentation uses.
 * @param {string} yaml
 * @returns {string[]}
 */
export function packagePatterns(yaml) {
  const lines = yaml.split(/\r?\n/);
  const rest = lines.slice(lines.indexOf('packages:') + 1);
  const end = rest.findIndex(line => /^\S/.test(line) && !line.startsWith('-'));
  return rest.slice(0, end === -1 ? rest.length : end).flatMap(line => /^\s*-\s*['"]?([^'"\s]+)/.exec(line)?.[1] ?? []);
}

/** @param {string} root @param {string} parent */
function foldersIn(root, parent) {
  if (!existsSync(join(root, parent))) return [];
  return readdirSync(join(root, parent)).map(name => `${parent}/${name}`);
}
