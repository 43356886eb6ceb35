import { readFileSync } from 'node:fs';
import { z } from 'zod/v4';

/** The version of this package. */
export const VERSION = z
  .object({ version: z.string() })
  .parse(JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))).version;
