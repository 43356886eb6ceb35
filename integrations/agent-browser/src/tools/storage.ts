import { createHash } from 'node:crypto';
import { join, resolve } from 'node:path';
import { z } from 'zod/v4';
import { isPersonsContext } from '../browser/chromium/devices.js';
import type { SessionFiles } from '../browser/files/files.js';
import type { Session } from '../browser/session.js';
import { NamedStorage } from '../browser/storage/named-storage.js';
import { defineTool } from '../call/define.js';
import { ToolError } from '../results/errors.js';

export const storage = defineTool({
  id: 'browser_storage',
  description: 'Save the cookies and storage (logins) of this session under a name, load them again, or clear them.',
  input: z
    .strictObject({
      action: z.enum(['save', 'load', 'clear']),
      name: z
        .string()
        .min(1)
        .max(100)
        .optional()
        .describe('Name of the saved state; clear without a name clears the current session'),
    })
    .refine(({ action, name }) => action === 'clear' || name !== undefined, {
      path: ['name'],
      message: 'is required to save or load',
    }),
  output: {
    action: z.enum(['save', 'load', 'clear']).optional(),
    name: z.string().optional(),
    /** Their number; the contents are not returned. */
    cookies: z.number().optional(),
    origins: z.number().optional(),
  },
  policy: { optIn: true },
  risk: (_, { action }) => ({ classes: action === 'clear' ? ['delete'] : [] }),
  enters: 'nothing',
  async run({ session, tab }, { action, name }) {
    const context = tab.page.context();
    const named = namedStorage(session);
    if (action === 'save' && name !== undefined) {
      const state = await context.storageState({ indexedDB: true });
      await named.save(name, state);
      return { action, name, ...counts(state) };
    }
    if (action === 'clear' && name !== undefined) {
      const isThere = await named.remove(name);
      return isThere ? { action, name } : { action };
    }
    refuseForeign(session);
    const state = action === 'load' && name !== undefined ? await named.load(name) : { cookies: [], origins: [] };
    await context.setStorageState(state);
    session.storage.set(state);
    return { action, ...(name !== undefined && { name }), ...counts(state) };
  },
  headline: ({ action, name, cookies, origins }) => {
    const what = `${cookies ?? 0} cookies and the storage of ${origins ?? 0} origins`;
    if (action === 'save') return `Saved ${what} as ${JSON.stringify(name)}.`;
    if (action === 'load') return `Loaded ${what}. Open pages show this once they are reloaded.`;
    if (cookies !== undefined) return 'Cookies and storage of this browser are cleared.';
    return name === undefined
      ? 'Nothing was saved under that name.'
      : `Deleted what was saved as ${JSON.stringify(name)}.`;
  },
});

/** The cookies of a profile, or of a user's existing browser context, are not only the agent's to remove. */
function refuseForeign({ owner: { config } }: Session): void {
  if (config.profile === undefined && !isPersonsContext(config)) return;
  throw new ToolError(
    'browser_error',
    'Cookies cannot be loaded or cleared here: this browser uses a persistent profile or the context of its user.',
    { canRetry: false },
  );
}

function counts({ cookies, origins }: Awaited<ReturnType<NamedStorage['load']>>): { cookies: number; origins: number } {
  return { cookies: cookies.length, origins: origins.length };
}

function namedStorage({ owner: { config, files }, threadId }: Session): NamedStorage {
  const { storagePath, storageKey } = config;
  const folder = typeof storagePath === 'function' ? storagePath({ threadId }) : storagePath;
  return new NamedStorage(folder === undefined ? ownFolder(files, threadId) : resolve(folder), storageKey);
}

/** Hashed, so that threads never share a folder, whatever characters their ids contain. */
function ownFolder(files: SessionFiles, threadId: string): string {
  return join(files.temporaryFolder(), 'storage', createHash('sha256').update(threadId).digest('hex').slice(0, 32));
}
