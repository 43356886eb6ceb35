import type {
  BrowserLiveControls,
  LiveAction,
  LiveDialog,
  LiveDialogAnswer,
  LiveQuestion,
  LiveSession,
  LiveTab,
  TouchEventInput,
} from '../browser-live-controls.js';
import type {
  BrowserToolsetLike,
  KeyboardEventInput,
  MouseEventInput,
  ScreencastFrame,
  ScreencastOptions,
  ScreencastStream,
} from '../browser-toolset-like.js';
import type { ViewportSize } from '../viewport-bounds.js';
import { FAKE_FRAME } from './fake-frame.js';
import { FakeStream } from './fake-stream.js';
import { FakeThread } from './fake-thread.js';
import { ThreadCallbacks } from './thread-callbacks.js';

const DEFAULT_THREAD = 'default';

/** An event that somebody injected into the fake. */
export type InjectedEvent =
  | { kind: 'mouse'; threadId: string; event: MouseEventInput }
  | { kind: 'keyboard'; threadId: string; event: KeyboardEventInput }
  | { kind: 'touch'; threadId: string; event: TouchEventInput }
  | { kind: 'text'; threadId: string; text: string }
  | { kind: 'release'; threadId: string };

/**
 * A browser toolset without a browser, for tests of what shows or drives one. It does only what a test tells it to:
 * `open` a thread, `emitFrame`, `emitError`, `emitAction`, `ask`, `closeThread`; it keeps what was injected in `injected`.
 *
 * @example
 * const browser = new FakeBrowserToolset();
 * browser.open('thread-1', 'https://shop.example/');
 * browser.emitFrame('thread-1');
 */
export class FakeBrowserToolset<Tool = never> implements BrowserToolsetLike<Tool>, BrowserLiveControls {
  readonly tools: Readonly<Record<string, Tool>>;
  /** The injected events, oldest first. */
  readonly injected: InjectedEvent[] = [];
  /** The options of each screencast that was asked for, oldest first. */
  readonly screencasts: ScreencastOptions[] = [];
  /** Threads that a person drives. */
  readonly takenOver = new Set<string>();
  /** Viewports that threads were given. */
  readonly viewports = new Map<string, ViewportSize>();
  /** How many of the next screencasts fail to start. */
  screencastsToFail = 0;
  readonly #threads = new Map<string, FakeThread>();
  /** Last url of threads that are closed. */
  readonly #closedThreads = new Map<string, string>();
  readonly #questions = new Map<string, LiveQuestion>();
  readonly #ready = new ThreadCallbacks();
  readonly #closed = new ThreadCallbacks();
  readonly #tabsChanged = new ThreadCallbacks();
  readonly #actions = new ThreadCallbacks<LiveAction>();
  readonly #questionChanged = new ThreadCallbacks();
  /** Answers to dialogs, oldest first. */
  readonly dialogAnswers: LiveDialogAnswer[] = [];
  readonly #dialogs = new Map<string, LiveDialog>();
  readonly #dialogChanged = new ThreadCallbacks();
  readonly #controlChanged = new ThreadCallbacks();

  constructor(tools: Readonly<Record<string, Tool>> = {}) {
    this.tools = tools;
  }

  /** Makes the thread's browser show a url; starts it when it is not running. */
  open(threadId: string, url: string): void {
    const thread = this.#threads.get(threadId);
    if (thread) {
      this.#change(threadId, () => thread.visit(url));
      return;
    }
    this.#threads.set(threadId, new FakeThread(url));
    this.#ready.notify(threadId);
    this.#tabsChanged.notify(threadId);
  }

  /** Closes one thread's browser. */
  closeThread(threadId: string): void {
    const thread = this.#threads.get(threadId);
    if (!thread) return;
    this.#threads.delete(threadId);
    this.#closedThreads.set(threadId, thread.url);
    for (const stream of [...thread.streams]) stream.end('browser_closed');
    this.#closed.notify(threadId);
    this.#tabsChanged.notify(threadId);
  }

  /** Ends the streams of a thread whose browser runs on. */
  breakStreams(threadId = DEFAULT_THREAD): void {
    for (const stream of [...this.#running(threadId).streams]) stream.end('broken');
  }

  /** Tells what the agent does. */
  emitAction(action: LiveAction): void {
    this.#actions.notify(action.threadId, action);
  }

  /** Lets the page open a dialog. */
  openDialog(threadId: string, dialog: LiveDialog): void {
    this.#dialogs.set(threadId, dialog);
    this.#dialogChanged.notify(threadId);
  }

  /** Lets the agent ask a question; without one, the question is answered. */
  ask(threadId: string, question?: LiveQuestion): void {
    if (question) this.#questions.set(threadId, question);
    else this.#questions.delete(threadId);
    this.#questionChanged.notify(threadId);
  }

  /** Sends a frame to every stream of a thread. */
  emitFrame(threadId = DEFAULT_THREAD, frame: ScreencastFrame = FAKE_FRAME): void {
    for (const stream of [...this.#running(threadId).streams]) stream.emitFrame(frame);
  }

  /** Sends an error to every stream of a thread. */
  emitError(error: Error, threadId = DEFAULT_THREAD): void {
    for (const stream of [...this.#running(threadId).streams]) stream.emitError(error);
  }

  /** How many streams of a thread are open. */
  streamCount(threadId = DEFAULT_THREAD): number {
    return this.#threads.get(threadId)?.streams.size ?? 0;
  }

  isBrowserRunning(threadId?: string): boolean {
    return threadId === undefined ? this.#threads.size > 0 : this.#threads.has(threadId);
  }

  onBrowserReady(callback: () => void, threadId?: string): () => void {
    const unsubscribe = this.#ready.add(callback, threadId);
    if (this.isBrowserRunning(threadId)) callback();
    return unsubscribe;
  }

  onBrowserClosed(callback: () => void, threadId?: string): () => void {
    return this.#closed.add(callback, threadId);
  }

  async startScreencast(options: ScreencastOptions = {}): Promise<ScreencastStream> {
    const threadId = options.threadId ?? DEFAULT_THREAD;
    this.screencasts.push(options);
    if (this.screencastsToFail > 0) {
      this.screencastsToFail -= 1;
      throw new Error('Not attached to an active page');
    }
    if (!this.#threads.has(threadId)) this.open(threadId, 'about:blank');
    const { streams } = this.#running(threadId);
    const stream = new FakeStream(FAKE_FRAME, ended => streams.delete(ended));
    streams.add(stream);
    return stream;
  }

  async startScreencastIfBrowserActive(options: ScreencastOptions = {}): Promise<ScreencastStream | null> {
    return this.isBrowserRunning(options.threadId ?? DEFAULT_THREAD) ? this.startScreencast(options) : null;
  }

  async getCurrentUrl(threadId = DEFAULT_THREAD): Promise<string | null> {
    return this.#threads.get(threadId)?.url ?? null;
  }

  async injectMouseEvent(event: MouseEventInput, threadId = DEFAULT_THREAD): Promise<void> {
    this.#running(threadId);
    this.injected.push({ kind: 'mouse', threadId, event });
  }

  async injectKeyboardEvent(event: KeyboardEventInput, threadId = DEFAULT_THREAD): Promise<void> {
    this.#running(threadId);
    this.injected.push({ kind: 'keyboard', threadId, event });
  }

  async injectTouchEvent(event: TouchEventInput, threadId = DEFAULT_THREAD): Promise<void> {
    this.#running(threadId);
    this.injected.push({ kind: 'touch', threadId, event });
  }

  async insertText(text: string, threadId = DEFAULT_THREAD): Promise<void> {
    this.#running(threadId);
    this.injected.push({ kind: 'text', threadId, text });
  }

  async releaseInput(threadId = DEFAULT_THREAD): Promise<void> {
    this.injected.push({ kind: 'release', threadId });
  }

  liveSessions(): readonly LiveSession[] {
    const open = [...this.#threads].map(([threadId, { url }]) => ({ threadId, isOpen: true, url, title: '' }));
    const closed = [...this.#closedThreads]
      .filter(([threadId]) => !this.#threads.has(threadId))
      .map(([threadId, url]) => ({ threadId, isOpen: false, url, title: '' }));
    return [...open, ...closed];
  }

  async launch(threadId = DEFAULT_THREAD): Promise<void> {
    if (!this.#threads.has(threadId)) this.open(threadId, 'about:blank');
  }

  async closeThreadSession(threadId: string): Promise<void> {
    this.closeThread(threadId);
  }

  liveTabs(threadId = DEFAULT_THREAD): readonly LiveTab[] {
    return this.#threads.get(threadId)?.tabs ?? [];
  }

  onTabsChanged(callback: () => void, threadId?: string): () => void {
    return this.#tabsChanged.add(callback, threadId);
  }

  async openTab(url: string | undefined, threadId = DEFAULT_THREAD): Promise<void> {
    this.#change(threadId, thread => thread.openTab(url ?? 'about:blank'));
  }

  async switchTab(tab: string, threadId = DEFAULT_THREAD): Promise<void> {
    this.#change(threadId, thread => thread.switchTab(tab));
  }

  async closeTab(tab: string, threadId = DEFAULT_THREAD): Promise<void> {
    this.#change(threadId, thread => thread.closeTab(tab));
  }

  async visit(url: string, threadId = DEFAULT_THREAD): Promise<void> {
    this.#change(threadId, thread => thread.visit(url));
  }

  async travel(direction: 'back' | 'forward' | 'reload', threadId = DEFAULT_THREAD): Promise<void> {
    this.#change(threadId, thread => thread.travel(direction));
  }

  async resize(viewport: ViewportSize, threadId = DEFAULT_THREAD): Promise<void> {
    this.#running(threadId);
    this.viewports.set(threadId, viewport);
  }

  async takeControl(threadId = DEFAULT_THREAD): Promise<void> {
    if (this.takenOver.has(threadId)) return;
    this.takenOver.add(threadId);
    this.#controlChanged.notify(threadId);
  }

  async releaseControl(threadId = DEFAULT_THREAD): Promise<void> {
    if (this.takenOver.delete(threadId)) this.#controlChanged.notify(threadId);
  }

  isControlled(threadId = DEFAULT_THREAD): boolean {
    return this.takenOver.has(threadId);
  }

  onControlChanged(callback: () => void, threadId?: string): () => void {
    return this.#controlChanged.add(callback, threadId);
  }

  onAction(callback: (action: LiveAction) => void, threadId?: string): () => void {
    return this.#actions.add(callback, threadId);
  }

  liveDialog(threadId = DEFAULT_THREAD): LiveDialog | undefined {
    return this.#dialogs.get(threadId);
  }

  onDialogChanged(callback: () => void, threadId?: string): () => void {
    return this.#dialogChanged.add(callback, threadId);
  }

  async answerDialog(answer: LiveDialogAnswer, threadId = DEFAULT_THREAD): Promise<void> {
    if (!this.#dialogs.delete(threadId)) throw new Error('No dialog is open.');
    this.dialogAnswers.push(answer);
    this.#dialogChanged.notify(threadId);
  }

  liveQuestion(threadId = DEFAULT_THREAD): LiveQuestion | undefined {
    return this.#questions.get(threadId);
  }

  onQuestionChanged(callback: () => void, threadId?: string): () => void {
    return this.#questionChanged.add(callback, threadId);
  }

  async close(): Promise<void> {
    for (const threadId of [...this.#threads.keys()]) this.closeThread(threadId);
  }

  /** Changes what a thread shows, and shows it. */
  #change(threadId: string, change: (thread: FakeThread) => void): void {
    const thread = this.#running(threadId);
    const before = thread.url;
    change(thread);
    for (const stream of [...thread.streams]) {
      if (thread.url !== before) stream.emitUrl(thread.url);
      stream.emitFrame(FAKE_FRAME);
    }
    this.#tabsChanged.notify(threadId);
  }

  #running(threadId: string): FakeThread {
    const thread = this.#threads.get(threadId);
    if (!thread) throw new Error(`Thread ${threadId} has no browser.`);
    return thread;
  }
}
