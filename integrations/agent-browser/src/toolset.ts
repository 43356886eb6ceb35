import { randomUUID } from 'node:crypto';
import type {
  BrowserToolsetLike,
  ElementIdentity,
  ScreencastStream as LiveScreencast,
  ScreencastOptions,
  VideoListener,
  VideoOptions,
  VideoStream,
} from '@browser-toolset/core';
import type { BrowserState, BrowserTabState, ScreencastStream } from '@mastra/core/browser';
import { LiveVideo } from '#live/video/live-video.js';
import { getOrInsert } from '#page-engine/dom/get-or-insert.js';
import type { Session } from './browser/session.js';
import { DEFAULT_SESSION } from './browser/sessions.js';
import { type OfferedTool, pageToolsOf, watchPageTools } from './browser/tab/web-mcp.js';
import type { ToolDefinition } from './call/define.js';
import { identifyRefs } from './call/point.js';
import { type ActionPreview, type PreviewOptions, previewOf } from './call/preview.js';
import {
  type AgentModels,
  type AnyMastraTool,
  type MastraTools,
  makeTools,
  sessionKeyOf,
} from './mastra/mastra-tool.js';
import type { ToolsetMetrics } from './observe/observation.js';
import type { BrowserToolsetConfig } from './options.js';
import { BrowserPromptProcessor } from './prompt/processor.js';
import { ToolError } from './results/errors.js';
import { ToolsetRuntime } from './runtime.js';
import { ALL_TOOLS, type ToolId } from './tools/index.js';
import { type BrowserSession, sessionHandle } from './tools/session-actions.js';
import { LiveBrowser } from './viewers/live-browser.js';
import type { LiveView } from './viewers/live-view.js';

/**
 * A real browser for Mastra agents, workflows and plain code. Nothing starts until the first action.
 *
 * @example
 * ```ts
 * const browser = new BrowserToolset();
 * const agent = new Agent({ id: 'web', name: 'Web', model, instructions, tools: browser.tools });
 * const page = await browser.session('thread-1').navigate({ url: 'https://example.com' });
 * await browser.close();
 * ```
 */
export class BrowserToolset extends LiveBrowser implements BrowserToolsetLike<AnyMastraTool>, AsyncDisposable {
  override readonly id = `browser-toolset-${randomUUID()}`;
  override readonly name = 'BrowserToolset';
  override readonly provider = 'browser-toolset';
  override readonly providerType = 'sdk';
  /** Mastra tools by id, for `new Agent({ tools })`, `createStep(tool)` and MCP servers. */
  readonly tools: MastraTools;
  readonly #runtime: ToolsetRuntime;
  protected override readonly live: LiveView;
  readonly #prompt: BrowserPromptProcessor;
  readonly #models: AgentModels = new WeakMap();
  readonly #handles = new WeakMap<Session, BrowserSession>();

  /**
   * @param runtime Created from the same options, if the browser is to start before Mastra is loaded.
   * @throws TypeError that names every invalid option.
   */
  constructor(options: BrowserToolsetConfig = {}, runtime = new ToolsetRuntime(options)) {
    const { config, sessions } = runtime;
    super({ headless: config.headless, viewport: config.viewport, timeout: config.timeout, scope: runtime.scope });
    this.#runtime = runtime;
    runtime.logger = () => this.logger;
    this.live = runtime.live;
    this.tools = makeTools(config, sessions, this.#models);
    this.#prompt = new BrowserPromptProcessor({
      tools: this.tools,
      options: config.prompt,
      noteModel: (requestContext, model) => this.#models.set(requestContext, model),
      browserOf: context => runtime.states.now(sessionKeyOf(context, config.sessionKey)),
    });
    this.status = 'ready';
  }

  /** The session of a thread, for plain code. Nothing starts until its first action. */
  session(threadId: string = DEFAULT_SESSION): BrowserSession {
    const { sessions } = this.#runtime;
    return getOrInsert(this.#handles, sessions.get(threadId), () => sessionHandle(sessions, threadId));
  }

  override getTools(): Record<string, AnyMastraTool> {
    return { ...this.tools };
  }

  /**
   * The processor that keeps the prompts of long runs short and describes to the model what its browser shows. It
   * replaces Mastra's `BrowserContextProcessor`, which stores its messages in the thread permanently.
   */
  override getInputProcessors(configured: readonly { id?: string }[] = []): BrowserPromptProcessor[] {
    if (configured.some(({ id }) => id === BrowserPromptProcessor.id)) return [];
    return [this.#prompt];
  }

  /** Counters since the toolset was created, and its current state. Cheap enough to call at any rate. */
  metrics(): ToolsetMetrics {
    const all = this.#runtime.sessions.all();
    const open = all.filter(session => session.isOpen).length;
    const asleep = all.filter(session => session.remembered !== undefined).length;
    return this.#runtime.metrics.read({ open, asleep, viewers: this.live.viewers });
  }

  /** Ends every session, the browser and its processes, and removes temporary folders. The toolset can be used again. */
  override async close(): Promise<void> {
    await this.#runtime.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  override async launch(threadId: string = DEFAULT_SESSION): Promise<void> {
    const session = this.#runtime.sessions.get(threadId);
    // Opening a live view of a running browser must not wait in the queue of the agent's calls.
    if (!session.isOpen || session.activeTab?.crashed) await session.queue.run(() => session.ready());
  }

  override async ensureReady(): Promise<void> {
    await this.launch();
  }

  override isBrowserRunning(threadId?: string): boolean {
    if (threadId === undefined) return this.#runtime.sessions.all().some(session => session.isOpen);
    return this.#runtime.sessions.find(threadId)?.isOpen ?? false;
  }

  override hasThreadSession(threadId: string): boolean {
    return this.isBrowserRunning(threadId);
  }

  override async closeThreadSession(threadId: string): Promise<void> {
    await this.#runtime.closeThreadSession(threadId);
  }

  override getSessionId(threadId?: string): string {
    return threadId === undefined || this.#runtime.sessions.isShared ? this.id : `${this.id}:${threadId}`;
  }

  override getScope(): 'shared' | 'thread' {
    return this.#runtime.scope;
  }

  override onBrowserReady(callback: () => void, threadId?: string): () => void {
    return this.live.onReady(callback, threadId);
  }

  override onBrowserClosed(callback: () => void, threadId?: string): () => void {
    return this.live.onClosed(callback, threadId);
  }

  /** Does nothing: sessions notice through events when their browser disconnects. */
  override handleBrowserDisconnected(): void {}

  override async getCurrentUrl(threadId?: string): Promise<string | null> {
    return this.#runtime.secrets.hide(this.#shown(threadId)?.activeTab?.url ?? '') || null;
  }

  override async getBrowserState(threadId?: string): Promise<BrowserState | null> {
    return this.getBrowserStateForThread(threadId);
  }

  override getLastBrowserState(threadId: string = DEFAULT_SESSION): BrowserState | undefined {
    return this.#runtime.states.last(threadId);
  }

  override async getTabState(threadId?: string): Promise<BrowserTabState[]> {
    return this.getBrowserStateForThread(threadId)?.tabs ?? [];
  }

  override async getActiveTabIndex(threadId?: string): Promise<number> {
    return this.getBrowserStateForThread(threadId)?.activeTabIndex ?? 0;
  }

  /**
   * The tools that the active page of a thread offers (WebMCP), as the page describes them. Empty without the option
   * `webMcp`, and in a browser without WebMCP; undefined for a page that does not answer within `timeout` milliseconds.
   * Does not count as a call of the agent, so its next result still reports all changes.
   */
  async getPageTools(threadId?: string, { timeout = 5_000 } = {}): Promise<OfferedTool[] | undefined> {
    const tab = this.#runtime.config.webMcp ? this.#shown(threadId)?.activeTab : undefined;
    if (tab === undefined) return [];
    return pageToolsOf(tab, timeout).catch(error => {
      const isWithout = error instanceof ToolError && error.canRetry === false;
      return isWithout ? [] : undefined;
    });
  }

  /**
   * Calls back when the result of `getPageTools` may have changed: the page registers or withdraws tools, or another
   * page is shown. Never calls back without the option `webMcp`.
   * @returns A function that stops the callbacks.
   */
  onPageToolsChanged(callback: () => void, threadId: string = DEFAULT_SESSION): () => void {
    return this.#runtime.config.webMcp
      ? watchPageTools(this.#runtime.sessions.get(threadId), callback)
      : () => undefined;
  }

  /**
   * Describes elements by their markup, so that they can be found in another run of the page. The refs are those of the
   * active tab. Does not count as a call of the agent, so its next result still reports all changes.
   */
  async identifyElements(refs: readonly string[], threadId?: string): Promise<Record<string, ElementIdentity>> {
    const session = this.#shown(threadId);
    return session === undefined ? {} : identifyRefs(session, refs);
  }

  /**
   * Describes a call as the option `approval` gets it, with the boxes of its elements, without making it: for an
   * interface in which a person decides. Refs are those of the thread's active tab. Does not count as a call of the
   * agent. Undefined for input that the tool does not take.
   */
  async previewAction(
    tool: ToolId,
    input: unknown,
    threadId = DEFAULT_SESSION,
    options: PreviewOptions = {},
  ): Promise<ActionPreview | undefined> {
    const definition = ALL_TOOLS.find(({ id }) => id === tool) as ToolDefinition | undefined;
    return definition && previewOf(definition, input, { session: this.#runtime.sessions.get(threadId), ...options });
  }

  override async startScreencast(options: ScreencastOptions = {}): Promise<ScreencastStream> {
    const threadId = options.threadId ?? DEFAULT_SESSION;
    await this.launch(threadId);
    return this.live.startScreencast(this.#runtime.sessions.get(threadId), options);
  }

  override async startScreencastIfBrowserActive(options: ScreencastOptions = {}): Promise<ScreencastStream | null> {
    const session = this.#shown(options.threadId);
    return session === undefined ? null : this.live.startScreencast(session, options);
  }

  /** @param screencast One that this toolset has started. */
  async startVideo(screencast: LiveScreencast, listener: VideoListener, options?: VideoOptions): Promise<VideoStream> {
    const source = this.live.sourceOf(screencast);
    if (source === undefined) throw new TypeError('This screencast is none of this toolset.');
    return LiveVideo.start({ ...source, listener, pages: this.#runtime.encoderPages }, options);
  }

  protected override async doLaunch(): Promise<void> {
    await this.launch();
  }

  protected override async doClose(): Promise<void> {
    await this.close();
  }

  protected override async getActivePage(threadId?: string): Promise<{ url(): string } | null> {
    return this.#shown(threadId)?.activeTab?.page ?? null;
  }

  protected override getBrowserStateForThread(threadId?: string): BrowserState | null {
    const session = this.#shown(threadId);
    return session === undefined ? null : this.#runtime.states.current(session);
  }

  #shown(threadId: string = DEFAULT_SESSION): Session | undefined {
    const session = this.#runtime.sessions.find(threadId);
    return session?.isOpen ? session : undefined;
  }
}
