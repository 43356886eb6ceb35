import type { BrowserContext, Page } from 'playwright-core';
import type { ResolvedConfig } from '../../options.js';
import type { OpenContext } from '../open-context.js';
import { deviceNamed, isPersonsContext, joinsContext } from './devices.js';

/** The device settings that a session's pages see. */
export type Emulated = Pick<ResolvedConfig, 'device' | 'viewport' | 'colorScheme' | 'geolocation' | 'offline'>;

/**
 * What was changed of the options while a session runs. It lives as long as the session does, however often its browser
 * comes and goes meanwhile.
 */
export class Emulation {
  #changed: Partial<Emulated> = {};
  /** Pages may ask where they are. */
  #isLocated = false;
  /** Pages have the size that the options say. Those of a person's own browser have theirs until it is changed. */
  #isSized: boolean;
  /** The context is the one that a thread's remote browser came with: it was not made with the options. */
  isTaken = false;

  constructor(readonly config: ResolvedConfig) {
    this.#isSized = !isPersonsContext(config);
  }

  /** The device of a context that the browser came with is its own. */
  get canChangeDevice(): boolean {
    return !joinsContext(this.config);
  }

  /** The options with what was changed. */
  get options(): ResolvedConfig {
    return { ...this.config, ...this.#changed };
  }

  /** The settings that pages see, as far as they are known. */
  get seen(): Omit<Emulated, 'viewport'> & { viewport?: Emulated['viewport'] } {
    const { device, viewport, colorScheme, geolocation, offline } = this.options;
    return {
      ...(device !== undefined && { device }),
      ...(this.#isSized && { viewport }),
      ...(colorScheme !== undefined && { colorScheme }),
      ...(geolocation !== undefined && { geolocation }),
      offline,
    };
  }

  /** Contexts that were made with the options alone are not like those of this session. */
  get isChanged(): boolean {
    return Object.keys(this.#changed).length > 0;
  }

  /** Notes a change. A device brings its viewport. */
  change(change: Partial<Emulated>): void {
    const viewport = change.device === undefined ? undefined : deviceNamed(change.device)?.device.viewport;
    this.#changed = { ...this.#changed, ...(viewport && { viewport }), ...change };
  }

  /** The changed settings, for another process that goes on with the session. */
  get changed(): Partial<Emulated> {
    return this.#changed;
  }

  /** Takes over what was changed in another process. */
  restore(changed: Partial<Emulated> = {}): void {
    this.#changed = changed;
  }

  reset(): void {
    this.#changed = {};
  }

  /** Gives a page what its context may not have given it. */
  async applyToPage(page: Page): Promise<void> {
    const { colorScheme } = this.#changed;
    const { viewport } = this.isTaken ? this.options : this.#changed;
    if (viewport !== undefined) await page.setViewportSize(viewport);
    if (colorScheme !== undefined) await page.emulateMedia({ colorScheme });
  }

  /** Gives a context that has just been opened what its options do not. What is brought back may need the network. */
  async opened({ context, isOwn }: OpenContext): Promise<void> {
    const { geolocation, offline } = this.options;
    this.#isLocated = false;
    // A context of our own was made with it.
    if (isOwn) this.#isLocated = geolocation !== undefined;
    else await this.#locate(context);
    if (offline) await context.setOffline(true);
  }

  /** Gives a context and its pages what has changed since, as far as it can be given while they run: all but the device. */
  async apply({ context, pages }: { context: BrowserContext; pages: Page[] }, before: Emulated): Promise<void> {
    const { viewport, colorScheme = null, geolocation, offline } = this.options;
    const isResized = viewport.width !== before.viewport.width || viewport.height !== before.viewport.height;
    if (isResized || (!this.#isSized && this.#changed.viewport !== undefined)) {
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
