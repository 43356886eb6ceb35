import { once } from 'node:events';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { extname } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import { OWNER_ONLY } from '@browser-toolset/core/files';
import { inTime, unlessAborted } from '@browser-toolset/core/waiting';
import type { Page } from 'playwright-core';
import { z } from 'zod/v4';
import { logged, plainMessage, ToolError } from '../../results/errors.js';
import type { Session } from '../session.js';
import { openableUrl } from '../tab/openable-url.js';
import { noteOutputs } from '../tab/settle.js';
import type { Tab } from '../tab/tab.js';
import { fetchAgain, fetchBlob, saveDataUrl } from './fetch-file.js';

const PDF_PING_MS = 2_000;

type PdfOptions = Parameters<Page['pdf']>[0];

/**
 * Prints a page as PDF into the session's folder. Returns the path and the size in bytes.
 * @throws ToolError `browser_error` when the page shows a secret, which cannot be covered in a PDF.
 */
export async function savePdf(
  session: Session,
  tab: Tab,
  options: PdfOptions,
): Promise<{ path: string; size: number }> {
  await refuseSecrets(tab);
  const bytes = await tab.page.pdf(options);
  await refuseSecrets(tab);
  const path = await session.owner.files.newPath(session.threadId, `${tab.title.trim() || 'page'}.pdf`);
  await writeFile(path, bytes, { mode: OWNER_ONLY });
  // The page records this as a print too; reading it now keeps it from being reported.
  await noteOutputs(tab);
  tab.hasPrinted = false;
  return { path, size: bytes.length };
}

async function refuseSecrets({ engine, page }: Tab): Promise<void> {
  const seen = await engine.secretOccurrences?.read(page, { timeout: PDF_PING_MS });
  if (seen !== undefined && seen.areas.size > 0)
    throw new ToolError('browser_error', 'The page shows a secret, which cannot be covered in a PDF.', {
      hint: 'Take a browser_screenshot instead: secrets are covered there.',
    });
}

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
    await rm(path, { force: true }).catch(logged(session, 'a partial file is left'));
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

/** Megabytes of the heap of a worker: a file that needs more is given up. */
const HEAP_MB = 512;
/** In milliseconds, for files of thousands of pages. */
const LONGEST_MS = 60_000;

/** Runs in a thread of its own, so that a large or hostile file neither blocks nor crashes the host program. */
const WORKER = `
const { parentPort, workerData } = require('node:worker_threads');
(async () => {
  const { extractText, getDocumentProxy } = await import(workerData.library);
  const pdf = await getDocumentProxy(workerData.bytes, { verbosity: 0 });
  const { text } = await extractText(pdf, { mergePages: false });
  parentPort.postMessage({ pages: text });
})().catch(error => parentPort.postMessage({ message: String(error?.message ?? error) }));
`;

const workerAnswer = z.union([z.object({ pages: z.array(z.string()) }), z.object({ message: z.string() })]);

/**
 * The texts of the pages of a PDF.
 * @throws ToolError `browser_error` for a file that cannot be read, `timeout` after a minute, `aborted` with the signal's.
 */
export async function pdfPageTexts(bytes: Uint8Array, signal: AbortSignal | undefined): Promise<string[]> {
  const library = pathToFileURL(createRequire(import.meta.url).resolve('unpdf')).href;
  const worker = new Worker(WORKER, {
    eval: true,
    workerData: { library, bytes },
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
    stdout: true,
    stderr: true,
  });
  // An error after the answer must not end the program.
  worker.on('error', () => undefined);
  const answer = once(worker, 'message').catch(cause => {
    throw unreadable(cause.message, cause);
  });
  const late = () => new ToolError('timeout', `The PDF was not read within ${LONGEST_MS / 1000} s.`);
  try {
    const [message] = await inTime(LONGEST_MS, unlessAborted(answer, signal), late);
    const parsed = workerAnswer.parse(message);
    if ('pages' in parsed) return parsed.pages;
    throw unreadable(parsed.message);
  } finally {
    await worker.terminate();
  }
}

function unreadable(message: string, cause?: unknown): ToolError {
  return new ToolError('browser_error', `The PDF cannot be read: ${message}`, { canRetry: false, cause });
}

/** The text of a PDF, with a line before each of its pages where there are several. */
export function pdfText(pages: readonly string[]): string {
  const [only = ''] = pages;
  if (pages.length < 2) return only.trim();
  return pages.map((text, index) => `[page ${index + 1} of ${pages.length} of the PDF]\n${text.trim()}`).join('\n\n');
}
