import { access, constants, writeFile } from 'node:fs/promises';
import type { Download, Page } from 'playwright-core';
import { OWNER_ONLY } from './files.js';
import { fetchAgain, fetchBlob, fetchFile } from './remote-file.js';

/** Everything that is needed to bring a download here. */
export interface Way {
  to: string;
  /** The download answered to a GET, and asking once more gets the same. */
  isRepeatable: boolean;
  /** Opens a blank page in the browser that downloaded. Whoever asks closes it. */
  scratchPage(): Promise<Page>;
}

/**
 * Brings what a remote browser has downloaded. Such a browser writes to the disk of its own machine: when that is this one's
 * the file is taken from there, else it comes over the connection. What the browser may not write at all is asked for again.
 */
export async function saveRemote(download: Download, way: Way): Promise<void> {
  const { to } = way;
  const failure = await download.failure();
  if (failure !== null) return askAgain(download, failure, way);
  // The path that Playwright has told the browser to write to.
  const from = await download.path();
  if (await isHere(from)) {
    await download.saveAs(to);
    return;
  }
  const page = await way.scratchPage();
  try {
    await fetchFile(page, { from, to });
  } catch (error) {
    await askAgain(download, String(error), way);
  } finally {
    await page.close();
  }
}

async function askAgain(download: Download, failure: string, { to, isRepeatable, scratchPage }: Way): Promise<void> {
  const url = download.url();
  if (url.startsWith('data:')) return saveDataUrl(url, to);
  if (url.startsWith('blob:')) return fetchBlob(download.page(), { url, to });
  if (!isRepeatable) throw new Error(failure);
  const page = download.page().isClosed() ? await scratchPage() : undefined;
  try {
    await fetchAgain(page ?? download.page(), { url, to });
  } catch (cause) {
    throw new Error(failure, { cause });
  } finally {
    await page?.close();
  }
}

async function saveDataUrl(url: string, to: string): Promise<void> {
  const answer = await fetch(url);
  await writeFile(to, Buffer.from(await answer.arrayBuffer()), { mode: OWNER_ONLY });
}

async function isHere(path: string): Promise<boolean> {
  try {
    await access(path, constants.R_OK);
    return true;
  } catch {
    // Not there, or not for us to read: then it is not here.
    return false;
  }
}
