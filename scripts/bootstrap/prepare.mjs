import { join } from 'node:path';
import { checkNamedChromium, ensureChromium } from './chromium.mjs';
import { toolchain } from './layout.mjs';
import { withLock } from './lock.mjs';
import { ensureNode } from './node.mjs';
import { ensurePnpm } from './pnpm.mjs';
import { say, secondsSince } from './progress.mjs';
import { build, ensureDependencies } from './workspace.mjs';

/** @typedef {{ node: string, pnpm: import('./processes.mjs').Command }} Tools */

/**
 * Brings what is missing; this process's environment then is the one in which every command of the workspace works.
 * @returns {Promise<Tools>}
 */
export async function prepare() {
  const started = performance.now();
  await checkNamedChromium();
  Object.assign(process.env, {
    TURBO_TELEMETRY_DISABLED: '1',
    TURBO_NO_UPDATE_NOTIFIER: '1',
    MASTRA_TELEMETRY_DISABLED: '1',
    DO_NOT_TRACK: '1',
    // Where the person called from, as npm tells it: commands themselves run in the root.
    INIT_CWD: process.env.INIT_CWD ?? process.cwd(),
  });
  const tools = await withLock(join(toolchain, 'lock'), bringAll);
  say(`Ready in ${secondsSince(started)}, with the browser ${process.env.CHROMIUM_PATH}`);
  return tools;
}

async function bringAll() {
  const node = await ensureNode();
  const pnpm = await ensurePnpm(node);
  await ensureDependencies(pnpm);
  await build(node);
  process.env.CHROMIUM_PATH = await ensureChromium();
  return { node, pnpm };
}
