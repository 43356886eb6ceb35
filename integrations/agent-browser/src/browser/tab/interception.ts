import type { BrowserContext, CDPSession, Page, Request, Route } from 'playwright-core';
import { z } from 'zod/v4';
import type { Gate } from '../../network/gate.js';
import { placeOf } from '../../policy/host-pattern.js';
import type { Refusal, UrlPolicy } from '../../policy/url-policy.js';

const paused = z.object({ requestId: z.string(), request: z.object({ url: z.string() }) });
const attached = z.object({ sessionId: z.string() });
const fromChild = z.object({ sessionId: z.string(), message: z.string() });
const message = z.object({ method: z.string().optional(), params: z.unknown().optional() });

const EVERYTHING = /^/;

/** Says what a session's pages may reach. */
interface Rules {
  readonly policy: UrlPolicy;
  /** Another one whenever the session begins anew. */
  readonly gate: Gate;
}

/** How a context's requests are checked. */
export interface InterceptionOptions {
  /** No door of ours is in the way: hosts and their addresses are checked here as well. */
  checksAddresses: boolean;
}

/** An interception that is under way. */
export interface Interceptor {
  /** Resolves when the redirects of what a page asks for from now on are checked. */
  ready(page: Page): Promise<void>;
  stop(): void;
}

/**
 * Checks the urls of a context's requests where its door cannot: paths are inside TLS, and a browser that was attached to
 * has no door. Playwright tells of every first request of a page, frame or worker before it leaves, but not of those it is
 * redirected to; the DevTools protocol tells of these.
 */
export async function interceptRequests(
  context: BrowserContext,
  rules: Rules,
  options: InterceptionOptions,
): Promise<Interceptor> {
  const interception = new Interception(rules, options);
  const watched = new WeakMap<Page, Promise<void>>();
  const watch = (page: Page): Promise<void> => {
    const watching = watched.get(page) ?? interception.watch(context, page);
    watched.set(page, watching);
    return watching;
  };
  const onPage = (page: Page): void => void watch(page);
  const onRoute = async (route: Route): Promise<void> => {
    const page = pageOf(route.request());
    if (page !== undefined) await watch(page);
    await interception.decide(route);
  };
  context.on('page', onPage);
  await Promise.all(context.pages().map(watch));
  await context.route(EVERYTHING, onRoute);
  return {
    ready: watch,
    stop() {
      context.off('page', onPage);
      // Contexts and pages that are gone have taken theirs along.
      context.unroute(EVERYTHING, onRoute).catch(() => undefined);
      interception.stop();
    },
  };
}

class Interception {
  readonly #sessions = new Set<CDPSession>();

  constructor(
    readonly rules: Rules,
    readonly options: InterceptionOptions,
  ) {}

  async decide(route: Route): Promise<void> {
    const refusal = await this.#judge(route.request().url());
    if (refusal === undefined) await route.fallback();
    else await route.abort('blockedbyclient');
  }

  /** Resolves when redirects of a page, its frames and its workers are checked. Never rejects. */
  async watch(context: BrowserContext, page: Page): Promise<void> {
    try {
      const session = await context.newCDPSession(page);
      this.#sessions.add(session);
      session.on('close', () => this.#sessions.delete(session));
      await this.#follow(new Channel((method, params) => session.send(method as 'Fetch.enable', params), session));
    } catch {
      // The page is gone, and what it asked for with it.
    }
  }

  stop(): void {
    for (const session of this.#sessions) session.detach().catch(() => undefined);
  }

  async #follow(channel: Channel): Promise<void> {
    channel.on('Fetch.requestPaused', params => void this.#decideHop(channel, paused.parse(params)));
    channel.on('Target.attachedToTarget', params => {
      // A target that is gone needs nothing.
      this.#followChild(channel.child(attached.parse(params).sessionId)).catch(() => undefined);
    });
    await Promise.all([
      channel.send('Fetch.enable', { patterns: [{ urlPattern: 'http*' }] }),
      channel.send('Target.setAutoAttach', { autoAttach: true, waitForDebuggerOnStart: true, flatten: false }),
    ]);
  }

  /** Chromium keeps a frame or a worker from running until it is told to. */
  async #followChild(child: Channel): Promise<void> {
    await this.#follow(child);
    await child.send('Runtime.runIfWaitingForDebugger', {});
  }

  async #decideHop(channel: Channel, { requestId, request }: z.infer<typeof paused>): Promise<void> {
    const refusal = await this.#judge(request.url);
    const answer =
      refusal === undefined
        ? channel.send('Fetch.continueRequest', { requestId })
        : channel.send('Fetch.failRequest', { requestId, errorReason: 'BlockedByClient' });
    // A request whose page is gone needs no answer.
    await answer.catch(() => undefined);
  }

  async #judge(text: string): Promise<Refusal | undefined> {
    const url = new URL(text);
    const { gate, policy } = this.rules;
    const refusal = policy.checkUrl(url);
    if (refusal !== undefined) gate.noteRefusal(placeOf(url), refusal);
    if (refusal !== undefined || !this.options.checksAddresses || !/^https?:$/.test(url.protocol)) return refusal;
    const admission = await gate.admit(placeOf(url));
    // A name that is not known here may be known where the browser runs.
    return admission.admitted ? undefined : admission.unreached.refusal;
  }
}

type Send = (method: string, params: object) => Promise<unknown>;

/** Speaks with one target, and through it with those inside it. */
class Channel {
  readonly #listeners = new Map<string, (params: unknown) => void>();
  readonly #children = new Map<string, Channel>();
  #next = 1;

  constructor(
    readonly send: Send,
    session?: CDPSession,
  ) {
    this.on('Target.receivedMessageFromTarget', params => {
      const { sessionId, message: text } = fromChild.parse(params);
      this.#children.get(sessionId)?.hear(text);
    });
    if (session === undefined) return;
    for (const event of ['Fetch.requestPaused', 'Target.attachedToTarget', 'Target.receivedMessageFromTarget'] as const)
      session.on(event, params => this.#tell(event, params));
  }

  on(event: string, listener: (params: unknown) => void): void {
    this.#listeners.set(event, listener);
  }

  child(sessionId: string): Channel {
    const child: Channel = new Channel(async (method, params) => {
      const text = JSON.stringify({ id: child.#next++, method, params });
      await this.send('Target.sendMessageToTarget', { sessionId, message: text });
    });
    this.#children.set(sessionId, child);
    return child;
  }

  hear(text: string): void {
    const { method, params } = message.parse(JSON.parse(text));
    if (method !== undefined) this.#tell(method, params);
  }

  #tell(event: string, params: unknown): void {
    this.#listeners.get(event)?.(params);
  }
}

/** Playwright throws for the first request of a page that is not there yet, and for service workers. */
function pageOf(request: Request): Page | undefined {
  try {
    return request.frame().page();
  } catch {
    return undefined;
  }
}
