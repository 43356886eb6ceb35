import type { Browser, BrowserContext } from 'playwright-core';
import type { ResolvedConfig } from '../config.js';
import type { Door } from '../network/door.js';
import type { Doors } from '../network/doors.js';
import type { Metrics } from '../observe/metrics.js';
import type { SessionLog } from '../outcome/log.js';
import type { Secrets } from '../policy/secrets.js';
import type { ChromiumProcess } from './chromium/chromium-process.js';
import type { SessionFiles } from './files/files.js';
import type { GuardedContext, SpareContext } from './spare-context.js';
import type { EngineClient } from './tab/engine.js';

/** A browser that is running, launched or attached to. */
export interface RunningBrowser {
  browser: Browser;
  /** The context that the browser came with: a profile's, or the default one of a remote browser. */
  ownContext: BrowserContext | null;
  engine: EngineClient;
  /** It was started here and goes with the host. */
  isLaunched: boolean;
  /** The id of the default context of a browser that was attached to; no other browser has it. */
  contextId?: string;
  /** A context that nobody uses yet. */
  spare: SpareContext;
  /** How many pages that did not answer were closed to get in; to be told once. */
  takeClosedPages(): number;
  /** The way out of the context that the browser came with. A browser that was attached to has its own. */
  ownDoor?: Door;
  /** A way out for one more context, until it or the browser is closed; a browser that was attached to has its own. */
  openDoor(): Promise<Door | undefined>;
}

/** A browser that has started, and how it ends. */
export interface Started extends Omit<RunningBrowser, 'engine' | 'spare' | 'takeClosedPages' | 'openDoor'> {
  spare?: GuardedContext;
  /** Pages that did not answer and were closed to get in. */
  closedPages?: number;
  /** Ways out of its contexts. */
  doors?: Doors;
  /** Asks it to end, or lets go of one that was attached to. */
  stop(parting?: Parting): Promise<void>;
  /** Where it was launched here and its process could be noted. */
  chromium?: ChromiumProcess;
}

/** Why a browser is let go of: nobody here needs it any more, or another process goes on with it. */
export type Parting = 'done' | 'handed on';

/** A start under way. */
export interface Attempt {
  isCancelled: boolean;
  /** Ends what has been started so far. */
  kill(): void;
  /** Called when its process runs. */
  noteProcess(): void;
}

/** Starts a Chromium for a toolset's options. */
export type Launch = (config: ResolvedConfig, attempt: Attempt) => Promise<Started>;

/** The parts of the toolset that a host needs. */
export interface HostOwner {
  readonly launch: Launch;
  readonly config: ResolvedConfig;
  readonly log: SessionLog;
  readonly files: SessionFiles;
  readonly secrets: Secrets;
  readonly metrics: Metrics;
}
