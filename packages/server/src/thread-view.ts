import type { ClientMessage, ControlState, LiveViewport, ServerMessage } from '@browser-toolset/core/protocol';
import { Cast, DEFAULT_PICTURE, type Picture } from './cast.js';
import { ControlHandover, controlStateOf, FREE_LEASE, type LeaseEvent, leaseAfter } from './control.js';
import { extrasNow, followExtras } from './extras.js';
import { type LiveThread, nameOf } from './live-browser.js';
import type { ThreadSurroundings } from './thread-surroundings.js';
import { VideoFeed } from './video-feed.js';
import { type FrameForm, Viewer, type ViewerOptions } from './viewer.js';
import { handleMessage } from './viewer-messages.js';

/** Settles in each of its parts once the browser knows that nobody watches any more. */
export interface ThreadEnding {
  cast: Promise<unknown>;
  control: Promise<unknown>;
}

export interface ThreadViewOptions {
  thread: LiveThread;
  surroundings: ThreadSurroundings;
  /** How the view of before has ended. */
  before: ThreadEnding | undefined;
  /** The last viewer has left. */
  onEmpty(ending: ThreadEnding): void;
}

/** A thread while somebody watches it: its viewers, the cast they share, and who of them drives. */
export class ThreadView {
  readonly thread: LiveThread;
  readonly surroundings: ThreadSurroundings;
  readonly #viewers = new Set<Viewer>();
  readonly #cast: Cast;
  readonly #feed: VideoFeed;
  readonly #handover: ControlHandover;
  readonly #onEmpty: (ending: ThreadEnding) => void;
  #unfollow: () => void = () => undefined;
  #lease = FREE_LEASE;
  #isStarted = false;

  constructor({ thread, surroundings, before, onEmpty }: ThreadViewOptions) {
    const { log, metrics } = surroundings;
    this.thread = thread;
    this.surroundings = surroundings;
    this.#onEmpty = onEmpty;
    this.#handover = new ControlHandover(thread, before?.control ?? Promise.resolve(), log);
    this.#feed = new VideoFeed({
      ...{ thread, metrics, log },
      isShared: () => this.#viewersOfJpeg().length > 0,
      onFailed: () => this.#fallBack(),
    });
    this.#cast = new Cast({
      thread,
      ready: before?.cast ?? Promise.resolve(),
      log,
      listener: {
        onStatus: status => this.#tellAll({ status }),
        onUrl: url => this.#tellAll({ url }),
        onFrame: frame => {
          metrics.framesTaken += 1;
          for (const viewer of this.#viewers) if (viewer.line === undefined) viewer.outbox.show(frame);
        },
        onStream: stream => this.#feed.follow(stream),
      },
    });
  }

  get viewerCount(): number {
    return this.#viewers.size;
  }

  /** Id of the viewer that drives; undefined while it is the agent. */
  get holder(): string | undefined {
    return this.#lease.holder;
  }

  /** The viewport of the frames; undefined while there are none. */
  get viewport(): LiveViewport | undefined {
    return this.#cast.viewport;
  }

  join(options: ViewerOptions): void {
    const viewer = new Viewer(options, this.thread, this.surroundings);
    this.#viewers.add(viewer);
    viewer.listen({
      onMessage: (from, message) => this.#onMessage(from, message),
      onArrived: ({ line }) => {
        if (line !== undefined) this.#feed.onReady(line);
      },
      onClosed: left => this.#leave(left),
    });
    this.#welcome(viewer, options.frames);
    this.#tellAll({ viewers: this.#viewers.size });
    this.adjustPicture();
    if (!this.#isStarted) this.#start();
  }

  /** Whether a viewer's input may reach the page: the agent's own work does not keep it away, another person does. */
  mayAct(viewerId: string | undefined): boolean {
    return this.#lease.holder === undefined || this.#lease.holder === viewerId;
  }

  changeLease(event: LeaseEvent): void {
    const before = this.#lease;
    this.#lease = leaseAfter(before, event);
    if (this.#lease === before) return;
    const { holder } = this.#lease;
    if (holder !== before.holder) {
      for (const viewer of this.#viewers) if (viewer.id !== holder) viewer.gate.release();
      void this.#handover.to(holder === undefined ? 'agent' : 'human');
    }
    for (const viewer of this.#viewers) viewer.outbox.tell({ control: this.#controlOf(viewer) });
  }

  /** Makes the cast what its most demanding viewer wants. */
  adjustPicture(): void {
    if (this.#viewers.size === 0) return;
    this.#cast.want(this.#pictureWanted());
    for (const { line, settings } of this.#viewers) if (line !== undefined) this.#feed.change(line, settings);
  }

  /** Frames that are only encoded lose some of it: they begin with more. Viewers of JPEG get what they would alone. */
  #pictureWanted(): Picture {
    const viewers = [...this.#viewers];
    const { maxWidth } = greatest(viewers.map(({ settings }) => settings));
    const ofJpeg = this.#viewersOfJpeg();
    const { quality } = greatest(
      ofJpeg.length > 0
        ? ofJpeg.map(({ settings }) => settings)
        : viewers.map(({ settings }) => ({ quality: ENCODED_QUALITY, ...settings })),
    );
    return { quality, maxWidth };
  }

  #viewersOfJpeg(): Viewer[] {
    return [...this.#viewers].filter(({ line }) => line === undefined);
  }

  requestKey({ line }: Viewer): void {
    if (line !== undefined) this.#feed.requestKey(line);
  }

  ping(): void {
    for (const viewer of this.#viewers) viewer.ping();
  }

  closeAll(code: number, reason: string): void {
    for (const viewer of this.#viewers) viewer.close(code, reason);
  }

  #start(): void {
    this.#isStarted = true;
    this.#unfollow = followExtras(this.thread, message => this.#tellAll(message));
    this.#cast.start();
  }

  #welcome(viewer: Viewer, frames: FrameForm): void {
    const { outbox } = viewer;
    const { status, url } = this.#cast;
    outbox.tell({ status: 'connected' });
    outbox.tell({ control: this.#controlOf(viewer) });
    for (const message of extrasNow(this.thread)) outbox.tell(message);
    if (status !== 'connected') outbox.tell({ status });
    if (url !== undefined) outbox.tell({ url });
    if (frames === 'video' && this.#feed.isSupported) viewer.watch(this.#feed);
    else if (frames === 'video') this.#showInstead(viewer);
    else this.#showLatest(viewer);
  }

  #controlOf({ id, mayControl }: Viewer): ControlState {
    const mayResize = this.thread.source.resize !== undefined;
    return controlStateOf(this.#lease, { id, mayControl, mayResize });
  }

  #showLatest({ outbox }: Viewer): void {
    const frame = this.#cast.latestFrame();
    if (frame !== undefined) outbox.show(frame);
  }

  /** Shows JPEG to all who watched the video. */
  #fallBack(): void {
    for (const viewer of this.#viewers) {
      if (viewer.line === undefined) continue;
      viewer.unwatch(this.#feed);
      this.#showInstead(viewer);
    }
  }

  #showInstead(viewer: Viewer): void {
    viewer.refuse('video_not_supported', NO_VIDEO);
    this.#showLatest(viewer);
  }

  #onMessage(viewer: Viewer, message: ClientMessage): void {
    // A closed connection may still have messages in store.
    if (!this.#viewers.has(viewer)) return;
    handleMessage(this, viewer, message).catch((error: unknown) => {
      this.surroundings.log('message', `${nameOf(this.thread)} failed at ${message.type}: ${String(error)}`);
      viewer.refuse('browser_error', `It failed: ${error instanceof Error ? error.message : String(error)}`);
    });
  }

  #leave(viewer: Viewer): void {
    if (!this.#viewers.delete(viewer)) return;
    viewer.gate.release();
    viewer.unwatch(this.#feed);
    this.changeLease({ action: 'leave', viewer: viewer.id });
    this.#tellAll({ viewers: this.#viewers.size });
    if (this.#viewers.size > 0) this.adjustPicture();
    else this.#dispose();
  }

  #dispose(): void {
    this.#unfollow();
    this.#onEmpty({ cast: Promise.all([this.#feed.stop(), this.#cast.stop()]), control: this.#handover.to('agent') });
  }

  #tellAll(message: ServerMessage): void {
    for (const viewer of this.#viewers) viewer.outbox.tell(message);
  }
}

/** JPEG quality of frames that are encoded as video. */
const ENCODED_QUALITY = 92;
const NO_VIDEO = 'This browser encodes no video here: frames come as JPEG, in binary messages.';

/** The most that anybody wants. */
function greatest(wishes: readonly Partial<Picture>[]): Picture {
  const most = (of: keyof Picture) => Math.max(...wishes.map(wish => wish[of] ?? DEFAULT_PICTURE[of]));
  return { quality: most('quality'), maxWidth: most('maxWidth') };
}
