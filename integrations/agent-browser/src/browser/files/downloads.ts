import { access, chmod, constants, rm, stat } from 'node:fs/promises';
import { extname } from 'node:path';
import { OWNER_ONLY } from '@browser-toolset/core/files';
import { unlessAborted, within } from '@browser-toolset/core/waiting';
import mime from 'mime';
import type { Download, Page, Response } from 'playwright-core';
import { forgetOldest } from '../../limits.js';
import { KnownDownload, type Progress } from '../../results/effects.js';
import { logged, plainMessage, ToolError } from '../../results/errors.js';
import type { SessionNetwork } from '../session-network.js';
import type { SessionBase } from '../session-owner.js';
import type { Limits } from '../tab/engine.js';
import { fetchAgain, fetchBlob, fetchFile, saveDataUrl } from './fetch-file.js';
import { safeFileName } from './files.js';

interface SavePath {
  to: string;
  /** The download came from a GET request, so requesting it again is safe. */
  isRepeatable: boolean;
  /** Opens a blank page in the same browser. The caller closes it. */
  scratchPage(): Promise<Page>;
}

/**
 * Saves a download of a remote browser, which writes to the disk of its own machine: copies the file if this is that
 * machine, else reads it over CDP. A file that the browser may not write is requested again.
 */
async function saveRemote(download: Download, way: SavePath): Promise<void> {
  const { to } = way;
  const failure = await download.failure();
  if (failure !== null) return askAgain(download, failure, way);
  // The path that Playwright chose for the browser to write to.
  const from = await download.path();
  // A file that is missing or unreadable here is on another machine.
  const problem = await access(from, constants.R_OK).catch((error: Error) => error);
  if (problem === undefined) return download.saveAs(to);
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

interface DownloadingSession extends SessionBase {
  readonly network: SessionNetwork;
  /** The caller closes the page. */
  scratchPage(): Promise<Page>;
}

/** Playwright's reason for every download that Chromium did not complete. */
const CANCELED = 'canceled';

/** The latest navigation responses, one of which may turn out to be a download's. */
const ANSWERS_KEPT = 20;

interface AnsweredDownload {
  type: string | undefined;
  isRepeatable: boolean;
}

/** Saves downloads under safe names in the session's folder, and reports each until it has ended. */
export class Downloads {
  #answers = new Map<string, AnsweredDownload>();

  constructor(readonly session: DownloadingSession) {}

  /** A download event has no content type; the navigation response that became the download does. */
  noteResponse(response: Response): void {
    if (!response.request().isNavigationRequest()) return;
    const type = response.headers()['content-type']?.split(';')[0]?.trim();
    this.#answers.set(response.url(), { type, isRepeatable: response.request().method() === 'GET' });
    forgetOldest(this.#answers, ANSWERS_KEPT);
  }

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
   * Resolves when the downloads that began since `since` (`performance.now()`) have ended, or at the timeout.
   * @throws ToolError `download_failed` when one of them failed.
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

  /** Records every outcome in the effects, for this result or a later one. */
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
      // A partial file is not a download. Its folder may be none by now.
      if (path !== undefined) await rm(path, { force: true }).catch(logged(this.session, 'a partial file is left'));
    }
  }

  async #bring(download: Download, path: string, answer: AnsweredDownload | undefined): Promise<void> {
    if (this.session.owner.config.cdpUrl === undefined) return download.saveAs(path);
    // A download without a navigation response comes from a link, which requests it with GET.
    const isRepeatable = answer?.isRepeatable ?? true;
    await saveRemote(download, { to: path, isRepeatable, scratchPage: () => this.session.scratchPage() });
  }

  /** The reason for a model that cannot see this machine. Chromium itself gives none. */
  #whyFailed(download: Download, { began, progress }: KnownDownload, cause: unknown): string {
    const message = plainMessage(cause);
    if (message.includes('has been closed')) return 'the browser was closed before the download was complete';
    if (message !== CANCELED) return message;
    const { refusal, error } = this.session.network.whyUnreached(download.url(), began) ?? {};
    if (refusal !== undefined) return `its URL is refused: ${refusal.reason} (${refusal.rule})`;
    if (error !== undefined) return `its server could not be reached (${error})`;
    const { receivedBytes = 0, totalBytes } = progress();
    if (receivedBytes === 0) return 'it was interrupted: the server did not send all of it, or it was cancelled';
    return `it was interrupted after ${receivedBytes} ${totalBytes === undefined ? 'bytes' : `of ${totalBytes} bytes`}`;
  }
}
