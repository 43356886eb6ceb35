import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The workspace's own folder, wherever the command was called from. */
export const root = fileURLToPath(new URL('../..', import.meta.url));
/** What the bootstrap brings; kept out of git, safe to delete. */
export const toolchain = resolve(root, '.toolchain');
export const logs = resolve(toolchain, 'logs');
