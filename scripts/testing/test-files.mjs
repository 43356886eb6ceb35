import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { workspaceFolders } from '../bootstrap/workspace-folders.mjs';
import { pathIn } from './report.mjs';

const TEST = /\.test\.(?:tsx?|mjs)$/;

/**
 * The workspace's test files, as paths from its root.
 * @param {string} root
 */
export function testFiles(root) {
  return [...workspaceFolders(root), 'scripts'].flatMap(folder => {
    const tests = join(root, folder, 'test');
    if (!existsSync(tests)) return [];
    return readdirSync(tests, { recursive: true, encoding: 'utf8' })
      .filter(file => TEST.test(file) && !file.includes('node_modules'))
      .map(file => pathIn(root, join(tests, file)))
      .sort();
  });
}
