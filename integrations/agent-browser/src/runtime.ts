import { Secrets } from '#egress/secrets.js';
import { EncoderPages } from '#live/video/encoder-pages.js';
import { launch as launchChromium } from './browser/chromium/launch.js';
import { SessionFiles } from './browser/files/files.js';
import type { Launch } from './browser/running-browser.js';
import { Sessions } from './browser/sessions.js';
import { BrowserStates } from './browser/storage/browser-states.js';
import type { PageReaders } from './browser/tab/page-readers.js';
import { KeptPages } from './diff/known-page.js';
import { Metrics, type SessionLog } from './observe/observation.js';
import { type BrowserToolsetConfig, parseConfig, type ResolvedConfig } from './options.js';
import { PageCapture } from './snapshot/capture.js';
import { TIMINGS, type Timings } from './timings.js';
import { LiveView } from './viewers/live-view.js';
import { VideoRecorder } from './viewers/recorder.js';

const READERS: PageReaders = {
  capture: (...of) => new PageCapture(...of),
  keptPages: () => new KeptPages(),
};

/** Counts the sessions that open and hibernate, and the pages that crash. */
function countSessions(sessions: Sessions, { counts }: Metrics): void {
  sessions.created.on(({ events }) => {
    events.on('ready', () => counts.opened++);
    events.on('closed', reason => {
      if (reason === 'hibernated') counts.hibernated++;
    });
    events.on('tabGone', (_, how) => {
      if (how === 'crashed') counts.pageCrashes++;
    });
  });
}

/**
 * The sessions of a toolset and the services they share. Independent of Mastra, which takes as long to load as Chromium
 * takes to start, so that both can happen in parallel.
 */
export class ToolsetRuntime {
  readonly config: ResolvedConfig;
  readonly secrets: Secrets;
  readonly files: SessionFiles;
  readonly metrics = new Metrics();
  readonly encoderPages = new EncoderPages();
  readonly recorder: VideoRecorder | undefined;
  readonly sessions: Sessions;
  readonly states: BrowserStates;
  readonly live: LiveView;
  /** Returns the toolset's logger. Set by the toolset once it exists. */
  logger: () => SessionLog | undefined = () => undefined;

  /**
   * @param how For tests, which share one Chromium and shorten the timings.
   * @throws TypeError that names every invalid option.
   */
  constructor(
    options: BrowserToolsetConfig = {},
    { launch = launchChromium, timings = TIMINGS }: { launch?: Launch; timings?: Timings } = {},
  ) {
    const config = parseConfig(options);
    const secrets = new Secrets(config.secrets);
    this.config = config;
    this.secrets = secrets;
    this.files = new SessionFiles(config.downloadsPath);
    this.recorder = config.video === false ? undefined : new VideoRecorder(this.encoderPages);
    this.sessions = new Sessions({
      config,
      ...{ launch, timings, readers: READERS },
      secrets,
      files: this.files,
      metrics: this.metrics,
      recorder: this.recorder,
      log: {
        debug: (message, details) => this.logger()?.debug(secrets.hide(message), secrets.hideIn(details)),
        warn: (message, details) => this.logger()?.warn(secrets.hide(message), secrets.hideIn(details)),
      },
    });
    this.states = new BrowserStates(this.sessions);
    countSessions(this.sessions, this.metrics);
    this.live = new LiveView(this.sessions);
  }

  /**
   * Starts the browser for a call that is about to open a page in it. Resolves when its process runs. If the start
   * fails, that call reports why.
   */
  async startBrowser(): Promise<void> {
    await this.sessions.startBrowser();
  }

  /** `shared` if all threads share one browser context. */
  get scope(): 'shared' | 'thread' {
    return this.sessions.isShared ? 'shared' : 'thread';
  }

  async closeThreadSession(threadId: string): Promise<void> {
    const session = this.sessions.find(threadId);
    if (session === undefined) return;
    await this.sessions.end(session);
    // Mastra's server calls this when a person closes the browser in Mastra's Studio.
    this.states.closedByUser(session);
  }

  /** Ends every session, the browser and its processes, and removes temporary folders. */
  async close(): Promise<void> {
    await this.live.dispose();
    await this.sessions.closeAll();
    await this.recorder?.close();
    for (const { person } of this.sessions.all()) person.dismiss();
    await this.files.dispose();
  }
}
