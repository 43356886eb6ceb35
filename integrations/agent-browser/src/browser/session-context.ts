import { inTime, until, within } from '@browser-toolset/core/waiting';
import type { BrowserContext, Page, Request, Response } from 'playwright-core';
import type { ResolvedConfig } from '../options.js';
import { logged, plainMessage, ToolError } from '../results/errors.js';
import { type PageTargets, pageTargets, withCdp } from './chromium/cdp.js';
import { addInitScripts, contextOptions, initialStorage } from './chromium/context-options.js';
import { ownContextOptions } from './chromium/devices.js';
import type { Emulation } from './chromium/emulation.js';
import type { Host } from './host.js';
import { ContextPages, type OpenContext } from './open-context.js';
import type { RunningBrowser } from './running-browser.js';
import type { SessionBase, SessionOwner } from './session-owner.js';
import type { SavedState } from './storage/saved-state.js';
import type { Limits } from './tab/engine.js';
import { Trace } from './trace.js';

interface Opening extends SessionBase {
  readonly emulation: Emulation;
}

const CONTEXT_CLOSE_MS = 5_000;

/** Waits for a place for the session and opens its context; closes it again if the session was closed meanwhile. */
export async function enterContext(
  session: Opening,
  saved: SavedState | undefined,
  { isWanted, signal }: { isWanted(): boolean; signal: AbortSignal | undefined },
): Promise<OpenContext> {
  const { owner } = session;
  await owner.enter(signal);
  try {
    // Launching or attaching has its own limit; opening the context gets as much again.
    const time = 2 * owner.config.launchTimeout;
    const opening = owner.host.use(running => openContext(running, session, saved), isWanted);
    const opened = await within(time, opening);
    if (opened === undefined) {
      void opening.then(closeContext).catch(() => undefined);
      throw tooLate('The browser did not open', time);
    }
    if (isWanted()) return opened;
    await closeContext(opened);
    throw new ToolError('browser_closed', 'The browser was closed while it was opening.');
  } catch (error) {
    await owner.left();
    throw error;
  }
}

function tooLate(what: string, milliseconds: number): ToolError {
  return new ToolError('timeout', `${what} within ${Math.round(milliseconds / 1000)} s.`);
}

/** Opens a page within a limit: a browser that is ending may never answer. */
export async function newPage(context: BrowserContext, milliseconds: number): Promise<Page> {
  const opening = context.newPage();
  const page = await within(milliseconds, opening);
  if (page !== undefined) return page;
  void opening.then(late => late.close()).catch(() => undefined);
  throw tooLate('The browser did not open a page', milliseconds);
}

export function begunInTime({ config }: SessionOwner, beginning: Promise<void>): Promise<void> {
  const time = config.timeout + config.navigationTimeout;
  return inTime(time, beginning, () => tooLate('The session was not ready', time));
}

/** Opens the session's own context, or takes the browser's default one. */
async function openContext(running: RunningBrowser, session: Opening, saved?: SavedState): Promise<OpenContext> {
  const chosen = await chooseContext(running, session, saved);
  try {
    await addInitScripts(chosen.context, session.owner.config);
  } catch (error) {
    if (chosen.isOwn) await chosen.context.close();
    throw error;
  }
  const opened: OpenContext = {
    ...chosen,
    browser: running.browser,
    pages: new ContextPages(chosen.context, chosen.contextId),
  };
  const { threadId, owner, emulation } = session;
  emulation.isTaken = !opened.isOwn && opened.keeps === 'all';
  if (opened.contextId !== undefined) void notePages(running, session, opened.contextId);
  const closed = running.takeClosedPages();
  if (closed === 1) session.effects.recovered('a page left in the browser did not respond', 'closed');
  else if (closed > 1) session.effects.recovered(`${closed} pages left in the browser did not respond`, 'closed');
  opened.trace = await Trace.start({ context: opened.context, threadId, owner });
  opened.video = owner.film(running.browser);
  return opened;
}

/** Tracks the thread's page targets, which stay in the remote browser when the thread leaves it. */
async function notePages({ browser }: RunningBrowser, session: Opening, contextId: string): Promise<void> {
  const noted = pageTargets(browser).then(targets => {
    session.owner.endpoint.pages = () => targets.in(contextId);
  });
  // A proxy in front of the browser may refuse the command.
  await noted.catch(logged(session, 'pages of a remote browser are not counted'));
}

type ChosenContext = Omit<OpenContext, 'browser' | 'pages'>;

async function chooseContext(running: RunningBrowser, session: Opening, saved?: SavedState): Promise<ChosenContext> {
  const { ownContext, contextId, engine } = running;
  const config = session.emulation.options;
  // Based on the configured options: a change during a session must not move it to another context.
  const needsOwn = ownContextOptions(session.owner.config).length > 0;
  const claimed = (need: 'wished' | 'needed'): boolean => session.owner.claim(contextId, need);
  if (ownContext === null) return newContext(running, session, saved);
  const home = { context: ownContext, engine, contextId, egressProxy: running.ownProxy };
  const isThreads = typeof config.cdpUrl === 'function';
  if (config.profile !== undefined || (config.scope === 'shared' && !isThreads))
    return sharedContext(home, { config, saved, isLaunched: running.isLaunched });
  if (isThreads && !needsOwn && claimed('wished')) return takeContext(home, config, saved);
  try {
    return await newContext(running, session, saved);
  } catch (error) {
    // Some hosted browsers have one context and refuse to create more: Playwright's error names the CDP method.
    if (!plainMessage(error).includes('Target.createBrowserContext')) throw error;
    refuseOptions(ownContextOptions(config), error);
    if (claimed('needed')) return takeContext(home, config, saved);
    const words = 'The remote browser does not allow new contexts, and its only one is used by another thread.';
    throw new ToolError('browser_error', words, {
      hint: 'Give each thread a browser of its own: cdpUrl can be a function.',
      cause: error,
    });
  }
}

/** Throws when options need a new context, which this browser refuses to create. */
function refuseOptions(options: readonly string[], cause: unknown): void {
  if (options.length === 0) return;
  const words = `The remote browser does not allow new contexts, which these options need: ${options.join(', ')}.`;
  throw new ToolError('browser_error', words, {
    hint: 'Leave these options out, or attach to a browser that allows new contexts.',
    canRetry: false,
    cause,
  });
}

type GivenContext = Pick<OpenContext, 'context' | 'engine' | 'contextId' | 'egressProxy'>;

async function sharedContext(
  home: GivenContext,
  { config, saved, isLaunched }: { config: ResolvedConfig; saved: SavedState | undefined; isLaunched: boolean },
): Promise<ChosenContext> {
  if (!isLaunched && config.headers !== undefined) await home.context.setExtraHTTPHeaders(config.headers);
  // A profile persists its cookies except session cookies.
  const lost = isLaunched ? saved?.storage?.cookies.filter(cookie => cookie.expires === -1) : undefined;
  if (lost !== undefined) await home.context.addCookies(lost);
  return { ...home, isOwn: false, keeps: isLaunched ? 'cookies' : 'nothing' };
}

/** The default context of a thread's own remote browser. */
async function takeContext(home: GivenContext, config: ResolvedConfig, saved?: SavedState): Promise<ChosenContext> {
  const { context, contextId } = home;
  if (config.headers !== undefined) await context.setExtraHTTPHeaders(config.headers);
  // A browser that kept running has newer cookies than the saved state.
  const isSame = contextId !== undefined && saved?.contextId === contextId;
  const storage = saved === undefined ? await initialStorage(config) : saved.storage;
  if (!isSame && storage !== undefined) await context.setStorageState(storage);
  return { ...home, isOwn: false, keeps: 'all' };
}

async function newContext(running: RunningBrowser, session: Opening, saved?: SavedState): Promise<ChosenContext> {
  const { options: config, isChanged } = session.emulation;
  const own = { engine: running.engine, isOwn: true, keeps: 'all' } as const;
  const spare = await running.spare.take(session.threadId, saved === undefined && !isChanged);
  if (spare !== undefined) return { ...own, ...spare };
  const egressProxy = await running.openProxy();
  const options = await contextOptions(config, { storage: saved?.storage, egressProxy });
  return { ...own, context: await running.browser.newContext(options), egressProxy };
}

/** Closes a context that was created for a session; if the `browser` closes next, it is left to that. */
export async function closeContext(
  { context, isOwn, trace, video, egressProxy }: OpenContext,
  what: 'session' | 'browser' = 'session',
): Promise<void> {
  await Promise.all([trace?.stop(), video?.stop()]);
  if (egressProxy !== undefined) egressProxy.connectionPolicy = undefined;
  if (!isOwn || what === 'browser') return;
  await within(CONTEXT_CLOSE_MS, context.close());
  await egressProxy?.close();
}

export function watchContext(
  home: OpenContext,
  host: Host,
  on: { page(page: Page): void; request(request: Request): void; response(response: Response): void; gone(): void },
): () => void {
  const { context } = home;
  let isStopped = false;
  const appeared = (page: Page): void =>
    void home.pages.admit(page, () => {
      if (!isStopped) on.page(page);
    });
  context.on('page', appeared);
  // A new tab's first request comes before its page does.
  context.on('request', on.request);
  context.on('response', on.response);
  context.on('close', on.gone);
  const stopHost = host.gone.on(on.gone);
  return () => {
    isStopped = true;
    context.off('page', appeared);
    context.off('request', on.request);
    context.off('response', on.response);
    context.off('close', on.gone);
    stopHost();
  };
}

interface OwnTargets {
  targets: PageTargets;
  contextId: string;
}

/** Knows of popups that Chromium has opened and Playwright has not reported yet. */
export class Popups {
  #watching: Promise<OwnTargets | undefined> | undefined;

  constructor(readonly pages: ContextPages) {}

  async watch(): Promise<void> {
    this.#watching = this.#find();
    await this.#watching;
  }

  /** Resolves when no popup is pending, or at the timeout. */
  async arrived({ timeout, signal }: Limits): Promise<void> {
    const known = await within(timeout, this.#watching ?? Promise.resolve(undefined)).catch(() => undefined);
    if (known === undefined) return;
    await until(
      () => known.targets.in(known.contextId).length <= this.pages.count,
      { timeout, signal },
      check => {
        const stops = [known.targets.gone.on(check), this.pages.admitted.on(check)];
        return () => {
          for (const stop of stops) stop();
        };
      },
    );
  }

  async #find(): Promise<OwnTargets | undefined> {
    const { context } = this.pages;
    const browser = context.browser();
    const [page] = await this.pages.all();
    if (browser === null || page === undefined) return undefined;
    const [{ targetInfo }, targets] = await Promise.all([
      withCdp(page, session => session.send('Target.getTargetInfo')),
      pageTargets(browser),
    ]);
    const { browserContextId: contextId } = targetInfo;
    return contextId === undefined ? undefined : { targets, contextId };
  }
}
