import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { type BrowserMcpServer, createMcpServer } from '@browser-toolset/mcp';
import type { ViewerAnswer } from '@browser-toolset/server';
import { Mastra } from '@mastra/core';
import { MastraServer } from '@mastra/hono';
import { LibSQLStore } from '@mastra/libsql';
import { Hono } from 'hono';
import type { ChosenModel } from '../demo/model-choice.js';
import type { DemoSite } from '../demo-site/index.js';
import { DEMO_TASKS } from '../tasks/index.js';
import { makeAgents, type StudioAgents } from './agents.js';
import type { McpCommand, McpState, StudioState } from './api.js';
import { BROWSER_AGENT_ID, BrowserRuns } from './browser-agent/browser-runs.js';
import { runRoutes } from './browser-agent/run-routes.js';
import { chatRoutes } from './chat-routes.js';
import { ChatRuns } from './chat-runs.js';
import { startKeptShop } from './demo-shop.js';
import { EventSockets } from './events/event-sockets.js';
import { guard } from './guard.js';
import { Journal } from './journal.js';
import { listenOnLoopback } from './listen.js';
import { addLiveRoutes, type LiveParts, type LiveRoutes } from './live-routes.js';
import { ModelWatch } from './model-watch.js';
import { playgroundRoutes } from './playground-routes.js';
import { RecordedToolset } from './recorded-toolset.js';
import { PAGE, StaticFiles } from './static-files.js';
import { Thumbnails } from './thumbnails.js';
import { takeUpgrades } from './upgrades.js';
import { packageVersions } from './versions.js';

/** The MCP server's command as it is built here, with the Node and the Chromium that the playground runs with. */
function mcpCommand(): McpCommand {
  const main = fileURLToPath(new URL('cli/main.js', import.meta.resolve('@browser-toolset/mcp')));
  const chromium = process.env.CHROMIUM_PATH?.trim();
  return { command: process.execPath, args: [main, ...(chromium ? ['--executable-path', chromium] : [])] };
}

/** The toolset for MCP clients, at the address that the page names, and who is connected. */
function mcpRoutes(mcp: BrowserMcpServer): Hono {
  const app = new Hono();
  const command = mcpCommand();
  app.all('/mcp', context => mcp.fetch(context.req.raw));
  app.get('/playground/mcp', context => {
    const clients = mcp.clients().map(({ name, threadId, lastUsed }) => ({ name, threadId, lastUsed }));
    return context.json({ path: '/mcp', command, clients } satisfies McpState);
  });
  return app;
}

type End = () => unknown;

/** The work to undo at the end, the latest first. Every part is undone even when another fails. */
class Cleanup implements AsyncDisposable {
  readonly #ends: End[] = [];

  /** Takes a part that is to be ended with the whole. */
  own<Part extends AsyncDisposable>(part: Part): Part {
    this.defer(() => part[Symbol.asyncDispose]());
    return part;
  }

  defer(end: End): void {
    this.#ends.push(end);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const failures: unknown[] = [];
    for (const end of this.#ends.splice(0).toReversed()) {
      try {
        await end();
      } catch (error) {
        failures.push(error);
      }
    }
    if (failures.length > 0) throw new AggregateError(failures, 'Not everything could be closed.');
  }
}

interface PlaygroundOptions {
  /** 0 takes a free one; left out: the usual one, or a free one when that is taken. */
  readonly port?: number | undefined;
  /** Scripts drive the agent without one. */
  readonly model?: ChosenModel | undefined;
  readonly headed?: boolean;
  /** Where threads, runs and the demo shop's port are kept; `output/playground` of the repository when left out. */
  readonly dataFolder?: string | undefined;
  /** The built page; that of this package when left out. */
  readonly pageFolder?: string | undefined;
}

export interface Playground extends AsyncDisposable {
  readonly url: string;
  readonly demoUrl: string;
  /** What the person at the terminal should know, a line each. */
  readonly notices: readonly string[];
  /** What keeps the model from answering, in a sentence; undefined where nothing is known to. Found out beside everything else. */
  readonly modelProblem: Promise<string | undefined>;
  /** Takes the page as it is built now: the open ones connect again, see that there is another, and reload. Browsers and runs go on. */
  renewPage(): Promise<void>;
  close(): Promise<void>;
}

const OUTPUT_FOLDER = fileURLToPath(new URL('../../../../output', import.meta.url));

/** Serves the playground on loopback. No browser starts before the first action. */
export async function startPlayground(options: PlaygroundOptions = {}): Promise<Playground> {
  const cleanup = new Cleanup();
  try {
    const dataFolder = options.dataFolder ?? join(OUTPUT_FOLDER, 'playground');
    await mkdir(dataFolder, { recursive: true });
    const { site, notice } = await startKeptShop(dataFolder);
    cleanup.own(site);
    const model = new ModelWatch(options.model);
    cleanup.defer(() => model[Symbol.dispose]());
    const { app, live, page } = await makeApp(site, { ...options, dataFolder, watch: model }, cleanup);
    const listener = cleanup.own(await listenOnLoopback(app.fetch, options.port));
    const events = cleanup.own(new EventSockets(app.fetch));
    takeUpgrades(listener.server, [events.takeUpgrade, live.attach(listener.server)]);
    cleanup.defer(() => live.close());
    const close = () => cleanup[Symbol.asyncDispose]();
    const renewPage = async () => {
      await page.read();
      await events.disconnect();
    };
    const notices = notice === undefined ? [] : [notice];
    const modelProblem = model.problem();
    return {
      url: listener.url,
      demoUrl: site.url,
      notices,
      modelProblem,
      renewPage,
      close,
      [Symbol.asyncDispose]: close,
    };
  } catch (error) {
    await cleanup[Symbol.asyncDispose]();
    throw error;
  }
}

interface App {
  readonly app: Hono;
  readonly live: LiveRoutes;
  readonly page: StaticFiles;
}

type AppOptions = PlaygroundOptions & { readonly dataFolder: string; readonly watch: ModelWatch };

async function makeApp(site: DemoSite, options: AppOptions, cleanup: Cleanup): Promise<App> {
  const { dataFolder, watch } = options;
  const storage = new LibSQLStore({ id: 'playground', url: pathToFileURL(join(dataFolder, 'threads.db')).href });
  // After the toolset: a run whose browser has gone still writes how it ended.
  cleanup.defer(() => storage.close());
  const journal = new Journal();
  const toolset = cleanup.own(
    new RecordedToolset(
      {
        headless: !options.headed,
        downloadsPath: OUTPUT_FOLDER,
        tools: { also: ['ask_user'] },
        uploadRoots: ({ threadId }) => [...mcp.rootsOf(threadId)],
      },
      {
        record(action) {
          journal.write(action);
          thumbnails.follow(action);
        },
      },
    ),
  );
  const thumbnails = new Thumbnails(toolset);
  cleanup.defer(() => thumbnails.dispose());
  const agents = makeAgents(toolset, options.model, key => chats.runBegins(key));
  const chats: ChatRuns = new ChatRuns({ agents: agents.agents, toolset });
  const folder = join(dataFolder, 'runs');
  const runs = cleanup.own(
    await BrowserRuns.open({ toolset, journal, thumbnails, model: options.model, demoUrl: site.url, folder }),
  );
  const mcp: BrowserMcpServer = createMcpServer(toolset, {
    profile: 'core',
    ...(options.model && { model: options.model.config }),
    onError: error => process.stderr.write(`MCP: ${error instanceof Error ? error.message : error}\n`),
  });
  cleanup.defer(() => mcp.close());
  const agentIds = agents.described.map(({ id }) => id);
  const page = await StaticFiles.of(options.pageFolder ?? PAGE);
  const described = await describe(agents, site);
  const state = () => ({ ...described, page: page.version });

  const app = new Hono();
  app.use('*', guard);
  app.route('/playground/runs', runRoutes(runs, watch));
  app.route('/playground/chat', chatRoutes(chats));
  app.route('/playground', playgroundRoutes({ state, toolset, journal, thumbnails, model: watch }));
  app.route('/', mcpRoutes(mcp));
  const onAnswer: LiveParts['onAnswer'] = async answer => {
    if (answer.agentId === BROWSER_AGENT_ID) runs.answerIn(answer);
    else await answerInChat(chats, answer);
  };
  const live = addLiveRoutes(app, { toolset, agentIds, onAnswer });
  // The page shows each failure.
  const mastra = new Mastra({ agents: agents.agents, storage, logger: false });
  await new MastraServer({ app, mastra }).init();
  cleanup.defer(() => chats.interrupt());
  app.get('*', context => page.answer(context));
  return { app, live, page };
}

/** A question has the id of the call that asks it. */
async function answerInChat(chats: ChatRuns, { agentId, threadId, questionId, answer }: ViewerAnswer): Promise<void> {
  if (threadId === undefined) return;
  await chats.decide({ agentId, threadId }, { kind: 'question', toolCallId: questionId, answer });
}

async function describe({ described }: StudioAgents, site: DemoSite): Promise<Omit<StudioState, 'page'>> {
  const tasks = DEMO_TASKS.map(({ id, title, shows, prompt }) => ({ id, title, shows, prompt: prompt(site.url) }));
  return { agents: described, demo: { url: site.url, tasks }, versions: await packageVersions() };
}
