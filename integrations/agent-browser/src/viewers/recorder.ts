import { resolve } from 'node:path';
import type { ScreencastFrame } from '@browser-toolset/core';
import { within } from '@browser-toolset/core/waiting';
import type { Browser, Page } from 'playwright-core';
import { drawOnPicture } from '#live/frames/draw-on-picture.js';
import { SessionScreencast } from '#live/frames/screencast.js';
import { takeBetweenReads } from '#live/frames/secret-occurrences.js';
import type { EncoderPages } from '#live/video/encoder-pages.js';
import { Video, type VideoOptions } from '#live/video/video.js';
import type { Point } from '#page-engine/dom/geometry.js';
import { endWithProcess } from '../browser/chromium/process-end.js';
import { safeFileName } from '../browser/files/files.js';
import type { Recording } from '../browser/open-context.js';
import type { Session } from '../browser/session.js';
import type { Recorder } from '../browser/sessions.js';
import type { Tab } from '../browser/tab/tab.js';
import type { ResolvedConfig } from '../options.js';
import { plainMessage } from '../results/errors.js';
import { sourceOf } from './live-source.js';

/** In milliseconds: how long an action's position is marked. */
const MARK_MS = 700;
/** Frames still arrive meanwhile. */
const LAST_PICTURE_TIMEOUT_MS = 5_000;

interface RecordingOptions extends VideoOptions {
  maxFps: number;
  onEnded(): Promise<void>;
}

/** Records the active tab of a session until it is stopped or the session's context closes. */
class SessionRecording implements Recording {
  readonly #video: Video;
  readonly #stream: SessionScreencast;
  readonly #stopListening: readonly (() => void)[];
  /** The active tab; at the end, the last one. */
  #tab: Tab | undefined;
  #frame: ScreencastFrame | undefined;
  #point: Point | undefined;
  #unmark: NodeJS.Timeout | undefined;
  /** Undefined while recording. */
  #endsAt: number | undefined;
  #ended: Promise<void> | undefined;

  constructor(
    session: Session,
    readonly options: RecordingOptions,
  ) {
    this.#video = new Video(options);
    const { maxWidth, maxFps } = options;
    const cast = { maxWidth, maxHeight: maxWidth, minInterval: 1000 / maxFps };
    // The stream outlives the session until the last picture is taken.
    const source = { ...sourceOf(session), onClosed: () => () => undefined };
    this.#stream = new SessionScreencast(source, cast).on('frame', frame => this.#onFrame(frame));
    this.#stopListening = [
      // A killed process keeps the pictures written so far; a graceful end completes the file.
      endWithProcess({ close: () => this.stop(), abandon: () => undefined }),
      session.events.on('activePage', () => {
        this.#tab = session.activeTab;
      }),
      session.events.on('action', ({ point }) => point && this.#onPoint(point)),
      // The idle time before hibernation is cut off.
      session.events.on('closed', why => void this.#end(why === 'hibernated' ? session.lastUsed : performance.now())),
    ];
    void this.#stream.reconnect();
  }

  stop(): Promise<void> {
    return this.#end(performance.now());
  }

  #onFrame(frame: ScreencastFrame): void {
    this.#frame = frame;
    this.#show();
  }

  #onPoint(point: Point): void {
    if (this.#endsAt !== undefined) return;
    clearTimeout(this.#unmark);
    this.#setMark(point);
    this.#unmark = setTimeout(() => this.#setMark(undefined), MARK_MS);
  }

  #setMark(point: Point | undefined): void {
    this.#point = point;
    this.#show();
  }

  #show(): void {
    if (this.#frame === undefined) return;
    const { data, viewport } = this.#frame;
    const { width, height, offsetTop = 0 } = viewport;
    const mark = this.#point && { x: this.#point.x / width, y: (this.#point.y + offsetTop) / width };
    this.#video.show({ picture: data, shape: { width, height }, mark, at: this.#endsAt ?? performance.now() });
  }

  #end(at: number): Promise<void> {
    this.#ended ??= this.#finish(at);
    return this.#ended;
  }

  async #finish(at: number): Promise<void> {
    this.#endsAt = at;
    clearTimeout(this.#unmark);
    this.#point = undefined;
    const picture = await this.#lastPicture();
    await this.#stream.stop();
    if (picture !== undefined) this.#video.show({ picture, at });
    await this.#video.end(at);
    for (const stop of this.#stopListening) stop();
    await this.options.onEnded();
  }

  async #lastPicture(): Promise<string | undefined> {
    const { canEncode, encoderPage } = this.options;
    const tab = this.#tab;
    // A page with an open dialog is not rendered.
    if (tab === undefined || tab.crashed || tab.dialog !== undefined || !canEncode()) return undefined;
    const taking = lastPicture(tab, { blank: encoderPage, timeout: LAST_PICTURE_TIMEOUT_MS });
    // A page that is busy or gone has nothing newer than its last frame.
    return within(LAST_PICTURE_TIMEOUT_MS, taking).catch(() => undefined);
  }
}

const JPEG = { type: 'jpeg', quality: 80 } as const;
/** Retries of a picture because a secret moved, appeared or vanished. */
const RECORDING_TRIES = 3;

/**
 * The current page as base64 JPEG, since screencast frames lag behind and nothing reports pending ones. Undefined when
 * the position of a secret is uncertain; rejects when a step takes longer than `timeout` ms.
 */
async function lastPicture(
  { page, engine }: Tab,
  { blank, timeout }: { blank(): Promise<Page>; timeout: number },
): Promise<string | undefined> {
  const take = (): Promise<Buffer> =>
    page.screenshot({ ...JPEG, scale: 'css', animations: 'allow', caret: 'initial', timeout });
  const { secretOccurrences } = engine;
  if (secretOccurrences === undefined) return (await take()).toString('base64');
  for (let tries = 0; tries < RECORDING_TRIES; tries++) {
    const shot = await takeBetweenReads(() => secretOccurrences.read(page, { timeout }), take);
    if (!shot?.isStill) continue;
    const { picture, covers, scale } = shot;
    const data = picture.toString('base64');
    return covers.length === 0 ? data : drawOnPicture(await blank(), { data, ...JPEG }, { covers, scale });
  }
  return undefined;
}

const LONGEST_ENDING = '-99999.webm';

function videoOptions({ video, downloadsPath }: ResolvedConfig) {
  const {
    folder = downloadsPath ?? 'videos',
    maxWidth = 1280,
    maxFps = 10,
    maxMegabytes = 500,
  } = video === true || video === false ? {} : video;
  return { folder: resolve(folder), maxWidth, maxFps, maxMegabytes };
}

/** Records a video file per session, from opening or waking until it closes or hibernates. */
export class VideoRecorder implements Recorder {
  readonly #underWay = new Set<Recording>();

  constructor(readonly pages: EncoderPages) {}

  start(session: Session, browser: Browser): Recording {
    const { threadId, owner } = session;
    const time = `-${new Date().toISOString().replace(/[:.]/g, '-')}`;
    const recording = new SessionRecording(session, {
      ...videoOptions(owner.config),
      ...{ threadId, log: owner.log, name: `${safeFileName(threadId, `${time}${LONGEST_ENDING}`)}${time}` },
      encoderPage: () => this.pages.open(recording, browser, () => session.scratchPage()),
      onEncoded: picture => void this.pages.brought(recording, picture),
      canEncode: () => browser.isConnected(),
      inWords: plainMessage,
      onEnded: () => this.#left(recording),
    });
    this.#underWay.add(recording);
    return recording;
  }

  /** Ends running recordings and waits for those of closed browsers. */
  async close(): Promise<void> {
    await Promise.all([...this.#underWay].map(recording => recording.stop()));
  }

  async #left(recording: Recording): Promise<void> {
    this.#underWay.delete(recording);
    await this.pages.leave(recording);
  }
}
