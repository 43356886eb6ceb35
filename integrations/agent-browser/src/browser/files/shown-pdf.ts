import { readFile, rm } from 'node:fs/promises';
import { extname } from 'node:path';
import { plainMessage, ToolError } from '../../results/errors.js';
import type { Session } from '../session.js';
import { openableUrl } from '../tab/openable-url.js';
import type { Tab } from '../tab/tab.js';
import { fetchAgain, fetchBlob, saveDataUrl } from './fetch-file.js';

/** How a PDF file begins, within its first kilobyte (ISO 32000-1, 7.5.2, and what readers accept). */
const SIGNATURE = '%PDF-';
const SIGNATURE_WITHIN = 1024;

export interface PdfFile {
  path: string;
  bytes: Uint8Array;
}

/**
 * Saves the PDF that a tab shows into the session's folder. The browser requests it again, with the page's cookies.
 * @param url Of the document or of the element that shows it.
 * @throws ToolError `download_failed` when its server does not send it again, `url_blocked` when its URL is refused.
 */
export async function saveShownPdf(session: Session, { page }: Tab, url: string): Promise<PdfFile> {
  const { files, secrets } = session.owner;
  const path = await files.newPath(session.threadId, secrets.hide(fileNameOf(url)));
  try {
    if (url.startsWith('data:')) await saveDataUrl(url, path);
    else if (url.startsWith('blob:')) await fetchBlob(page, { url, to: path });
    else await fetchAgain(page, { url: openableUrl(session, url), to: path });
    const bytes = new Uint8Array(await readFile(path));
    if (!Buffer.from(bytes.subarray(0, SIGNATURE_WITHIN)).includes(SIGNATURE))
      throw new Error('it sent something else');
    return { path, bytes };
  } catch (cause) {
    // What is no PDF is no file of the agent.
    await rm(path, { force: true });
    if (cause instanceof ToolError) throw cause;
    throw new ToolError('download_failed', `The PDF could not be requested again: ${plainMessage(cause)}.`, {
      hint: 'Take a browser_screenshot to see the part that is in view.',
      cause,
    });
  }
}

function fileNameOf(url: string): string {
  const path = /^https?:/.test(url) ? new URL(url).pathname : '';
  const name = path.slice(path.lastIndexOf('/') + 1);
  return extname(name).toLowerCase() === '.pdf' ? name : `${name || 'document'}.pdf`;
}
