import type { BrowserContext, Page, Response } from 'playwright-core';
import { joinsContext, type ResolvedConfig } from '../config.js';
import type { SessionLog } from '../outcome/log.js';
import { contextOptions } from './context-options.js';
import { within } from './deadline.js';
import type { EngineClient } from './engine.js';
import type { Host, RunningBrowser } from './host.js';
import type { StorageState } from './saved-state.js';
import { Trace, traceOptions } from './trace.js';

/** The context of an open session. */
export interface OpenContext {
  context: BrowserContext;
  engine: EngineClient;
  /** It was made for the session and goes with it. */
  isOwn: boolean;
  /** Its cookies and storage are the session's to keep, not those of a person's own browser. */
  isKept: boolean;
  trace?: Trace;
}

/** How long a context may take to close, in milliseconds. */
const CLOSE_TIME = 5_000;

/** What a session asks of its context beside the options. */
export interface ContextWishes {
  storage?: StorageState;
  /** The options are not those that the browser was launched with. */
  isChanged: boolean;
}

/** Whose context it is. */
interface ContextOwner {
  readonly threadId: string;
  readonly log: SessionLog;
  readonly config: ResolvedConfig;
}

/** Gives a session its context: one of its own, or the one that the browser came with. */
export async function openContext(
  running: RunningBrowser,
  { threadId, config, log }: ContextOwner,
  wishes: ContextWishes,
): Promise<OpenContext> {
  const opened = await chooseContext(running, config, wishes);
  if (config.trace === false) return opened;
  const trace = await Trace.start(opened.context, { ...traceOptions(config), threadId, log });
  return { ...opened, trace };
}

async function chooseContext(
  running: RunningBrowser,
  config: ResolvedConfig,
  { storage, isChanged }: ContextWishes,
): Promise<OpenContext> {
  const { ownContext, engine, isLaunched } = running;
  if (ownContext === null || !joinsContext(config)) {
    const spare = running.takeSpare();
    const isFit = storage === undefined && !isChanged;
    if (!isFit) await spare?.close();
    const context = (isFit && spare) || (await running.browser.newContext(await contextOptions(config, storage)));
    return { context, engine, isOwn: true, isKept: true };
  }
  if (!isLaunched && config.headers !== undefined) await ownContext.setExtraHTTPHeaders(config.headers);
  // A profile keeps its cookies but for those that end with the browser.
  const lost = isLaunched ? storage?.cookies.filter(cookie => cookie.expires === -1) : undefined;
  if (lost !== undefined) await ownContext.addCookies(lost);
  return { context: ownContext, engine, isOwn: false, isKept: isLaunched };
}

/**
 * Closes a context that was made for a session. Of a person's own browser nothing is closed.
 * @param what When the browser is about to be closed, the context goes with it.
 */
export async function closeContext(
  { context, isOwn, trace }: OpenContext,
  what: 'session' | 'browser' = 'session',
): Promise<void> {
  await trace?.stop();
  if (isOwn && what === 'session') await within(CLOSE_TIME, context.close());
}

/** Tells what happens in a context, until stopped. */
export function watchContext(
  { context }: OpenContext,
  host: Host,
  on: { page(page: Page): void; response(response: Response): void; gone(): void },
): () => void {
  context.on('page', on.page);
  context.on('response', on.response);
  context.on('close', on.gone);
  const stopHost = host.onGone(on.gone);
  return () => {
    context.off('page', on.page);
    context.off('response', on.response);
    context.off('close', on.gone);
    stopHost();
  };
}
