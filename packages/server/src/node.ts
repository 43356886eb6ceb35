import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { LiveView } from './live-view.js';
import { liveRequestOf, urlOf } from './node-request.js';
import { type LivePath, livePathOf, normalBasePath, STREAM_ROUTE } from './paths.js';
import { type LiveResponse, Refusal } from './requests.js';
import { type AttachOptions, attachTo, Upgrades } from './upgrades.js';

export { type LineShape, slowLine } from './slow-line.js';
export type { AttachOptions } from './upgrades.js';

export interface AdapterOptions {
  /** The part of paths before `/browser/<agent>/…`. @default '' */
  basePath?: string;
}

export interface NodeLiveView {
  /** Answers a request for one of the REST routes; false for any other request, which is left alone. */
  handleRequest(request: IncomingMessage, response: ServerResponse): Promise<boolean>;
  /** Takes an upgrade to a stream; false for any other, which is left alone. */
  handleUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): boolean;
  /** Takes the upgrades of a server from here on. Returns the way to stop. */
  attach(server: Pick<Server, 'on' | 'off'>, options?: AttachOptions): () => void;
}

/**
 * Brings a live view to an `http` or `https` server of Node.
 *
 * @example
 * const view = nodeLiveView(live);
 * const server = createServer(async (request, response) => {
 *   if (!(await view.handleRequest(request, response))) response.writeHead(404).end();
 * });
 * view.attach(server);
 */
export function nodeLiveView(live: LiveView, { basePath = '' }: AdapterOptions = {}): NodeLiveView {
  const base = normalBasePath(basePath);
  const handleUpgrade = new Upgrades(live).listener(base);
  return {
    handleUpgrade,
    async handleRequest(request, response) {
      const url = urlOf(request);
      const path = livePathOf(url?.pathname ?? '', base);
      if (url === null || path === undefined) return false;
      send(response, await answer(live, path, liveRequestOf(request, url)));
      return true;
    },
    attach: (server, options) => attachTo(server, handleUpgrade, options),
  };
}

async function answer(
  live: LiveView,
  path: LivePath,
  request: ReturnType<typeof liveRequestOf>,
): Promise<LiveResponse> {
  if (path.route !== STREAM_ROUTE) return live.answer(path.agentId, path.route, request);
  return new Refusal('upgrade_required', 'This is a WebSocket.', { upgrade: 'websocket' }).toResponse();
}

function send(response: ServerResponse, { status, headers, body }: LiveResponse): void {
  // The rest of a body that was too long is not read.
  if (status === 413) response.setHeader('connection', 'close');
  response.writeHead(status, { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) });
  response.end(body === undefined ? undefined : JSON.stringify(body));
}
