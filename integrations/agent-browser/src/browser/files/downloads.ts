import { chmod, rm, stat } from 'node:fs/promises';
import { extname } from 'node:path';
import { unlessAborted, within } from '@browser-toolset/core/waiting';
import mime from 'mime';
import type { Download, Page, Response } from 'playwright-core';
import type { ResolvedConfig } from '../../config.js';
import { type EffectsLog, KnownDownload, type Progress } from '../../outcome/effects-log.js';
import { plainMessage, ToolError } from '../../outcome/errors.js';
import type { SessionLog } from '../../outcome/log.js';
import type { Secrets } from '../../policy/secrets.js';
import type { SessionNetwork } from '../session-network.js';
import type { Limits } from '../tab/engine.js';
import { OWNER_ONLY, type SessionFiles, safeFileName } from './files.js';
import { saveRemote } from './remote-download.js';

export interface DownloadOwner {
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
interface Answer {
  type: string | undefined;
  isRepeatable: boolean;
}

/** Saves what the pages of a session download, under safe names in the session's folder. Each is told until it has ended. */
export class Downloads {
  #answers = new Map<string, Answer>();

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
  async #save(download: Download, known: KnownDownload, answer: Answer | undefined): Promise<void> {
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

  async #bring(download: Download, path: string, answer: Answer | undefined): Promise<void> {
    if (this.session.owner.config.cdpUrl === undefined) return download.saveAs(path);
    // A link that is a download by itself asks with GET.
    const isRepeatable = answer?.isRepeatable ?? true;
    await saveRemote(download, { to: path, isRepeatable, scratchPage: () => this.session.scratchPage() });
  }

  /** In the words of somebody who does not see this machine. Chromium itself gives no reason. */
  #whyFailed(download: Download, { began, progress }: KnownDownload, cause: unknown): string {
    const message = plainMessage(cause);
    if (isGone(cause)) return 'the browser was closed before all of it had come';
    if (message !== CANCELED) return message;
    const { refusal, error } = this.session.network.whyUnreached(download.url(), began) ?? {};
    if (refusal !== undefined) return `its address is refused: ${refusal.reason} (${refusal.rule})`;
    if (error !== undefined) return `its server was not reached (${error})`;
    const { receivedBytes = 0, totalBytes } = progress();
    if (receivedBytes === 0) return 'it broke off: the server did not send all of it, or it was cancelled';
    return `it broke off after ${receivedBytes} ${totalBytes === undefined ? 'bytes' : `of ${totalBytes} bytes`}`;
  }
}

/** Playwright's error for what went with its browser. */
function isGone(error: unknown): boolean {
  return error instanceof Error && error.message.includes('has been closed');
}
