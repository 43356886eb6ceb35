import { within } from '@browser-toolset/core/waiting';
import type { Browser, CDPSession } from 'playwright-core';
import { z } from 'zod/v4';
import { plainMessage } from '../../results/errors.js';
import type { HostOwner, Started } from '../running-browser.js';
import { loadPlaywright } from './agent-browser.js';
import { endpointOf, publicPart, type RemoteEndpoint, withoutTokens } from './endpoint.js';

const messageSchema = z.object({
  id: z.number().optional(),
  result: z.unknown().optional(),
  error: z.object({ message: z.string() }).optional(),
});

const versionSchema = z.object({ webSocketDebuggerUrl: z.string() });

/** The WebSocket of Node takes headers, which that of the web's standard does not. */
type NodeWebSocket = new (url: string, options: { headers: Record<string, string> }) => WebSocket;

interface Settlement {
  resolve(result: unknown): void;
  reject(error: Error): void;
}

/** Speaks with a browser alone: Playwright lets nobody speak with one before all of its pages have answered. */
class RawBrowser {
  #next = 1;
  readonly #asked = new Map<number, Settlement>();

  private constructor(readonly socket: WebSocket) {
    socket.addEventListener('message', ({ data }) => this.#heard(String(data)));
    socket.addEventListener('close', () => this.#ended());
  }

  /** @throws when there is no way to the browser in time. */
  static async connect(endpoint: RemoteEndpoint, milliseconds: number): Promise<RawBrowser> {
    const { headers = {} } = endpoint;
    const url = await socketOf(endpoint, milliseconds);
    const socket = new (WebSocket as unknown as NodeWebSocket)(url, { headers });
    const opened = new Promise<true>((resolve, reject) => {
      socket.addEventListener('open', () => resolve(true));
      socket.addEventListener('error', () => reject(new Error('The browser refused a second connection.')));
    });
    if (await within(milliseconds, opened)) return new RawBrowser(socket);
    socket.close();
    throw new Error('The browser did not respond to a second connection in time.');
  }

  async send(method: string, params: object = {}, sessionId?: string): Promise<unknown> {
    const id = this.#next++;
    const answer = new Promise<unknown>((resolve, reject) => this.#asked.set(id, { resolve, reject }));
    this.socket.send(JSON.stringify({ id, method, params, ...(sessionId !== undefined && { sessionId }) }));
    return answer;
  }

  /** Fails all questions that have no answer yet. */
  close(): void {
    this.socket.close();
    this.#ended();
  }

  #heard(text: string): void {
    const told = readMessage(text);
    if (told === undefined) {
      // No browser speaks like that.
      this.close();
      return;
    }
    const { id = 0, result, error } = told;
    const asked = this.#asked.get(id);
    this.#asked.delete(id);
    if (asked === undefined) return;
    if (error === undefined) asked.resolve(result);
    else asked.reject(new Error(error.message));
  }

  #ended(): void {
    for (const { reject } of this.#asked.values()) reject(new Error('The connection to the browser has ended.'));
    this.#asked.clear();
  }
}

function readMessage(text: string): z.output<typeof messageSchema> | undefined {
  try {
    return messageSchema.safeParse(JSON.parse(text)).data;
  } catch {
    // It is no JSON.
    return undefined;
  }
}

/** The WebSocket of a browser that is known by its port tells is asked for there. */
async function socketOf({ url, headers }: RemoteEndpoint, milliseconds: number): Promise<string> {
  if (/^wss?:/.test(url)) return url;
  const place = new URL(url);
  place.pathname = `${place.pathname.replace(/\/$/, '')}/json/version/`;
  const answer = await fetch(place, { ...(headers && { headers }), signal: AbortSignal.timeout(milliseconds) });
  return versionSchema.parse(await answer.json()).webSocketDebuggerUrl;
}

/** Milliseconds that a browser may take to list its targets, or to take the order to close. */
const ASK_TIME = 2_000;
/** How long a page may take to say anything. */
const HUNG_PAGE_MS = 1_000;

const targetsSchema = z.object({
  targetInfos: z.array(z.object({ targetId: z.string(), type: z.string(), url: z.string() })),
});
const attachedSchema = z.object({ sessionId: z.string() });

type ListedTarget = z.output<typeof targetsSchema>['targetInfos'][number];

/** The pages that did not answer, closed or left. */
interface HungPages {
  closed: number;
  /** Those that are not to be closed, in words for who can. */
  left: string[];
}

/**
 * Closes the pages of a browser that do not answer, where that is allowed: as long as there is one, Playwright attaches to
 * none of them (seen in 1.65).
 */
async function closeHungPages(endpoint: RemoteEndpoint, mayClose: (targetId: string) => boolean): Promise<HungPages> {
  const browser = await RawBrowser.connect(endpoint, ASK_TIME);
  try {
    const told = await within(ASK_TIME, browser.send('Target.getTargets'));
    const pages = targetsSchema.parse(told).targetInfos.filter(({ type }) => type === 'page');
    const answers = await Promise.all(pages.map(({ targetId }) => isAnswering(browser, targetId)));
    const hung = pages.filter((_, at) => !answers[at]);
    const closing = hung.filter(({ targetId }) => mayClose(targetId));
    const closed = closing.map(({ targetId }) => browser.send('Target.closeTarget', { targetId }));
    // One that has gone by itself is as good.
    await within(ASK_TIME, Promise.allSettled(closed));
    return { closed: closing.length, left: hung.filter(target => !closing.includes(target)).map(describeTarget) };
  } finally {
    browser.close();
  }
}

async function isAnswering(browser: RawBrowser, targetId: string): Promise<boolean> {
  const asking = async (): Promise<true> => {
    const attached = await browser.send('Target.attachToTarget', { targetId, flatten: true });
    const { sessionId } = attachedSchema.parse(attached);
    await browser.send('Runtime.evaluate', { expression: '0' }, sessionId);
    return true;
  };
  // It may have crashed, or be gone by now, and then nobody waits for it.
  return within(HUNG_PAGE_MS, asking()).then(
    answer => answer === true,
    () => true,
  );
}

/** Where a page is, without what its url keeps to itself. */
function describeTarget({ url, targetId }: ListedTarget): string {
  return `the page at ${publicPart(url)} (target ${targetId})`;
}

/** How a host finds its remote browser, and what it may do there. */
export interface RemotePlace {
  /** The current value of the option `cdpUrl`. */
  endpoint(): Promise<unknown>;
  /** Whether a page there, by its target, was a session's of this toolset that is not open any more. */
  mayClose(targetId: string): boolean;
}

/**
 * Attaches to a running browser with Playwright itself: agent-browser's way sends no headers and refuses a browser
 * without an open page.
 */
export async function attach(place: RemotePlace, owner: HostOwner): Promise<Started> {
  const endpoint = endpointOf(await place.endpoint());
  let isReleased = false;
  const release = async (): Promise<void> => {
    if (!isReleased) await endpoint.release?.();
    isReleased = true;
  };
  try {
    const { browser, closedPages } = await connectTo(endpoint, place, owner);
    const ownContext = browser.contexts()[0] ?? null;
    // Else Playwright dismisses the dialogs of pages that are not ours, some of them other threads'.
    ownContext?.on('dialog', () => undefined);
    const contextId = await defaultContextId(browser, owner.config.launchTimeout);
    return {
      browser,
      ownContext,
      isLaunched: false,
      closedPages,
      ...(contextId !== undefined && { contextId }),
      async stop(reason) {
        if (reason !== 'handed-over' && owner.config.closeRemote) await closeRemoteBrowser(browser);
        await browser.close();
        if (reason !== 'handed-over') await release();
      },
    };
  } catch (error) {
    await release();
    throw error;
  }
}

async function connectTo(
  endpoint: RemoteEndpoint,
  { mayClose }: RemotePlace,
  { config, files, log }: HostOwner,
): Promise<{ browser: Browser; closedPages: number }> {
  const headers = { ...config.cdpHeaders, ...endpoint.headers };
  const connecting = loadPlaywright().chromium.connectOverCDP(endpoint.url, {
    timeout: config.launchTimeout,
    // Where Playwright tells the browser to put downloads, on whatever machine it runs.
    artifactsDir: files.temporaryFolder(),
    headers,
  });
  const patience = Math.min(config.timeout, config.launchTimeout / 2);
  let hung: HungPages = { closed: 0, left: [] };
  try {
    if ((await within(patience, connecting)) === undefined)
      hung = await closeHungPages({ ...endpoint, headers }, mayClose).catch(error => {
        // Playwright may still get in where a question beside it did not.
        log.debug('pages of a remote browser could not be asked', { error: publicMessage(error, endpoint) });
        return hung;
      });
    return { browser: await connecting, closedPages: hung.closed };
  } catch (cause) {
    // The message goes to a model.
    const reason = hung.left.length === 0 ? publicMessage(cause, endpoint) : keptOut(hung.left);
    const place = publicPart(endpoint.url);
    throw new Error(`The browser at ${place} (option cdpUrl) could not be attached to: ${reason}`, { cause });
  }
}

function publicMessage(error: unknown, endpoint: RemoteEndpoint): string {
  return withoutTokens(plainMessage(error), endpoint);
}

function keptOut(pages: readonly string[]): string {
  const verb = pages.length === 1 ? 'does' : 'do';
  return `${pages.join(', ')} ${verb} not respond, which blocks new connections, and no closed session here left it behind. Close it there.`;
}

/** Tells one browser from another. Undefined where the browser, or what stands before it, does not say. */
async function defaultContextId(browser: Browser, timeout: number): Promise<string | undefined> {
  return asked(browser, timeout, async session => {
    const { defaultBrowserContextId } = (await session.send('Target.getBrowserContexts')) as {
      defaultBrowserContextId?: string;
    };
    return defaultBrowserContextId;
  });
}

async function closeRemoteBrowser(browser: Browser): Promise<void> {
  await asked(browser, ASK_TIME, async session => session.send('Browser.close'));
}

async function asked<T>(
  browser: Browser,
  timeout: number,
  question: (session: CDPSession) => Promise<T>,
): Promise<T | undefined> {
  const answer = browser.newBrowserCDPSession().then(question);
  // It may be gone already, or stand behind something that lets only a part of the protocol through.
  return within(timeout, answer).catch(() => undefined);
}
