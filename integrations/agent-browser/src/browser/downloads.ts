import { stat } from 'node:fs/promises';
import type { Download } from 'playwright-core';
import type { DownloadReport } from '../outcome/effects.js';
import type { SessionFiles } from './files.js';

export interface DownloadContext {
  files: SessionFiles;
  threadId: string;
  /** Told when the download begins and again when it is there. */
  tell(report: DownloadReport): void;
}

/** Saves a download under a safe name in the session's folder. Rejects when it does not complete. */
export async function saveDownload(download: Download, { files, threadId, tell }: DownloadContext): Promise<void> {
  const fileName = download.suggestedFilename();
  tell({ fileName, state: 'in_progress' });
  const path = await files.newPath(threadId, fileName);
  await download.saveAs(path);
  const { size } = await stat(path);
  tell({ fileName, path, fileSize: size, state: 'completed' });
}
