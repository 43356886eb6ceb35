import { createRequire } from 'node:module';
import { z } from 'zod/v4';

const require = createRequire(import.meta.url);

/** The version of this package. */
export const VERSION = z.object({ version: z.string() }).parse(require('@browser-toolset/mcp/package.json')).version;
