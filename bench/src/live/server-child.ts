import type { ChildCall, ChildCalls, Reply, Usage } from './child-messages.ts';
import { type LiveServer, type LiveStackName, liveStackNames } from './live-server.ts';

// A process of its own for each stack: what it uses is that stack's and nobody else's.
const starters: Record<LiveStackName, () => Promise<LiveServer>> = {
  ours: async () => (await import('./servers/ours.ts')).startOurs(),
  floor: async () => (await import('./servers/floor.ts')).startFloor(),
  mastra: async () => (await import('./servers/mastra.ts')).startMastra(),
};

let liveServer: LiveServer | undefined;

const calls: ChildCalls = {
  async start() {
    const name = liveStackNames.find(candidate => candidate === process.argv[2]);
    if (!name) throw new Error(`no live stack is named ${process.argv[2]}`);
    liveServer = await starters[name]();
    return { url: liveServer.url };
  },
  show: url => started().show(url),
  async picture() {
    const { picture } = started();
    if (picture === undefined) throw new Error('this stack gives no picture');
    return picture();
  },
  async usage(afterCollection) {
    if (afterCollection) globalThis.gc?.();
    return currentUsage();
  },
  async close() {
    const closing = started();
    liveServer = undefined;
    await closing.close();
  },
};

process.on('message', (call: ChildCall) => void answerCall(call));
// The bench has what it wanted, or is gone: then nobody else would stop the server and its browser.
process.on('disconnect', () => void (liveServer?.close() ?? Promise.resolve()).finally(() => process.exit()));

async function answerCall({ id, name, argument }: ChildCall): Promise<void> {
  const call = calls[name] as (argument: unknown) => Promise<unknown>;
  const reply: Reply = await call(argument).then(
    value => ({ id, value }),
    (error: unknown) => ({ id, error: error instanceof Error ? (error.stack ?? error.message) : String(error) }),
  );
  process.send?.(reply);
}

function started(): LiveServer {
  if (!liveServer) throw new Error('the server was not started');
  return liveServer;
}

function currentUsage(): Usage {
  const { user, system } = process.cpuUsage();
  const { rss, heapUsed, external } = process.memoryUsage();
  return { cpuMs: (user + system) / 1000, frames: started().framesCaptured(), rss, heapUsed, external };
}
