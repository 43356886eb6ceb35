import type { BrowserContext, Page, Response } from 'playwright-core';
import { joinsContext, type ResolvedConfig } from '../config.js';
import type { Door } from '../network/door.js';
import type { SessionLog } from '../outcome/log.js';
import { contextOptions } from './context-options.js';
import { within } from './deadline.js';
import type { EngineClient } from './engine.js';
import type { GuardedContext, Host, RunningBrowser } from './host.js';
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
  /** The way out of it; a browser that was attached to has its own. */
  door?: Door;
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
  const { ownContext, ownDoor, engine, isLaunched } = running;
  if (ownContext === null || !joinsContext(config)) {
    const made = await newContext(running, config, { storage, isChanged });
    return { ...made, engine, isOwn: true, isKept: true };
  }
  if (!isLaunched && config.headers !== undefined) await ownContext.setExtraHTTPHeaders(config.headers);
  // A profile keeps its cookies but for those that end with the browser.
  const lost = isLaunched ? storage?.cookies.filter(cookie => cookie.expires === -1) : undefined;
  if (lost !== undefined) await ownContext.addCookies(lost);
  const door = ownDoor === undefined ? {} : { door: ownDoor };
  return { context: ownContext, engine, isOwn: false, isKept: isLaunched, ...door };
}

async function newContext(
  running: RunningBrowser,
  config: ResolvedConfig,
  { storage, isChanged }: ContextWishes,
): Promise<GuardedContext> {
  const spare = running.takeSpare();
  if (spare !== undefined && storage === undefined && !isChanged) return spare;
  await spare?.context.close();
  const door = spare?.door ?? (await running.openDoor());
  const guard = door === undefined ? {} : { door };
  const options = await contextOptions(config, { ...(storage !== undefined && { storage }), ...guard });
  return { context: await running.browser.newContext(options), ...guard };
}

/**
 * Closes a context that was made for a session. Of a person's own browser nothing is closed.
 * @param what When the browser is about to be closed, the context goes with it.
 */
export async function closeContext(
  { context, isOwn, trace, door }: OpenContext,
  what: 'session' | 'browser' = 'session',
): Promise<void> {
  await trace?.stop();
  if (door !== undefined) door.gate = undefined;
  if (!isOwn || what === 'browser') return;
  await within(CLOSE_TIME, context.close());
  await door?.close();
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
