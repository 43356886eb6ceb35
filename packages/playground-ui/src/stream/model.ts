import type {
  ClientMessageInput,
  LiveVideo,
  LiveViewport,
  ServerMessage,
  VideoMessage,
} from '@browser-toolset/core/protocol';
import type { ViewportSize } from '../input/geometry.js';
import type { BrowserStreamAddress } from './address.js';
import { BrowserStreamClient, type FrameData, type OutgoingMessage } from './client.js';
import { BrowserRequestError, type NavigateRequest, type TabRequest } from './requests.js';
import { applyMessage, type BrowserStreamState, canTake, INITIAL_STATE } from './state.js';
import type { Connection, SocketConstructor } from './transport.js';

/** One picture of the page. */
export interface StreamFrame {
  data: FrameData;
  /** The viewport of the picture; undefined for a server that says it later. */
  viewport: LiveViewport | undefined;
}

/** One picture of a video. */
export interface StreamChunk {
  chunk: VideoMessage;
  /** How it is decoded; the same object until that changes. */
  config: LiveVideo;
  /** The viewport of the picture; undefined for a server that says it later. */
  viewport: LiveViewport | undefined;
}

/** How much the server sends, measured over the last two seconds. */
export interface StreamTraffic {
  bytesPerSecond: number;
  framesPerSecond: number;
}

export type StreamSettings = Omit<Extract<ClientMessageInput, { type: 'settings' }>, 'type'>;

export interface BrowserStreamOptions extends BrowserStreamAddress {
  /** The settings that this viewer wants for its frames; sent at each connection. */
  settings?: StreamSettings | undefined;
  /**
   * What the server is asked for: `video` needs a fraction of the bytes, `jpeg` is a picture for each change. `auto` is
   * video where this window can decode it, in a secure context with WebCodecs. A server without video sends JPEG, and so
   * does one whose video could not be decoded: `stream.frames` says what comes.
   *
   * @default 'auto'
   */
  frames?: 'auto' | 'video' | 'jpeg' | undefined;
  /** @default WebSocket of the window */
  WebSocket?: SocketConstructor | undefined;
  /** @default fetch of the window */
  fetch?: typeof globalThis.fetch | undefined;
}

/** Milliseconds over which traffic is measured. */
const TRAFFIC_MS = 2000;

/**
 * One browser as one viewer sees it: its state for `useSyncExternalStore`, its frames, and what the viewer can do.
 * It holds no connection until `start`, and may be started again after `stop`.
 *
 * Invariant: latest frame wins. Frames are no part of the state, so that none of them renders a component.
 */
export class BrowserStreamModel {
  readonly #client: BrowserStreamClient;
  readonly #settings: StreamSettings | undefined;
  readonly #listeners = new Set<() => void>();
  readonly #frameListeners = new Set<(frame: StreamFrame) => void>();
  readonly #chunkListeners = new Set<(chunk: StreamChunk) => void>();
  #state = INITIAL_STATE;
  #frame: StreamFrame | undefined;
  #wantsVideo: boolean;
  #config: LiveVideo | undefined;
  /** What came lately, oldest first. */
  #traffic: { at: number; bytes: number; isFrame: boolean }[] = [];

  constructor({ settings, frames = 'auto', WebSocket, fetch, ...address }: BrowserStreamOptions) {
    this.#settings = settings;
    this.#wantsVideo = frames !== 'jpeg' && 'VideoDecoder' in globalThis;
    this.#client = new BrowserStreamClient({
      address,
      WebSocket,
      fetch,
      viewer: () => this.#state.control?.viewer,
      wantsVideo: () => this.#wantsVideo,
      handlers: {
        onConnection: connection => this.#onConnection(connection),
        onMessage: message => this.#onMessage(message),
        onFrame: data => this.#onFrame(data),
        onChunk: chunk => this.#onChunk(chunk),
        onTraffic: bytes => this.#count({ bytes, isFrame: false }),
      },
    });
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly getSnapshot = (): BrowserStreamState => this.#state;

  /** Calls back with each JPEG, and at once with the one that is shown now. Returns the way to stop. */
  onFrame(listener: (frame: StreamFrame) => void): () => void {
    this.#frameListeners.add(listener);
    if (this.#frame !== undefined) listener(this.#frame);
    return () => this.#frameListeners.delete(listener);
  }

  /** Calls back with each chunk of video, a key picture soon. Returns the way to stop. */
  onChunk(listener: (chunk: StreamChunk) => void): () => void {
    this.#chunkListeners.add(listener);
    if (this.#state.frames === 'video') this.requestKeyframe();
    return () => this.#chunkListeners.delete(listener);
  }

  /** Asks for a picture that can be decoded without those before it. */
  requestKeyframe(): void {
    this.send({ type: 'keyframe' });
  }

  /** Goes on with JPEG, in a new connection: this window cannot decode the video. */
  giveUpVideo(): void {
    if (!this.#wantsVideo) return;
    this.#wantsVideo = false;
    if (this.#state.connection.phase === 'idle') return;
    this.stop();
    this.start();
  }

  /** How much came over the last two seconds. */
  traffic(): StreamTraffic {
    this.#forgetTraffic();
    const seconds = TRAFFIC_MS / 1000;
    const bytes = this.#traffic.reduce((sum, each) => sum + each.bytes, 0);
    const frames = this.#traffic.filter(({ isFrame }) => isFrame).length;
    return { bytesPerSecond: bytes / seconds, framesPerSecond: frames / seconds };
  }

  /** Connects, at once when it waits to. */
  start(): void {
    this.#client.connect();
  }

  stop(): void {
    this.#client.disconnect();
  }

  /** Answers false when there is no connection. */
  send(message: OutgoingMessage): boolean {
    return this.#client.send(message);
  }

  /** Takes control from the agent; asks for it while another person has it. */
  takeControl(): void {
    this.send({ type: 'control', action: 'take' });
  }

  /** Lets the agent go on, or a person who asks for control have it. */
  releaseControl(): void {
    this.send({ type: 'control', action: 'release' });
  }

  /** Refuses the person who asks for control. */
  denyControl(): void {
    this.send({ type: 'control', action: 'deny' });
  }

  /** Answers the question that the agent's run waits with. */
  answer(answer: string): void {
    const { question } = this.#state;
    if (question !== undefined) this.send({ type: 'answer', id: question.id, answer });
  }

  /** Answers the dialog that the page waits with; `text` is for a prompt. */
  answerDialog(accept: boolean, text?: string): void {
    if (this.#state.dialog !== undefined) this.send({ type: 'dialog', accept, ...(text !== undefined && { text }) });
  }

  relaunch(): void {
    this.#set({ error: undefined });
    this.send({ type: 'relaunch' });
  }

  /** Brings the active tab to a url or through its history; takes control first. False when it was refused: see `error`. */
  navigate(request: NavigateRequest): Promise<boolean> {
    return this.#command(() => this.#client.requests.navigate(request));
  }

  /** Switches, opens or closes a tab; takes control first. False when it was refused: see `error`. */
  changeTabs(request: TabRequest): Promise<boolean> {
    return this.#command(() => this.#client.requests.changeTabs(request));
  }

  /** Ends the thread's browser; takes control first. False when it was refused: see `error`. */
  closeBrowser(): Promise<boolean> {
    return this.#command(() => this.#client.requests.close());
  }

  /** Gives the thread's pages another viewport, in whole CSS pixels; the agent keeps control. False when it was refused: see `error`. */
  resize(viewport: ViewportSize): Promise<boolean> {
    return this.#attempt(() => this.#client.requests.resize(viewport));
  }

  dismissError(): void {
    this.#set({ error: undefined });
  }

  #command(run: () => Promise<void>): Promise<boolean> {
    return this.#attempt(async () => {
      await this.#haveControl();
      await run();
    });
  }

  async #attempt(run: () => Promise<void>): Promise<boolean> {
    try {
      await run();
      return true;
    } catch (cause) {
      if (!(cause instanceof BrowserRequestError)) throw cause;
      this.#set({ error: { error: cause.code ?? 'request_failed', message: cause.message } });
      return false;
    }
  }

  /** The server acts on requests of who holds control alone, and says on the stream who does. */
  async #haveControl(): Promise<void> {
    const { control } = this.#state;
    if (control === undefined || control.isYou) return;
    if (!canTake(this.#state)) throw new BrowserRequestError('Someone else is in control.', 0, 'human_in_control');
    this.#set({ error: undefined });
    this.takeControl();
    await this.#until(state => state.control?.isYou === true || state.error !== undefined || !canTake(state));
    const { error } = this.#state;
    if (this.#state.control?.isYou) return;
    throw new BrowserRequestError(error?.message ?? 'Control was not granted.', 0, error?.error);
  }

  async #until(condition: (state: BrowserStreamState) => boolean): Promise<void> {
    await new Promise<void>(resolve => {
      const unsubscribe = this.subscribe(() => {
        if (!condition(this.#state)) return;
        unsubscribe();
        resolve();
      });
    });
  }

  #onConnection(connection: Connection): void {
    if (connection.phase === 'open') {
      // A server tells of what waits for an answer, and not of what was answered meanwhile.
      const unknown = { status: undefined, control: undefined, dialog: undefined, question: undefined };
      this.#set({ connection, ...unknown, error: undefined });
      if (this.#settings !== undefined) this.send({ type: 'settings', ...this.#settings });
    } else this.#set({ connection });
  }

  #onMessage(message: ServerMessage): void {
    const change = applyMessage(this.#state, message);
    if (change.hasFrame === false) this.#frame = undefined;
    if ('video' in message) this.#config = message.video;
    this.#set(change);
  }

  #onFrame(data: FrameData): void {
    const frame = { data, viewport: this.#state.viewport };
    this.#frame = frame;
    this.#hasFrame('jpeg');
    for (const listener of [...this.#frameListeners]) listener(frame);
  }

  #onChunk(chunk: VideoMessage): void {
    if (this.#config === undefined) return;
    this.#hasFrame('video');
    const picture = { chunk, config: this.#config, viewport: this.#state.viewport };
    for (const listener of [...this.#chunkListeners]) listener(picture);
  }

  #hasFrame(frames: 'video' | 'jpeg'): void {
    this.#count({ bytes: 0, isFrame: true });
    if (!this.#state.hasFrame || this.#state.frames !== frames) this.#set({ hasFrame: true, frames });
  }

  #count(came: { bytes: number; isFrame: boolean }): void {
    this.#forgetTraffic();
    this.#traffic.push({ at: performance.now(), ...came });
  }

  #forgetTraffic(): void {
    const begin = performance.now() - TRAFFIC_MS;
    const first = this.#traffic.findIndex(({ at }) => at > begin);
    if (first !== 0) this.#traffic.splice(0, first === -1 ? this.#traffic.length : first);
  }

  #set(change: Partial<BrowserStreamState>): void {
    this.#state = { ...this.#state, ...change };
    for (const listener of [...this.#listeners]) listener();
  }
}
