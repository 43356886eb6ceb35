import { readFile } from 'node:fs/promises';
import type { BrowserContextOptions } from 'playwright-core';
import type { ResolvedConfig } from '../config.js';
import { plainMessage } from '../outcome/errors.js';
import { deviceNamed } from './devices.js';
import type { StorageState } from './saved-state.js';

/** Options of a context of our own making. */
export async function contextOptions(config: ResolvedConfig, storage?: StorageState): Promise<BrowserContextOptions> {
  const storageState = storage ?? (await initialStorage(config));
  return {
    viewport: config.viewport,
    acceptDownloads: true,
    ignoreHTTPSErrors: config.ignoreHTTPSErrors,
    ...definedOnly({
      ...deviceOptions(config),
      locale: config.locale,
      timezoneId: config.timezoneId,
      extraHTTPHeaders: config.headers,
      colorScheme: config.colorScheme,
      geolocation: config.geolocation,
      permissions: config.geolocation && ['geolocation'],
      proxy: config.proxy,
      storageState,
    }),
  };
}

/** What of a device only a new context can be given, beside the viewport. */
function deviceOptions({ device: name, userAgent }: ResolvedConfig): BrowserContextOptions {
  const device = name === undefined ? undefined : deviceNamed(name)?.device;
  const { deviceScaleFactor, isMobile, hasTouch } = device ?? {};
  return { userAgent: userAgent ?? device?.userAgent, deviceScaleFactor, isMobile, hasTouch };
}

/** Cookies and storage that new sessions start with. */
async function initialStorage({ storageState: path }: ResolvedConfig): Promise<StorageState | undefined> {
  if (path === undefined) return undefined;
  try {
    return JSON.parse(await readFile(path, 'utf8')) as StorageState;
  } catch (cause) {
    const reason = plainMessage(cause);
    throw new Error(`The option storageState is ${path}, which cannot be used: ${reason}`, { cause });
  }
}

/** An object without its undefined fields, which some libraries take for values. */
export function definedOnly<T extends object>(fields: T): { [K in keyof T]?: NonNullable<T[K]> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: NonNullable<T[K]>;
  };
}
