import type { ScreencastFrame } from '@browser-toolset/core';
import { endWithProcess } from '../browser/chromium/process-end.js';
import { within } from '../browser/deadline.js';
import type { Recording } from '../browser/recorder.js';
import type { Session } from '../browser/session.js';
import { SessionScreencast } from '../live/screencast.js';
import { sourceOf } from '../live/session-source.js';
import { type Sight, Video, type VideoOptions } from './video.js';

/** How long the place of an action is marked, in milliseconds. */
const MARK_TIME = 700;
/** How long the picture of the page at the end is waited for, in milliseconds. */
const LAST_FRAME_TIME = 500;

export interface RecordingOptions extends VideoOptions {
  maxWidth: number;
  maxFps: number;
  onEnded(): Promise<void>;
}

/** Records the active tab of a session until it is stopped or the session's context goes. */
export class SessionRecording implements Recording {
  readonly #options: RecordingOptions;
  readonly #video: Video;
  readonly #stream: SessionScreencast;
  readonly #stopListening: readonly (() => void)[];
  #frame: ScreencastFrame | undefined;
  #mark: Sight['mark'];
  #unmark: NodeJS.Timeout | undefined;
  #onNextFrame: (() => void) | undefined;
  /** Undefined while it goes on. */
  #endsAt: number | undefined;
  #ended: Promise<void> | undefined;

  constructor(session: Session, options: RecordingOptions) {
    this.#options = options;
    this.#video = new Video(options);
    const { maxWidth, maxFps } = options;
    const cast = { maxWidth, maxHeight: maxWidth, minInterval: 1000 / maxFps };
    this.#stream = new SessionScreencast(sourceOf(session), cast).on('frame', frame => this.#onFrame(frame));
    this.#stopListening = [
      // What has been written stands, whatever comes; in peace there is time to complete it.
      endWithProcess({ close: () => this.stop(), abandon: () => undefined }),
      session.events.on('action', ({ point }) => point && this.#onPoint(point)),
      // Nobody wants to see how nothing happens until a session that is not used goes to sleep.
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
    this.#onNextFrame?.();
  }

  #onPoint(point: { x: number; y: number }): void {
    if (this.#endsAt !== undefined) return;
    clearTimeout(this.#unmark);
    this.#setMark(point);
    this.#unmark = setTimeout(() => this.#setMark(undefined), MARK_TIME);
  }

  #setMark(mark: Sight['mark']): void {
    this.#mark = mark;
    this.#show();
  }

  #show(): void {
    if (this.#frame === undefined) return;
    this.#video.show({ frame: this.#frame, mark: this.#mark, at: this.#endsAt ?? performance.now() });
  }

  #end(at: number): Promise<void> {
    this.#ended ??= this.#finish(at);
    return this.#ended;
  }

  async #finish(at: number): Promise<void> {
    this.#endsAt = at;
    clearTimeout(this.#unmark);
    this.#mark = undefined;
    if (this.#options.canEncode() && this.#stream.refresh())
      await within(
        LAST_FRAME_TIME,
        new Promise<void>(resolve => {
          this.#onNextFrame = resolve;
        }),
      );
    await this.#stream.stop();
    await this.#video.end(at);
    for (const stop of this.#stopListening) stop();
    await this.#options.onEnded();
  }
}
