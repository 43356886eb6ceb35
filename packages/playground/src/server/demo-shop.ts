import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { asError } from '../demo/unknown-values.js';
import { type DemoSite, startDemoSite } from '../demo-site/index.js';
import { isTaken } from './listen.js';

const shopPlace = z.object({ port: z.int().min(1).max(65_535) });

export interface KeptShop {
  readonly site: DemoSite;
  /** Why the shop is not where earlier threads expect it, in one line for the person at the terminal. */
  readonly notice?: string;
}

/**
 * Serves the demo shop where it was the last time: the tasks of stored threads name its address, so a run that outlived
 * its server can only go on there.
 *
 * @param folder has the port in `demo-shop.json`
 */
export async function startKeptShop(folder: string): Promise<KeptShop> {
  const path = join(folder, 'demo-shop.json');
  const kept = await keptPort(path);
  const opened = await openShop(kept);
  const port = Number(new URL(opened.site.url).port);
  if (port !== kept.port) await keep(path, port);
  return opened;
}

interface KeptPort {
  /** 0 where none is known. */
  readonly port: number;
  readonly notice?: string;
}

const MOVED = 'Tasks of earlier threads that name its old address cannot go on: send them again.';

async function keptPort(path: string): Promise<KeptPort> {
  try {
    return shopPlace.parse(JSON.parse(await readFile(path, 'utf8')));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { port: 0 };
    const reason = error instanceof z.ZodError ? 'it holds no port' : asError(error).message;
    return { port: 0, notice: `The demo shop has a new address, as ${path} cannot be read (${reason}). ${MOVED}` };
  }
}

async function openShop({ port, notice }: KeptPort): Promise<KeptShop> {
  try {
    return { site: await startDemoSite({ port }), ...(notice !== undefined && { notice }) };
  } catch (error) {
    if (!isTaken(error)) throw error;
    const site = await startDemoSite();
    return { site, notice: `Port ${port} is taken, so the demo shop is at ${site.url} now. ${MOVED}` };
  }
}

/** In its place at once: whoever reads it after a crash finds a whole one. */
async function keep(path: string, port: number): Promise<void> {
  await writeFile(`${path}.tmp`, JSON.stringify({ port }));
  await rename(`${path}.tmp`, path);
}
