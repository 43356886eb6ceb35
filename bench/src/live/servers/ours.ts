import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { succeeded } from '../../stacks/stack.ts';
import { newToolset, type Toolset } from '../../toolset.ts';
import { listenOnLoopback, stopListening } from '../listening.ts';
import { agentId, type LiveServer, streamUrl, threadId } from '../live-server.ts';

export const serverPackage = '@browser-toolset/server';

// As in `toolset.ts`: this package runs from its build, so the shapes that the bench relies on are named here.
interface LiveView {
  metrics(): { framesTaken: number };
  close(): void;
}
interface NodeView {
  handleRequest(request: IncomingMessage, response: ServerResponse): Promise<boolean>;
  attach(server: ReturnType<typeof createServer>): () => void;
}
type CreateLiveView = (options: {
  browsers(agent: string): Toolset | undefined;
  origins(origin: string | undefined): boolean;
}) => LiveView;

/** BrowserToolset behind `@browser-toolset/server`. */
export async function startOurs(): Promise<LiveServer> {
  const toolset = await newToolset();
  const live = await serveLive(toolset);
  return {
    ...live,
    async show(url) {
      succeeded(await toolset.session(threadId).navigate({ url }));
    },
    async picture() {
      const page = await toolset.getActivePage(threadId);
      if (page === null) throw new Error('there is no page');
      return (await page.screenshot({ animations: 'allow', caret: 'initial' })).toString('base64');
    },
    async close() {
      await live.close();
      await toolset.close();
    },
  };
}

/** The live view of a toolset, as docs/guides/live-view.md shows it for a server of Node. */
export async function serveLive(toolset: Toolset): Promise<Omit<LiveServer, 'show'>> {
  const { createLiveView } = (await import(serverPackage)) as { createLiveView: CreateLiveView };
  const { nodeLiveView } = (await import(`${serverPackage}/node`)) as { nodeLiveView: (live: LiveView) => NodeView };
  const live = createLiveView({
    browsers: agent => (agent === agentId ? toolset : undefined),
    // A page that watches comes from the server of the bench's pages.
    origins: origin => origin === undefined || new URL(origin).hostname === '127.0.0.1',
  });
  const view = nodeLiveView(live);
  const server = createServer(async (request, response) => {
    if (!(await view.handleRequest(request, response))) response.writeHead(404).end();
  });
  view.attach(server);
  return {
    url: streamUrl(await listenOnLoopback(server)),
    framesCaptured: () => live.metrics().framesTaken,
    async close() {
      live.close();
      await stopListening(server);
    },
  };
}
