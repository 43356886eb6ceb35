import type { Server } from 'node:http';
import { createAdaptorServer } from '@hono/node-server';
import { AgentBrowser } from '@mastra/agent-browser';
import { Agent, type AgentConfig } from '@mastra/core/agent';
import { Mastra } from '@mastra/core/mastra';
import { createHonoServer } from '@mastra/deployer/server';
import { chromiumPath, viewport } from '../../chromium.ts';
import { listenOnLoopback, stopListening } from '../listening.ts';
import { agentId, type LiveServer, streamUrl, threadId } from '../live-server.ts';

type Screencast = Awaited<ReturnType<AgentBrowser['startScreencast']>>;

/** The official provider, with its frames counted. */
class CountingBrowser extends AgentBrowser {
  frames = 0;

  override async startScreencast(options?: Parameters<AgentBrowser['startScreencast']>[0]): Promise<Screencast> {
    const stream = await super.startScreencast(options);
    stream.on('frame', () => {
      this.frames += 1;
    });
    return stream;
  }
}

/** The official provider in the server that `mastra dev` and a built project run: its routes, its ViewerRegistry. */
export async function startMastra(): Promise<LiveServer> {
  const browser = new CountingBrowser({ headless: true, executablePath: chromiumPath(), viewport });
  const agent = new Agent({ id: agentId, name: agentId, instructions: 'none', model: silentModel, browser });
  const app = await createHonoServer(new Mastra({ agents: { [agentId]: agent } }), { tools: {} });
  const server = createAdaptorServer({ fetch: app.fetch }) as Server;
  (app as unknown as { injectWebSocket(server: Server): void }).injectWebSocket(server);
  return {
    url: streamUrl(await listenOnLoopback(server)),
    async show(url) {
      browser.setCurrentThread(threadId);
      await browser.ensureReady();
      const result = await browser.goto({ url }, threadId);
      if (!('success' in result && result.success)) throw new Error(`@mastra/agent-browser: ${JSON.stringify(result)}`);
    },
    framesCaptured: () => browser.frames,
    async close() {
      await stopListening(server);
      await browser.close();
    },
  };
}

const unasked = async (): Promise<never> => {
  throw new Error('nobody asks the model here');
};

const silentModel = {
  specificationVersion: 'v2',
  provider: 'bench',
  modelId: 'bench',
  supportedUrls: {},
  doGenerate: unasked,
  doStream: unasked,
} as unknown as AgentConfig['model'];
