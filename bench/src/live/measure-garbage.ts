import { median, round } from '../statistics.ts';
import { ColourClicker, mouse } from './clicks.ts';
import { garbage } from './garbage.ts';
import type { LiveStackName } from './live-server.ts';
import type { LivePages } from './pages.ts';
import { type ServerProcess, withServer } from './server-process.ts';

/** What a click does right after a flood of messages that make no sense. */
export interface GarbageResult {
  messages: number;
  /** Huge and infinite coordinates were among them. */
  isHostile: boolean;
  /**
   * Milliseconds from sending a press, once all garbage is with the kernel, to the frame that shows it: the median of the
   * floods; undefined when after one of them none came.
   */
  clickMs: number | undefined;
  /** Lines that the server wrote meanwhile, after the flood with the most. */
  logLines: number;
  /** The server has ended the connection. */
  isDisconnected: boolean;
}

/** Each in a server of its own: what a server has learnt from one flood must not help it in the next. */
const floods = 3;

export async function measureGarbage(
  names: readonly LiveStackName[],
  pages: LivePages,
  messages: number,
): Promise<Record<string, GarbageResult>> {
  const results: Record<string, GarbageResult> = {};
  for (const name of names) {
    const isHostile = name === 'ours';
    const runs: GarbageResult[] = [];
    for (let run = 0; run < floods; run++) {
      const result = await withServer(name, async server => {
        await server.show(pages.url('colours'));
        return flood(server, garbage(messages, isHostile), isHostile);
      });
      runs.push(result);
    }
    results[name] = middle(runs);
  }
  return results;
}

function middle(runs: readonly GarbageResult[]): GarbageResult {
  const [first] = runs;
  if (first === undefined) throw new Error('no flood to take the middle of');
  const times = runs.flatMap(({ clickMs }) => clickMs ?? []);
  return {
    ...first,
    clickMs: times.length === runs.length ? median(times) : undefined,
    logLines: Math.max(...runs.map(({ logLines }) => logLines)),
    isDisconnected: runs.some(({ isDisconnected }) => isDisconnected),
  };
}

async function flood(
  server: ServerProcess,
  messages: ReturnType<typeof garbage>,
  isHostile: boolean,
): Promise<GarbageResult> {
  const clicker = await ColourClicker.open(server.url);
  for (let click = 0; click < 3; click++) await clicker.click();
  const linesBefore = server.logLines;
  for (const message of messages) clicker.viewer.send(message);
  await clicker.viewer.flushed(mouse('mouseMoved', { x: 600, y: 330 }));
  const clickMs = await clicker.click();
  const isDisconnected = !clicker.viewer.isOpen;
  await server.usage();
  await clicker.viewer.close();
  return {
    messages: messages.length,
    isHostile,
    clickMs: clickMs && round(clickMs),
    logLines: server.logLines - linesBefore,
    isDisconnected,
  };
}
