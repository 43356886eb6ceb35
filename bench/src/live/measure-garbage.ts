import { round } from '../statistics.ts';
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
  /** Milliseconds from sending a press, once all garbage is with the kernel, to the frame that shows it; undefined when none came. */
  clickMs: number | undefined;
  /** Lines that the server wrote meanwhile. */
  logLines: number;
  /** The server has ended the connection. */
  isDisconnected: boolean;
}

export async function measureGarbage(
  names: readonly LiveStackName[],
  pages: LivePages,
  messages: number,
): Promise<Record<string, GarbageResult>> {
  const results: Record<string, GarbageResult> = {};
  for (const name of names) {
    const isHostile = name === 'ours';
    results[name] = await withServer(name, async server => {
      await server.show(pages.url('colours'));
      return flood(server, garbage(messages, isHostile), isHostile);
    });
  }
  return results;
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
