import { writeFile } from 'node:fs/promises';
import { ToolError } from '../../results/errors.js';
import type { Session } from '../session.js';
import { noteOutputs } from '../tab/settle.js';
import type { Tab } from '../tab/tab.js';
import { OWNER_ONLY } from './files.js';

const PDF_PING_MS = 2_000;

interface PdfOptions {
  format?: string;
  landscape?: boolean;
  printBackground: boolean;
}

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
  const seen = await engine.sightings?.look(page, { timeout: PDF_PING_MS });
  if (seen !== undefined && seen.areas.size > 0)
    throw new ToolError('browser_error', 'The page shows a secret, which cannot be covered in a PDF.', {
      hint: 'Take a browser_screenshot instead: secrets are covered there.',
    });
}
