import { type FileHandle, open, rm } from 'node:fs/promises';
import type { CDPSession, Page } from 'playwright-core';
import { withCdp } from '../chromium/cdp.js';
import { OWNER_ONLY } from './files.js';

/** Bytes of one piece of a file on its way over the connection. */
const PIECE = 1 << 20;

/**
 * Brings a file from the disk of the machine that a browser runs on: the browser takes it as a file that was chosen for
 * upload, and the DevTools protocol reads that.
 * @param page A page of the browser that nobody looks at.
 */
export async function fetchFile(page: Page, { from, to }: { from: string; to: string }): Promise<void> {
  await withCdp(page, async session => {
    const input = await evaluated(session, `Object.assign(document.createElement('input'), { type: 'file' })`);
    await session.send('DOM.setFileInputFiles', { objectId: input, files: [from] });
    await saveBlob(session, await called(session, input, 'function () { return this.files[0]; }'), to);
  });
}

/** Brings what a page made itself and has at a `blob:` url. */
export async function fetchBlob(page: Page, { url, to }: { url: string; to: string }): Promise<void> {
  await withCdp(page, async session => {
    const blob = await evaluated(session, `fetch(${JSON.stringify(url)}).then(answer => answer.blob())`);
    await saveBlob(session, blob, to);
  });
}

/** Has the browser fetch a url once more, with the cookies of the page, and brings the answer. */
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
      throw new Error(`the answer was ${httpStatusCode || netErrorName}`);
    await saveStream(session, stream, to);
  });
}

async function saveBlob(session: CDPSession, objectId: string, to: string): Promise<void> {
  const { uuid } = await session.send('IO.resolveBlob', { objectId });
  await saveStream(session, `blob:${uuid}`, to);
}

async function saveStream(session: CDPSession, handle: string, to: string): Promise<void> {
  let file: FileHandle | undefined;
  try {
    file = await open(to, 'wx', OWNER_ONLY);
    for (;;) {
      const { data, base64Encoded, eof } = await session.send('IO.read', { handle, size: PIECE });
      await file.write(Buffer.from(data, base64Encoded ? 'base64' : 'utf8'));
      if (eof) break;
    }
    await file.close();
  } catch (error) {
    await file?.close();
    // A file that is there in part is no download.
    await rm(to, { force: true });
    throw error;
  } finally {
    // The browser may be gone, and the stream with it.
    await session.send('IO.close', { handle }).catch(() => undefined);
  }
}

/** Where the page's own scripts have no say. */
async function evaluated(session: CDPSession, expression: string): Promise<string> {
  const { frameTree } = await session.send('Page.getFrameTree');
  const { executionContextId: contextId } = await session.send('Page.createIsolatedWorld', {
    frameId: frameTree.frame.id,
  });
  const question = { expression, contextId, awaitPromise: true };
  const { result, exceptionDetails } = await session.send('Runtime.evaluate', question);
  return objectOf(result, exceptionDetails?.text);
}

async function called(session: CDPSession, objectId: string, functionDeclaration: string): Promise<string> {
  const { result, exceptionDetails } = await session.send('Runtime.callFunctionOn', { objectId, functionDeclaration });
  return objectOf(result, exceptionDetails?.text);
}

function objectOf({ objectId }: { objectId?: string }, problem = 'there is no such file'): string {
  if (objectId === undefined) throw new Error(problem);
  return objectId;
}
