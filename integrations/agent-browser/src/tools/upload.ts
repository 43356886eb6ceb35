import { within } from '@browser-toolset/core/waiting';
import type { ElementHandle, FileChooser } from 'playwright-core';
import { z } from 'zod/v4';
import { actOn, clickElement } from '../actions/press.js';
import type { Session } from '../browser/session.js';
import type { Action } from '../call/action.js';
import { defineTool, refField } from '../call/define.js';
import { riskOfPress, valuesEntered, withClass } from '../call/risk.js';
import type { FileField } from '../page/protocol.js';
import { readUploads, type UploadFile } from '../policy/files.js';
import { describeRef } from '../refs/registry.js';
import { isTimeout, ToolError } from '../results/errors.js';

/** A button may send a request before it opens its file chooser. */
const CHOOSER_TIMEOUT_MS = 2_000;

const fileSchema = z.object({ name: z.string(), size: z.number() });

export const upload = defineTool({
  id: 'browser_upload',
  description: 'Upload files through a file input, an upload button or a drop zone.',
  input: z.strictObject({
    ref: refField,
    paths: z.array(z.string().min(1).max(4096)).min(1).max(50).describe('Inside the allowed folders'),
  }),
  output: {
    files: z.array(fileSchema).optional(),
    via: z.enum(['field', 'chooser', 'drop']).optional(),
    notAccepted: z.object({ accept: z.string(), files: z.array(z.string()) }).optional(),
  },
  policy: { changesPage: true, sendsInput: true },
  risk: (session, { ref }) => withClass('upload', riskOfPress(session, ref)),
  enters: ({ paths }) => valuesEntered('files', paths),
  async run(action, { ref, paths }) {
    const roots = await rootsOf(action.session);
    const checked = await readUploads(paths, roots);
    if (!checked.allowed) throw new ToolError('file_not_allowed', checked.reason, { hint: whereFrom(roots) });
    const { files } = checked;
    const { facts } = await action.factsOf(ref);
    if (facts.fileField !== undefined) return intoField(action, ref, { files, field: facts.fileField });
    if (await action.takesDrops(ref)) return drop(action, ref, files);
    const chooser = await chooserOf(action, ref);
    return chooser === undefined ? drop(action, ref, files) : intoChooser(action, chooser, files);
  },
  /** The files in the field after the page has reacted; none if the field was removed. */
  report: (action, _, { acted }) => {
    if (action.facts.via !== 'field') return {};
    return { files: (acted?.fileField?.files ?? []).map(nameAndSize) };
  },
  headline: ({ files = [], via, notAccepted }) => {
    const held = files.map(({ name, size }) => `${name} (${size} bytes)`).join(', ');
    const what = via === 'drop' ? `Dropped ${held}.` : held === '' ? EMPTIED : `The field holds ${held}.`;
    if (notAccepted === undefined) return what;
    return `${what} It accepts only ${notAccepted.accept}; not matching: ${notAccepted.files.join(', ')}.`;
  },
});

const EMPTIED = 'Gave the files to the field; it is empty again, because the page has processed or rejected them.';

async function rootsOf({ threadId, owner }: Session): Promise<readonly string[]> {
  const { uploadRoots } = owner.config;
  return typeof uploadRoots === 'function' ? uploadRoots({ threadId }) : uploadRoots;
}

function whereFrom(roots: readonly string[]): string {
  if (roots.length > 0) return `Use files inside ${roots.join(', ')}.`;
  return 'Only the developer can allow folders, with the option uploadRoots. Tell the user.';
}

type Uploaded = { via: 'field' | 'chooser' | 'drop'; files?: z.output<typeof fileSchema>[] } & NotAccepted;
interface NotAccepted {
  notAccepted?: { accept: string; files: string[] };
}

async function intoField(
  action: Action,
  ref: string,
  given: { files: UploadFile[]; field: FileField },
): Promise<Uploaded> {
  const { files, field } = given;
  if (field.disabled) throw new ToolError('element_disabled', `The file field of ${ref} is disabled.`);
  checkFit(ref, files, field);
  action.facts.via = 'field';
  await actOn(action, ref, (locator, limits) => locator.setInputFiles(files.map(payload), limits), { to: 'upload' });
  const { acted } = action;
  const now = acted && (await action.readBack());
  return { via: 'field', ...uploadedFiles(now?.fileField ?? { ...field, files: [] }) };
}

function checkFit(
  what: string,
  files: UploadFile[],
  { multiple, folder }: Pick<FileField, 'multiple' | 'folder'>,
): void {
  if (folder) throw new ToolError('invalid_input', `paths: ${what} expects a whole folder, which cannot be uploaded.`);
  if (files.length > 1 && !multiple)
    throw new ToolError('invalid_input', `paths: ${what} accepts one file, not ${files.length}.`);
}

/** Clicks an element that opens a file chooser. Undefined if none opens. */
async function chooserOf(action: Action, ref: string): Promise<FileChooser | undefined> {
  const { page } = action.tab;
  let notice: (chooser: FileChooser) => void = () => undefined;
  const opened = new Promise<FileChooser>(resolve => {
    notice = resolve;
  });
  page.once('filechooser', notice);
  try {
    await clickElement(action, ref);
    const chooser = await within(CHOOSER_TIMEOUT_MS, opened);
    if (chooser !== undefined) action.session.effects.forgetFileChooser();
    return chooser;
  } finally {
    page.off('filechooser', notice);
  }
}

async function intoChooser(action: Action, chooser: FileChooser, files: UploadFile[]): Promise<Uploaded> {
  const field = await fileFieldIn(chooser.element());
  checkFit('the file chooser', files, { ...field, multiple: chooser.isMultiple() });
  await chooser.setFiles(files.map(payload), { timeout: action.timeout });
  const after = await fileFieldIn(chooser.element()).catch(() => ({ ...field, files: [] }));
  return { via: 'chooser', ...uploadedFiles(after) };
}

/** The file input behind a file chooser; it has no ref. */
async function fileFieldIn(element: ElementHandle): Promise<Omit<FileField, 'disabled'>> {
  return (element as ElementHandle<HTMLInputElement>).evaluate(input => ({
    accept: input.accept,
    multiple: input.multiple,
    folder: input.webkitdirectory,
    files: Array.from(input.files ?? [], ({ name, size, type }) => ({ name, size, type })),
  }));
}

async function drop(action: Action, ref: string, files: UploadFile[]): Promise<Uploaded> {
  try {
    await actOn(action, ref, (locator, limits) => locator.drop({ files: files.map(payload) }, limits));
  } catch (error) {
    if (error instanceof ToolError || isTimeout(error) || action.signal.aborted) throw error;
    const { told: element } = action.entry(ref);
    const what = `${ref} (${describeRef(element)})`;
    throw new ToolError(
      'invalid_input',
      `ref: ${what} did not open a file chooser and does not accept dropped files.`,
      {
        hint: 'Use the ref of the file input, its button or the drop zone.',
        cause: error,
      },
    );
  }
  return { via: 'drop', files: files.map(({ name, buffer }) => ({ name, size: buffer.byteLength })) };
}

function uploadedFiles({
  accept,
  files,
}: Pick<FileField, 'accept' | 'files'>): { files: Uploaded['files'] } & NotAccepted {
  const wrong = files.filter(file => !accepts(accept, file)).map(({ name }) => name);
  return { files: files.map(nameAndSize), ...(wrong.length > 0 && { notAccepted: { accept, files: wrong } }) };
}

function nameAndSize({ name, size }: { name: string; size: number }): { name: string; size: number } {
  return { name, size };
}

/** With an empty type, Playwright derives the MIME type from the name. */
function payload({ name, buffer }: UploadFile): { name: string; mimeType: string; buffer: Buffer } {
  return { name, mimeType: '', buffer };
}

/** Whether a file matches `accept` of its field (HTML, file upload state). An empty one accepts every file. */
function accepts(accept: string, { name, type }: { name: string; type: string }): boolean {
  const tokens = accept
    .toLowerCase()
    .split(',')
    .map(token => token.trim())
    .filter(token => token !== '');
  const [file, kind] = [name.toLowerCase(), type.toLowerCase()];
  const fits = (token: string): boolean => {
    if (token.startsWith('.')) return file.endsWith(token);
    if (token === '*/*' || token === '*') return true;
    return token.endsWith('/*') ? kind.startsWith(token.slice(0, -1)) : kind === token;
  };
  return tokens.length === 0 || tokens.some(fits);
}
