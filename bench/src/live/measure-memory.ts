import { setTimeout as pause } from 'node:timers/promises';
import { MEBIBYTE, median, round } from '../statistics.ts';
import type { Usage } from './child-messages.ts';
import type { LivePages } from './pages.ts';
import { withServer } from './server-process.ts';
import { LiveViewer } from './viewer.ts';

/** The memory of our server while two viewers, one in each form, watch an animated page. */
export interface FlatMemory {
  minutes: number;
  frames: number;
  /** Resident memory in MiB after the first tenth of the time, and at the end. */
  rssBefore: number;
  rssAfter: number;
  /** MiB that what is reachable has grown by: V8's heap and its buffers, after a collection. */
  heldGrowth: number;
}

const readingsOfAnEnd = 5;

export async function measureFlatMemory(pages: LivePages, minutes: number): Promise<FlatMemory> {
  return withServer('ours', async server => {
    await server.show(pages.url('animated'));
    const viewers = [await LiveViewer.open(server.url), await LiveViewer.open(`${server.url}&frames=binary`)];
    const read = async () => {
      const readings: Usage[] = [];
      for (let reading = 0; reading < readingsOfAnEnd; reading++) {
        await pause(200);
        readings.push(await server.usage(true));
      }
      const middle = (key: 'rss' | 'heapUsed' | 'external') => median(readings.map(usage => usage[key])) / MEBIBYTE;
      return { rss: middle('rss'), held: middle('heapUsed') + middle('external') };
    };
    await pause(minutes * 6_000);
    const before = await read();
    await pause(minutes * 54_000);
    const after = await read();
    const { frames } = await server.usage();
    await Promise.all(viewers.map(viewer => viewer.close()));
    return {
      minutes,
      frames,
      rssBefore: round(before.rss),
      rssAfter: round(after.rss),
      heldGrowth: round(after.held - before.held),
    };
  });
}
