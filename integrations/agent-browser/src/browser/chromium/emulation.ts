import type { BrowserContext, Page } from 'playwright-core';
import type { ResolvedConfig } from '../../options.js';
import type { OpenContext } from '../open-context.js';
import { deviceNamed, isPersonsContext, joinsContext } from './devices.js';

export type Emulated = Pick<ResolvedConfig, 'device' | 'viewport' | 'colorScheme' | 'geolocation' | 'offline'>;

/** The device settings changed at run time. They last as long as the session, across browser restarts. */
export class Emulation {
  changed: Partial<Emulated> = {};
  #isLocated = false;
  /** Pages have the configured viewport; those of a person's own browser keep their size until it is changed. */
  #isSized: boolean;
  /** The context is the default one of a thread's remote browser, so it was not created with the options. */
  isTaken = false;

  constructor(readonly config: ResolvedConfig) {
    this.#isSized = !isPersonsContext(config);
  }

  get canChangeDevice(): boolean {
    return !joinsContext(this.config);
  }

  get options(): ResolvedConfig {
    return { ...this.config, ...this.changed };
  }

  get seen(): Omit<Emulated, 'viewport'> & { viewport?: Emulated['viewport'] } {
    const { device, viewport, colorScheme, geolocation, offline } = this.options;
    return { device, viewport: this.#isSized ? viewport : undefined, colorScheme, geolocation, offline };
  }

  /** A context created from the options does not suit this session. */
  get isChanged(): boolean {
    return Object.keys(this.changed).length > 0;
  }

  change(change: Partial<Emulated>): void {
    const viewport = change.device === undefined ? undefined : deviceNamed(change.device)?.device.viewport;
    this.changed = { ...this.changed, ...(viewport && { viewport }), ...change };
  }

  /** Applies the changes that a page does not get from its context. */
  async applyToPage(page: Page): Promise<void> {
    const { colorScheme } = this.changed;
    const { viewport } = this.isTaken ? this.options : this.changed;
    if (viewport !== undefined) await page.setViewportSize(viewport);
    if (colorScheme !== undefined) await page.emulateMedia({ colorScheme });
  }

  /** Applies what the context's options could not. Called before tabs are restored, which needs the network. */
  async opened({ context, isOwn }: OpenContext): Promise<void> {
    const { geolocation, offline } = this.options;
    this.#isLocated = false;
    // A context of our own was created with the geolocation.
    if (isOwn) this.#isLocated = geolocation !== undefined;
    else await this.#locate(context);
    if (offline) await context.setOffline(true);
  }

  /** Applies changes to a running context and its pages: every setting but the device. */
  async apply({ context, pages }: { context: BrowserContext; pages: Page[] }, before: Emulated): Promise<void> {
    const { viewport, colorScheme = null, geolocation, offline } = this.options;
    const isResized = viewport.width !== before.viewport.width || viewport.height !== before.viewport.height;
    if (isResized || (!this.#isSized && this.changed.viewport !== undefined)) {
      this.#isSized = true;
      await Promise.all(pages.map(page => page.setViewportSize(viewport)));
    }
    if (colorScheme !== (before.colorScheme ?? null))
      await Promise.all(pages.map(page => page.emulateMedia({ colorScheme })));
    if (geolocation !== before.geolocation) await this.#locate(context);
    if (offline !== before.offline) await context.setOffline(offline);
  }

  async #locate(context: BrowserContext): Promise<void> {
    const { geolocation } = this.options;
    const wasLocated = this.#isLocated;
    this.#isLocated = geolocation !== undefined;
    if (geolocation !== undefined) await context.grantPermissions(['geolocation']);
    else if (wasLocated) await context.clearPermissions();
    if (this.#isLocated || wasLocated) await context.setGeolocation(geolocation ?? null);
  }
}
