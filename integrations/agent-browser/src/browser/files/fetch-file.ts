import { rm, writeFile } from 'node:fs/promises';
import { OWNER_ONLY } from '@browser-toolset/core/files';
import type { CDPSession, Page } from 'playwright-core';
import { withCdp } from '../chromium/cdp.js';

/** In bytes: one read over CDP. */
const PIECE = 1 << 20;

/** Copies a file from the disk of the browser's machine through a file input of a scratch page, and CDP. */
export async function fetchFile(page: Page, { from, to }: { from: string; to: string }): Promise<void> {
  await withCdp(page, async session => {
    const input = await evaluated(session, `Object.assign(document.createElement('input'), { type: 'file' })`);
    await session.send('DOM.setFileInputFiles', { objectId: input, files: [from] });
    const question = { objectId: input, functionDeclaration: 'function () { return this.files[0]; }' };
    const { result, exceptionDetails } = await session.send('Runtime.callFunctionOn', question);
    await saveBlob(session, objectOf(result, exceptionDetails?.text), to);
  });
}

/** Copies the content of a `blob:` URL from the page that created it. */
export async function fetchBlob(page: Page, { url, to }: { url: string; to: string }): Promise<void> {
  await withCdp(page, async session => {
    const blob = await evaluated(session, `fetch(${JSON.stringify(url)}).then(answer => answer.blob())`);
    await saveBlob(session, blob, to);
  });
}

/** Makes the browser request a URL again with the page's cookies, and saves the response. */
export async function fetchAgain(page: Page, { url, to }: { url: string; to: string }): Promise<void> {
  await withCdp(page, async session => {
    const { frameTree } = await session.send('Page.getFrameTree');
    const { resource } = await session.send('Network.loadNetworkResource', {
      frameId: frameTree.frame.id,
      url,
      options: { disableCache: false, includeCredentials: true },
    });
    const { success, stream, httpStatusCode = 0, netErrorName = '' } = resource;
    if (!success || stream === undefined || httpStatusCode >= 400)
      throw new Error(`the response was ${httpStatusCode || netErrorName}`);
    await saveStream(session, stream, to);
  });
}

async function saveBlob(session: CDPSession, objectId: string, to: string): Promise<void> {
  const { uuid } = await session.send('IO.resolveBlob', { objectId });
  await saveStream(session, `blob:${uuid}`, to);
}

async function saveStream(session: CDPSession, handle: string, to: string): Promise<void> {
  try {
    await writeFile(to, streamed(session, handle), { mode: OWNER_ONLY, flag: 'wx' });
  } catch (error) {
    // A partial file is not a download.
    await rm(to, { force: true });
    throw error;
  } finally {
    // The browser, and the stream with it, may be gone.
    await session.send('IO.close', { handle }).catch(() => undefined);
  }
}

async function* streamed(session: CDPSession, handle: string): AsyncGenerator<Buffer> {
  for (let hasMore = true; hasMore; ) {
    const { data, base64Encoded, eof } = await session.send('IO.read', { handle, size: PIECE });
    yield Buffer.from(data, base64Encoded ? 'base64' : 'utf8');
    hasMore = !eof;
  }
}

/** Evaluates in a fresh isolated world, which the page's scripts cannot tamper with. */
async function evaluated(session: CDPSession, expression: string): Promise<string> {
  const { frameTree } = await session.send('Page.getFrameTree');
  const { executionContextId: contextId } = await session.send('Page.createIsolatedWorld', {
    frameId: frameTree.frame.id,
  });
  const question = { expression, contextId, awaitPromise: true };
  const { result, exceptionDetails } = await session.send('Runtime.evaluate', question);
  return objectOf(result, exceptionDetails?.text);
}

function objectOf({ objectId }: { objectId?: string }, problem?: string): string {
  // What a script threw is an object too.
  if (problem !== undefined || objectId === undefined) throw new Error(problem ?? 'there is no such file');
  return objectId;
}

export async function saveDataUrl(url: string, to: string): Promise<void> {
  const answer = await fetch(url);
  await writeFile(to, Buffer.from(await answer.arrayBuffer()), { mode: OWNER_ONLY });
}
