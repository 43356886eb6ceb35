import { existsSync, readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/** Whoever imports one of these drives a browser or starts processes. */
const HEAVY = /^(?:playwright-core|agent-browser|node:child_process|@mastra\/.*|@browser-toolset\/(?!core).*)$/;
/** The module that loads Chromium's driver in another way than by an import. */
export const DRIVER = 'integrations/agent-browser/src/browser/chromium/agent-browser.ts';
const IMPORT = /^(?:import|export)\s+(?!type\b)(?:[^'"]*?\sfrom\s+)?['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]/gm;

/**
 * Those of the files whose imports, types apart, lead to no browser and to no processes.
 * @param {string} root
 * @param {string[]} files
 */
export function browserless(root, files) {
  const driver = resolve(root, DRIVER);
  /** @type {Map<string, boolean>} */
  const known = new Map([[driver, true]]);

  /** @param {string} file @returns {boolean} */
  function isHeavy(file) {
    const before = known.get(file);
    if (before !== undefined) return before;
    known.set(file, false);
    const found = [...readFileSync(file, 'utf8').matchAll(IMPORT)].some(([, name = '', lazy = '']) =>
      leadsToBrowser(file, name || lazy),
    );
    known.set(file, found);
    return found;
  }

  /** @param {string} from @param {string} name */
  function leadsToBrowser(from, name) {
    if (!name.startsWith('.')) return HEAVY.test(name);
    const path = resolve(dirname(from), name).replace(/\.js$/, '');
    const file = ['', '.ts', '.tsx', '.mjs']
      .map(end => path + end)
      .find(each => /\.\w+$/.test(each) && existsSync(each));
    return file !== undefined && isHeavy(file);
  }

  return files.filter(file => !isHeavy(resolve(root, file)));
}
