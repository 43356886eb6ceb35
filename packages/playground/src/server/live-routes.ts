import type { Server } from 'node:http';
import { createLiveView, type ViewerAnswer } from '@browser-toolset/server';
import { honoLiveView } from '@browser-toolset/server/hono';
import { nodeLiveView, slowLine } from '@browser-toolset/server/node';
import type { Hono } from 'hono';
import type { RecordedToolset } from './recorded-toolset.js';
import type { TakeUpgrade } from './upgrades.js';

export interface LiveParts {
  readonly toolset: RecordedToolset;
  readonly agentIds: readonly string[];
  /** Somebody has answered the agent's question in the live view. */
  onAnswer(answer: ViewerAnswer): Promise<void>;
}

/** The live view of the agents' browser, beside the routes of an app. */
export interface LiveRoutes {
  /** Learns which server serves the app, and answers with what takes its streams. */
  attach(server: Server): TakeUpgrade;
  close(): void;
}

/** The live view is here as well, as it is for somebody far away; the page takes it with `?line=1mbit`. */
const SLOW_PATH = '/line/1mbit';
const SLOW_LINE = { bitsPerSecond: 1_000_000, roundTripMs: 80 };

export function addLiveRoutes(app: Hono, { toolset, agentIds, onAnswer }: LiveParts): LiveRoutes {
  let ownPort: number | undefined;
  const live = createLiveView({
    browsers: agentId => (agentIds.includes(agentId) ? toolset : undefined),
    // Other pages of this machine are foreign ones, too: an agent's browser may show any.
    origins: origin => origin === undefined || isOwnOrigin(origin, ownPort),
    onAnswer,
  });
  app.use(honoLiveView(live).middleware);
  app.use(honoLiveView(live, { basePath: SLOW_PATH }).middleware);
  return {
    attach(server) {
      const address = server.address();
      ownPort = typeof address === 'object' ? address?.port : undefined;
      const take = nodeLiveView(live).handleUpgrade;
      const takeSlow = nodeLiveView(live, { basePath: SLOW_PATH }).handleUpgrade;
      return (request, socket, head) =>
        request.url?.startsWith(`${SLOW_PATH}/`) === true
          ? takeSlow(request, slowLine(socket, SLOW_LINE), head)
          : take(request, socket, head);
    },
    close: () => live.close(),
  };
}

function isOwnOrigin(origin: string, port: number | undefined): boolean {
  return port !== undefined && [`http://127.0.0.1:${port}`, `http://localhost:${port}`].includes(origin);
}
