import { setTimeout as pause } from 'node:timers/promises';
import { round } from '../statistics.ts';
import type { LivePages } from './pages.ts';
import { withServer } from './server-process.ts';
import { LiveViewer } from './viewer.ts';

/** Bytes of a frame as a viewer gets it, of the same frames in both forms. */
export interface FrameBytes {
  text: number;
  binary: number;
  ratio: number;
}

/** Two viewers watch the same animated page, one in each form. Only frames that both have got are compared. */
export async function measureBytes(pages: LivePages, milliseconds: number): Promise<FrameBytes> {
  return withServer('ours', async server => {
    await server.show(pages.url('animated'));
    const text = await record(server.url);
    const binary = await record(`${server.url}&frames=binary`);
    await pause(milliseconds);
    await Promise.all([text.viewer.close(), binary.viewer.close()]);
    const sizes = text.frames.flatMap(frame => {
      const same = binary.byPicture.get(Buffer.from(`${frame}`, 'base64').toString('latin1'));
      return same === undefined ? [] : [{ text: frame.length, binary: same }];
    });
    if (sizes.length === 0) throw new Error('the two viewers have no frame in common');
    const mean = (key: 'text' | 'binary') => sizes.reduce((sum, size) => sum + size[key], 0) / sizes.length;
    return {
      text: round(mean('text'), 0),
      binary: round(mean('binary'), 0),
      ratio: round(mean('binary') / mean('text'), 4),
    };
  });
}

interface Recording {
  viewer: LiveViewer;
  frames: Buffer[];
  /** Length of each frame, by its bytes. */
  byPicture: Map<string, number>;
}

async function record(url: string): Promise<Recording> {
  const frames: Buffer[] = [];
  const byPicture = new Map<string, number>();
  const viewer = await LiveViewer.open(url, ({ data }) => {
    frames.push(data);
    byPicture.set(data.toString('latin1'), data.length);
  });
  return { viewer, frames, byPicture };
}
