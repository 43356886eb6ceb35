import { chmod, stat } from 'node:fs/promises';
import { extname } from 'node:path';
import { unlessAborted, within } from '@browser-toolset/core/waiting';
import mime from 'mime';
import type { Download, Page, Response } from 'playwright-core';
import type { ResolvedConfig } from '../../config.js';
import { type EffectsLog, KnownDownload, type Progress } from '../../outcome/effects-log.js';
import { plainMessage, ToolError } from '../../outcome/errors.js';
import type { SessionLog } from '../../outcome/log.js';
import type { Secrets } from '../../policy/secrets.js';
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
  /** Told when a download begins and when it is there. */
  readonly effects: EffectsLog;
  /** Opens a blank page that is no tab. Whoever asks closes it. */
  scratchPage(): Promise<Page>;
}

/** So many answers are kept: one of them may be a download's. */
const ANSWERS_KEPT = 20;

/** The facts of the answer that began a download. */
interface Answer {
  type: string | undefined;
  isRepeatable: boolean;
}

/** Saves what the pages of a session download, under safe names in the session's folder. */
export class Downloads {
  /** Downloads under way; each resolves with what kept it from completing, if anything. */
  #open = new Set<Promise<ToolError | undefined>>();
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
    const saved = this.#save(download, progress).finally(() => this.#open.delete(saved));
    this.#open.add(saved);
  }

  /** The downloads under way, to tell later ones from them. */
  get underWay(): ReadonlySet<unknown> {
    return new Set(this.#open);
  }

  /**
   * Resolves when the downloads that began since are there or their time is over. Throws when one cannot be had.
   * @param earlier What was under way before.
   */
  async settled(earlier: ReadonlySet<unknown>, { timeout, signal }: Limits): Promise<void> {
    const begun = [...this.#open].filter(download => !earlier.has(download));
    if (begun.length === 0) return;
    const ended = await within(timeout, unlessAborted(Promise.all(begun), signal));
    const failure = ended?.find(result => result !== undefined);
    if (failure !== undefined) throw failure;
    for (const download of this.session.effects.downloads)
      if (download.report.state === 'in_progress') download.now({ state: 'timeout' });
  }

  async #save(download: Download, progress: Progress): Promise<ToolError | undefined> {
    const { effects, threadId, owner } = this.session;
    const { files, log, config, secrets } = owner;
    const fileName = safeFileName(secrets.hide(download.suggestedFilename()));
    const answer = this.#answers.get(download.url());
    const mimeType = answer?.type ?? mime.getType(extname(fileName)) ?? undefined;
    const report = { fileName, ...(mimeType !== undefined && { mimeType }) };
    const known = new KnownDownload(effects, { ...report, state: 'in_progress' }, progress);
    effects.download(known);
    try {
      const path = await files.newPath(threadId, fileName);
      if (config.cdpUrl === undefined) await download.saveAs(path);
      else {
        // A link that is a download by itself asks with GET.
        const isRepeatable = answer?.isRepeatable ?? true;
        await saveRemote(download, { to: path, isRepeatable, scratchPage: () => this.session.scratchPage() });
      }
      await chmod(path, OWNER_ONLY);
      const { size } = await stat(path);
      known.now({ path, fileSize: size, state: 'completed' });
      return undefined;
    } catch (cause) {
      // An action that waits for it fails; one that has ended did not know.
      if (known.report.state === 'timeout') known.now({ state: 'failed', error: plainMessage(cause) });
      else effects.forgetDownload(known);
      log.debug('download failed', { threadId, fileName, error: plainMessage(cause) });
      return new ToolError('download_failed', `${fileName} could not be downloaded: ${plainMessage(cause)}`, { cause });
    }
  }
}
