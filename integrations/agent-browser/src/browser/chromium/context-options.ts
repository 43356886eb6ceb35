import { readFile } from 'node:fs/promises';
import type { BrowserContext, BrowserContextOptions } from 'playwright-core';
import type { EgressProxy } from '#egress/egress-proxy.js';
import { UrlPolicy } from '#egress/url-policy.js';
import type { ResolvedConfig } from '../../options.js';
import { badSetup, plainMessage } from '../../results/errors.js';
import type { StorageState } from '../storage/saved-state.js';
import { deviceNamed } from './devices.js';

const prepared = new WeakSet<BrowserContext>();

/** Adds the scripts of the option `initScripts` to a context: they run in every document before the page's own. */
export async function addInitScripts(context: BrowserContext, { initScripts }: ResolvedConfig): Promise<void> {
  if (initScripts.length === 0 || prepared.has(context)) return;
  const texts = await Promise.all(
    initScripts.map(script => (typeof script === 'string' ? fileOf('initScripts', script) : script.content)),
  );
  if (prepared.has(context)) return;
  prepared.add(context);
  for (const content of texts) await context.addInitScript({ content });
}

/** The content of a file that an option names. */
async function fileOf<T = string>(option: string, path: string, parse = (text: string) => text as T): Promise<T> {
  try {
    return parse(await readFile(path, 'utf8'));
  } catch (cause) {
    throw badSetup(`The option ${option} names ${path}, which cannot be read: ${plainMessage(cause)}`, cause);
  }
}

export async function contextOptions(
  config: ResolvedConfig,
  { storage, egressProxy }: { storage?: StorageState; egressProxy?: EgressProxy },
): Promise<BrowserContextOptions> {
  const storageState = storage ?? (await initialStorage(config));
  return {
    viewport: config.viewport,
    acceptDownloads: true,
    // A URL policy cannot check requests made by a service worker.
    serviceWorkers: new UrlPolicy(config.urlPolicy).needsUrls ? 'block' : 'allow',
    ignoreHTTPSErrors: config.ignoreHTTPSErrors,
    ...definedOnly({
      ...deviceOptions(config),
      locale: config.locale,
      timezoneId: config.timezoneId,
      extraHTTPHeaders: config.headers,
      colorScheme: config.colorScheme,
      geolocation: config.geolocation,
      permissions: config.geolocation && ['geolocation'],
      // An attached browser cannot reach a proxy on this machine.
      proxy: egressProxy === undefined ? config.proxy : throughProxy(egressProxy),
      storageState,
    }),
  };
}

/** Playwright proxy settings that send all traffic through the egress proxy, including loopback and link-local. */
export function throughProxy({ server }: EgressProxy): { server: string; bypass: string } {
  return { server, bypass: '<-loopback>' };
}

/** The device settings that only a new context accepts; the viewport is applied to pages. */
function deviceOptions({ device: name, userAgent }: ResolvedConfig): BrowserContextOptions {
  const device = name === undefined ? undefined : deviceNamed(name)?.device;
  const { deviceScaleFactor, isMobile, hasTouch } = device ?? {};
  return { userAgent: userAgent ?? device?.userAgent, deviceScaleFactor, isMobile, hasTouch };
}

export async function initialStorage({ storageState: path }: ResolvedConfig): Promise<StorageState | undefined> {
  return path === undefined ? undefined : fileOf('storageState', path, text => JSON.parse(text) as StorageState);
}

/** Removes undefined fields, which some libraries treat as values. */
export function definedOnly<T extends object>(fields: T): { [K in keyof T]?: NonNullable<T[K]> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: NonNullable<T[K]>;
  };
}
