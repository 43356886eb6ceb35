import { access, chmod, constants, type FileHandle, open, rm, stat, writeFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { unlessAborted, within } from '@browser-toolset/core/waiting';
import mime from 'mime';
import type { CDPSession, Download, Page, Response } from 'playwright-core';
import type { SessionLog } from '../../observe/observation.js';
import type { ResolvedConfig } from '../../options.js';
import type { Secrets } from '../../policy/secrets.js';
import { type EffectsLog, KnownDownload, type Progress } from '../../results/effects.js';
import { plainMessage, ToolError } from '../../results/errors.js';
import { withCdp } from '../chromium/cdp.js';
import type { SessionNetwork } from '../session-network.js';
import type { Limits } from '../tab/engine.js';
import { OWNER_ONLY, type SessionFiles, safeFileName } from './files.js';

/** Bytes of one piece of a file on its way over the connection. */
const PIECE = 1 << 20;

/**
 * Brings a file from the disk of the machine that a browser runs on: the browser takes it as a file that was chosen for
 * upload, and the DevTools protocol reads that.
 * @param page A page of the browser that nobody looks at.
 */
async function fetchFile(page: Page, { from, to }: { from: string; to: string }): Promise<void> {
  await withCdp(page, async session => {
    const input = await evaluated(session, `Object.assign(document.createElement('input'), { type: 'file' })`);
    await session.send('DOM.setFileInputFiles', { objectId: input, files: [from] });
    await saveBlob(session, await callFunctionOn(session, input, 'function () { return this.files[0]; }'), to);
  });
}

/** Brings what a page made itself and has at a `blob:` url. */
async function fetchBlob(page: Page, { url, to }: { url: string; to: string }): Promise<void> {
  await withCdp(page, async session => {
    const blob = await evaluated(session, `fetch(${JSON.stringify(url)}).then(answer => answer.blob())`);
    await saveBlob(session, blob, to);
  });
}

/** Has the browser fetch a url once more, with the cookies of the page, and brings the answer. */
async function fetchAgain(page: Page, { url, to }: { url: string; to: string }): Promise<void> {
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

async function callFunctionOn(session: CDPSession, objectId: string, functionDeclaration: string): Promise<string> {
  const { result, exceptionDetails } = await session.send('Runtime.callFunctionOn', { objectId, functionDeclaration });
  return objectOf(result, exceptionDetails?.text);
}

function objectOf({ objectId }: { objectId?: string }, problem = 'there is no such file'): string {
  if (objectId === undefined) throw new Error(problem);
  return objectId;
}

/** Everything that is needed to bring a download here. */
interface SavePath {
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
async function saveRemote(download: Download, way: SavePath): Promise<void> {
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

async function askAgain(
  download: Download,
  failure: string,
  { to, isRepeatable, scratchPage }: SavePath,
): Promise<void> {
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

interface DownloadOwner {
  readonly threadId: string;
  readonly owner: {
    readonly files: SessionFiles;
    readonly log: SessionLog;
    readonly config: Pick<ResolvedConfig, 'cdpUrl'>;
    /** No file is named after a secret. */
    readonly secrets: Secrets;
  };
  /** Told when a download begins and how it ends. */
  readonly effects: EffectsLog;
  /** Knows why a place was not reached. */
  readonly network: Pick<SessionNetwork, 'whyUnreached'>;
  /** Opens a blank page that is no tab. Whoever asks closes it. */
  scratchPage(): Promise<Page>;
}

/** Playwright's word for every download that Chromium did not bring to its end. */
const CANCELED = 'canceled';

/** So many answers are kept: one of them may be a download's. */
const ANSWERS_KEPT = 20;

/** The facts of the answer that began a download. */
interface AnsweredDownload {
  type: string | undefined;
  isRepeatable: boolean;
}

/** Saves what the pages of a session download, under safe names in the session's folder. Each is told until it has ended. */
export class Downloads {
  #answers = new Map<string, AnsweredDownload>();

  constructor(readonly session: DownloadOwner) {}

  /** A download does not tell its type; the answer that began it does, where a navigation turned into one. */
  noteResponse(response: Response): void {
    if (!response.request().isNavigationRequest()) return;
    const type = response.headers()['content-type']?.split(';')[0]?.trim();
    this.#answers.set(response.url(), { type, isRepeatable: response.request().method() === 'GET' });
    for (const oldest of this.#answers.keys()) {
      if (this.#answers.size <= ANSWERS_KEPT) break;
      this.#answers.delete(oldest);
    }
  }

  /** @param progress How much of it has come. */
  save(download: Download, progress: Progress): void {
    const { effects, owner } = this.session;
    const fileName = safeFileName(owner.secrets.hide(download.suggestedFilename()));
    const answer = this.#answers.get(download.url());
    const mimeType = answer?.type ?? mime.getType(extname(fileName)) ?? undefined;
    const report = { fileName, ...(mimeType !== undefined && { mimeType }) };
    const known = new KnownDownload(effects, { ...report, state: 'in_progress' }, progress);
    effects.download(known);
    known.ended = this.#save(download, known, answer);
  }

  /**
   * Resolves when the downloads that began since are there or their time is over.
   * @param since `performance.now()` of that time.
   * @throws ToolError `download_failed` when one of them cannot be had.
   */
  async settled(since: number, { timeout, signal }: Limits): Promise<void> {
    const { effects } = this.session;
    const begun = effects.downloads.filter(({ began }) => began >= since);
    if (begun.length === 0) return;
    await within(timeout, unlessAborted(Promise.all(begun.map(({ ended }) => ended)), signal));
    const failed = begun.find(({ report }) => report.state === 'failed');
    if (failed !== undefined) {
      const { fileName, error } = failed.report;
      throw new ToolError('download_failed', `${fileName} could not be downloaded: ${error}`);
    }
    for (const download of effects.downloads)
      if (download.report.state === 'in_progress') download.now({ state: 'timeout' });
  }

  /** Whatever becomes of a download is told, with this result or a later one. */
  async #save(download: Download, known: KnownDownload, answer: AnsweredDownload | undefined): Promise<void> {
    const { threadId, owner } = this.session;
    let path: string | undefined;
    try {
      path = await owner.files.newPath(threadId, known.report.fileName);
      await this.#bring(download, path, answer);
      await chmod(path, OWNER_ONLY);
      const { size } = await stat(path);
      known.now({ path, fileSize: size, state: 'completed' });
    } catch (cause) {
      const error = this.#whyFailed(download, known, cause);
      owner.log.debug('download failed', {
        threadId,
        fileName: known.report.fileName,
        path,
        error: plainMessage(cause),
      });
      known.now({ state: 'failed', error });
      // A file that is there in part is no download.
      if (path !== undefined) await rm(path, { force: true });
    }
  }

  async #bring(download: Download, path: string, answer: AnsweredDownload | undefined): Promise<void> {
    if (this.session.owner.config.cdpUrl === undefined) return download.saveAs(path);
    // A link that is a download by itself asks with GET.
    const isRepeatable = answer?.isRepeatable ?? true;
    await saveRemote(download, { to: path, isRepeatable, scratchPage: () => this.session.scratchPage() });
  }

  /** In the words of somebody who does not see this machine. Chromium itself gives no reason. */
  #whyFailed(download: Download, { began, progress }: KnownDownload, cause: unknown): string {
    const message = plainMessage(cause);
    if (isGoneError(cause)) return 'the browser was closed before the download was complete';
    if (message !== CANCELED) return message;
    const { refusal, error } = this.session.network.whyUnreached(download.url(), began) ?? {};
    if (refusal !== undefined) return `its URL is refused: ${refusal.reason} (${refusal.rule})`;
    if (error !== undefined) return `its server could not be reached (${error})`;
    const { receivedBytes = 0, totalBytes } = progress();
    if (receivedBytes === 0) return 'it was interrupted: the server did not send all of it, or it was cancelled';
    return `it was interrupted after ${receivedBytes} ${totalBytes === undefined ? 'bytes' : `of ${totalBytes} bytes`}`;
  }
}

/** Playwright's error for what went with its browser. */
function isGoneError(error: unknown): boolean {
  return error instanceof Error && error.message.includes('has been closed');
}
