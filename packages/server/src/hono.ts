import { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { LiveView } from './live-view.js';
import type { AdapterOptions, NodeLiveView } from './node.js';
import { readText, urlOf } from './node-request.js';
import { type LivePath, livePathOf, normalBasePath, STREAM_ROUTE } from './paths.js';
import { BodyTooLong, type LiveRequest, type LiveResponse, Refusal } from './requests.js';
import { attachTo, Upgrades } from './upgrades.js';

export type { AdapterOptions } from './node.js';

/** The parts that are used of Hono's context: of any version, also of the one inside a framework. */
export interface HonoContext {
  req: { raw: Request; text(): Promise<string> };
  env: unknown;
}

type Middleware = (context: HonoContext, next: () => Promise<void>) => Promise<Response | undefined>;

export interface HonoLiveView {
  /** For `app.use`. Streams need a server that dispatches upgrades to the app, or `attach`. */
  middleware: Middleware;
  /**
   * For `mastra.setServerMiddleware`, under `mastra dev` too: it comes before Mastra's own live view and takes its place,
   * for the Studio as well. (`apiRoutes` and `middleware` of `new Mastra` come behind it, the former without connections.)
   */
  readonly serverMiddleware: { path: string; handler: Middleware }[];
  /** Takes upgrades from the server itself, when it dispatches none to the app. Returns the way to stop. */
  attach: NodeLiveView['attach'];
}

/**
 * Brings a live view to a Hono app on Node: with `@hono/node-server`, with `@hono/node-ws`, or inside Mastra's server.
 *
 * @example
 * const view = honoLiveView(live);
 * app.use(view.middleware);
 * view.attach(serve({ fetch: app.fetch }) as Server);
 */
export function honoLiveView(live: LiveView, { basePath = '' }: AdapterOptions = {}): HonoLiveView {
  const base = normalBasePath(basePath);
  const upgrades = new Upgrades(live);
  const take = upgrades.listener(base);
  const respond = async (context: HonoContext, path: LivePath): Promise<Response> => {
    if (path.route !== STREAM_ROUTE) {
      return webResponse(await answered(live, path, context));
    }
    const upgrade = upgradeIn(context);
    if (upgrade === undefined) return webResponse(notUpgraded(context));
    upgrades.take(path.agentId, { ...upgrade, head: Buffer.alloc(0) });
    // Invariant: the app answers when the connection is over. A dispatcher that had an answer before would write it
    // between the frames.
    await over(upgrade.socket);
    return new Response(null);
  };
  const middleware: Middleware = async (context, next) => {
    const path = livePathOf(new URL(context.req.raw.url).pathname, base);
    if (path !== undefined) return respond(context, path);
    await next();
    return undefined;
  };
  return {
    middleware,
    serverMiddleware: [{ path: `${base}/browser/*`, handler: middleware }],
    attach: (server, options) => attachTo(server, take, options),
  };
}

/** Settles when a connection is over, in whatever way: that it was lost is no fault of the app's. */
async function over(socket: Duplex): Promise<void> {
  if (!socket.closed) await new Promise<void>(resolve => socket.once('close', () => resolve()));
}

interface NodeBindings {
  incoming?: unknown;
  outgoing?: unknown;
}

function incomingIn({ env }: HonoContext): IncomingMessage | undefined {
  const { incoming } = (env ?? {}) as NodeBindings;
  return incoming instanceof IncomingMessage ? incoming : undefined;
}

/** The upgrade that was dispatched to the app. A request with a response of its own is none, whatever its headers say. */
function upgradeIn(context: HonoContext): { request: IncomingMessage; socket: Duplex } | undefined {
  const request = incomingIn(context);
  const { outgoing } = (context.env ?? {}) as NodeBindings;
  if (request === undefined || outgoing !== undefined || context.req.raw.headers.get('upgrade') === null)
    return undefined;
  return { request, socket: request.socket };
}

function notUpgraded({ req }: HonoContext): LiveResponse {
  const hint = req.raw.headers.has('upgrade') ? ': the server does not pass upgrades on, use attach(server)' : '';
  return new Refusal('upgrade_required', `This is a WebSocket${hint}.`, { upgrade: 'websocket' }).toResponse();
}

async function answered(live: LiveView, path: LivePath, context: HonoContext): Promise<LiveResponse> {
  const request = honoLiveRequest(context);
  if (request === undefined) return new Refusal('invalid_request', 'The request names no path.').toResponse();
  return live.answer(path.agentId, path.route, request);
}

function honoLiveRequest(context: HonoContext): LiveRequest | undefined {
  const { raw } = context.req;
  const incoming = incomingIn(context);
  const url = incoming === undefined ? new URL(raw.url) : urlOf(incoming);
  if (url === null) return undefined;
  return {
    method: raw.method,
    url,
    headers: raw.headers,
    remoteAddress: incoming?.socket.remoteAddress,
    readBody: mostBytes => readBody(context, mostBytes),
  };
}

async function readBody({ req }: HonoContext, mostBytes: number): Promise<string> {
  if (Number(req.raw.headers.get('content-length') ?? 0) > mostBytes) throw new BodyTooLong();
  if (req.raw.body !== null && !req.raw.bodyUsed) return readText(req.raw.body, mostBytes);
  // A middleware has read it already; the app keeps what it read.
  const text = await req.text();
  if (Buffer.byteLength(text) > mostBytes) throw new BodyTooLong();
  return text;
}

function webResponse({ status, headers, body }: LiveResponse): Response {
  if (body === undefined) return new Response(null, { status, headers });
  return Response.json(body, { status, headers });
}
