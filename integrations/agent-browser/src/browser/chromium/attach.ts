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

/** Node's WebSocket constructor accepts headers; the standard one does not. */
type NodeWebSocket = new (url: string, options: { headers: Record<string, string> }) => WebSocket;

/** A bare CDP connection to a browser. Playwright allows no command before every page of the browser has answered. */
class RawBrowser {
  #next = 1;
  readonly #asked = new Map<number, PromiseWithResolvers<unknown>>();

  private constructor(readonly socket: WebSocket) {
    socket.addEventListener('message', ({ data }) => this.#heard(String(data)));
    socket.addEventListener('close', () => this.#ended());
  }

  /** @throws when the browser cannot be reached in time. */
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
    const answer = Promise.withResolvers<unknown>();
    this.#asked.set(id, answer);
    this.socket.send(JSON.stringify({ id, method, params, sessionId }));
    return answer.promise;
  }

  close(): void {
    this.socket.close();
    this.#ended();
  }

  #heard(text: string): void {
    try {
      const { id = 0, result, error } = messageSchema.parse(JSON.parse(text));
      const asked = this.#asked.get(id);
      this.#asked.delete(id);
      if (error === undefined) asked?.resolve(result);
      else asked?.reject(new Error(error.message));
    } catch {
      // What answers speaks another protocol.
      this.close();
    }
  }

  #ended(): void {
    for (const { reject } of this.#asked.values()) reject(new Error('The connection to the browser has ended.'));
    this.#asked.clear();
  }
}

/** The browser's WebSocket URL; for an HTTP endpoint, read from its `/json/version/`. */
async function socketOf({ url, headers }: RemoteEndpoint, milliseconds: number): Promise<string> {
  if (/^wss?:/.test(url)) return url;
  const place = new URL(url);
  place.pathname = `${place.pathname.replace(/\/$/, '')}/json/version/`;
  const answer = await fetch(place, { ...(headers && { headers }), signal: AbortSignal.timeout(milliseconds) });
  return versionSchema.parse(await answer.json()).webSocketDebuggerUrl;
}

/** In milliseconds: the limit for `Target.getTargets` and for closing targets. */
const ASK_MS = 2_000;
const HUNG_PAGE_MS = 1_000;

const targetsSchema = z.object({
  targetInfos: z.array(z.object({ targetId: z.string(), type: z.string(), url: z.string() })),
});
const attachedSchema = z.object({ sessionId: z.string() });

interface HungPages {
  closed: number;
  left: string[];
}

/** Closes unresponsive pages where that is allowed: a single one keeps Playwright from attaching (seen in 1.65). */
async function closeHungPages(endpoint: RemoteEndpoint, mayClose: (targetId: string) => boolean): Promise<HungPages> {
  const browser = await RawBrowser.connect(endpoint, ASK_MS);
  try {
    const answer = await within(ASK_MS, browser.send('Target.getTargets'));
    const pages = targetsSchema.parse(answer).targetInfos.filter(({ type }) => type === 'page');
    const answers = await Promise.all(pages.map(({ targetId }) => isAnswering(browser, targetId)));
    const hung = pages.filter((_, at) => !answers[at]);
    const closing = hung.filter(({ targetId }) => mayClose(targetId));
    const closed = closing.map(({ targetId }) => browser.send('Target.closeTarget', { targetId }));
    // A target that closed by itself meanwhile rejects the command.
    await within(ASK_MS, Promise.allSettled(closed));
    const left = hung.filter(target => !closing.includes(target));
    const words = left.map(({ url, targetId }) => `the page at ${publicPart(url)} (target ${targetId})`);
    return { closed: closing.length, left: words };
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
  // A target that crashed or closed does not block Playwright either.
  return within(HUNG_PAGE_MS, asking()).then(
    answer => answer === true,
    () => true,
  );
}

export interface RemotePlace {
  endpoint(): Promise<unknown>;
  /** Whether this target was a page of a session that is no longer open. */
  mayClose(targetId: string): boolean;
}

/** Attaches to a running browser with Playwright itself: agent-browser sends no headers and requires an open page. */
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
    // Without a listener Playwright dismisses the dialogs of pages that belong to other threads or programs.
    ownContext?.on('dialog', () => undefined);
    // It identifies the browser; some do not support the command.
    const contexts = await asked(browser, owner.config.launchTimeout, session =>
      session.send('Target.getBrowserContexts'),
    );
    return {
      browser,
      ownContext,
      isLaunched: false,
      closedPages,
      contextId: contexts?.defaultBrowserContextId,
      async stop(reason) {
        if (reason !== 'handed-over' && owner.config.closeRemote)
          await asked(browser, ASK_MS, async session => session.send('Browser.close'));
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
    // Playwright sends this download folder to the browser, whatever machine that runs on.
    artifactsDir: files.temporaryFolder(),
    headers,
  });
  const patience = Math.min(config.timeout, config.launchTimeout / 2);
  let hung: HungPages = { closed: 0, left: [] };
  try {
    if ((await within(patience, connecting)) === undefined)
      hung = await closeHungPages({ ...endpoint, headers }, mayClose).catch(error => {
        // Playwright may still attach where this second connection failed.
        log.debug('pages of a remote browser could not be asked', { error: publicMessage(error, endpoint) });
        return hung;
      });
    return { browser: await connecting, closedPages: hung.closed };
  } catch (cause) {
    // The message reaches a model, so it must not hold tokens.
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

async function asked<T>(
  browser: Browser,
  timeout: number,
  question: (session: CDPSession) => Promise<T>,
): Promise<T | undefined> {
  const answer = browser.newBrowserCDPSession().then(question);
  // The browser may be gone, or stand behind a proxy that passes only part of the protocol.
  return within(timeout, answer).catch(() => undefined);
}
