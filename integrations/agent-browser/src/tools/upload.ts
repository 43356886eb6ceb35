import { within } from '@browser-toolset/core/waiting';
import mime from 'mime';
import type { ElementHandle, FileChooser, JSHandle, Locator } from 'playwright-core';
import { z } from 'zod/v4';
import { readUploads, type UploadFile } from '#egress/upload-files.js';
import type { FileField, Purpose } from '#page-engine/protocol.js';
import { actOn } from '../actions/act-on.js';
import { clickElement } from '../actions/press.js';
import type { Session } from '../browser/session.js';
import type { Limits } from '../browser/tab/engine.js';
import type { Action } from '../call/action.js';
import { defineTool, refField } from '../call/define.js';
import { riskOfPress, valuesEntered, withClass } from '../call/risk.js';
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
  enters: ({ ref, paths }) => valuesEntered('files', [paths], ref),
  async run(action, { ref, paths }) {
    const roots = await rootsOf(action.session);
    const checked = await readUploads(paths, roots);
    if (!checked.allowed) throw new ToolError('file_not_allowed', checked.reason, { hint: whereFrom(roots) });
    const { files } = checked;
    const { facts } = await action.factsOf(ref);
    if (facts.fileField !== undefined) return intoField(action, ref, files, facts.fileField);
    if (await action.takesDrops(ref)) return drop(action, ref, files);
    const chooser = await chooserOf(action, ref);
    if (chooser === undefined) return drop(action, ref, files);
    return 'inPage' in chooser ? intoPicker(chooser, files) : intoChooser(action, chooser, files);
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

interface Uploaded {
  via: 'field' | 'chooser' | 'drop';
  files?: z.output<typeof fileSchema>[];
  notAccepted?: { accept: string; files: string[] };
}

async function intoField(action: Action, ref: string, files: UploadFile[], field: FileField): Promise<Uploaded> {
  if (field.disabled) throw new ToolError('element_disabled', `The file field of ${ref} is disabled.`);
  checkFit(ref, files, field);
  action.facts.via = 'field';
  await giveOnce(action, ref, {
    event: 'input',
    purpose: { to: 'upload' },
    give: (locator, limits) => locator.setInputFiles(files.map(payload), limits),
  });
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

interface Giving {
  /** What the element gets once it has the files. */
  event: 'input' | 'drop';
  purpose?: Purpose;
  give(locator: Locator, limits: Limits): Promise<void>;
}

/** Gives files to an element. Invariant: once it has them they are not given again, even if it is gone or hidden then. */
async function giveOnce(action: Action, ref: string, { event, purpose, give }: Giving): Promise<void> {
  let receipt: JSHandle<{ isTaken: boolean }> | undefined;
  const isTaken = async (): Promise<boolean> => receipt?.evaluate(({ isTaken }) => isTaken) ?? false;
  const attempt = async (locator: Locator, limits: Limits): Promise<void> => {
    if (await isTaken()) return;
    const element = await locator.elementHandle(limits);
    receipt = await element.evaluateHandle((target, type) => {
      const received = { isTaken: false };
      target.addEventListener(type, () => Object.assign(received, { isTaken: true }), { capture: true, once: true });
      return received;
    }, event);
    await give(locator, limits).catch(async error => {
      if (action.signal.aborted || !(await isTaken())) throw error;
    });
  };
  await actOn(action, ref, attempt, purpose);
}

/** What a page asked of a file picker. */
interface PickerRequest {
  /** As in the `accept` attribute of a file field. */
  accept: string;
  multiple: boolean;
  folder: boolean;
}

/** A stand-in for one file picker, in the page. */
interface PickerInPage {
  asked: Promise<PickerRequest>;
  give(files: { name: string; base64: string }[]): Promise<void>;
  cancel(): void;
  remove(): void;
}

/** A picker that the page has opened. */
interface AskedPicker {
  inPage: JSHandle<PickerInPage>;
  request: PickerRequest;
}

/**
 * Takes the place of the file pickers of a document (File System Access API), which DevTools cannot answer, and keeps the
 * file fields that are opened meanwhile. Runs in the page, for one picker. The page gets handles of files in its own
 * private file system.
 */
function pickerStandIn(): PickerInPage {
  interface PickerOptions {
    multiple?: boolean;
    types?: { accept?: Record<string, string | string[]> }[];
  }
  type Answer = FileSystemFileHandle[];
  const restores: (() => void)[] = [];
  const replace = <Value>(holder: object, name: string, withOther: (own: Value) => Value): void => {
    const own = Object.getOwnPropertyDescriptor(holder, name);
    if (own === undefined) return;
    Object.defineProperty(holder, name, { ...own, value: withOther(own.value as Value) });
    restores.push(() => Object.defineProperty(holder, name, own));
  };
  const { promise: asked, resolve: notice } = Promise.withResolvers<PickerRequest>();
  const { promise: answered, resolve: answer, reject: refuse } = Promise.withResolvers<Answer>();
  for (const name of ['showOpenFilePicker', 'showDirectoryPicker'])
    replace(window, name, () => ({ multiple = false, types = [] }: PickerOptions = {}): Promise<Answer> => {
      const kinds = types.flatMap(({ accept = {} }) => Object.entries(accept).flat(2));
      notice({ accept: kinds.join(), multiple, folder: name === 'showDirectoryPicker' });
      return answered;
    });
  // A page may no longer hold a field that it made for this one click; Chromium would collect it.
  const fields = new Set<unknown>();
  type Opens = (this: unknown, ...given: unknown[]) => unknown;
  const openers: [holder: object, name: string][] = [
    [HTMLElement.prototype, 'click'],
    [HTMLInputElement.prototype, 'showPicker'],
    [EventTarget.prototype, 'dispatchEvent'],
  ];
  for (const [holder, name] of openers)
    replace<Opens>(
      holder,
      name,
      own =>
        function (this: unknown, ...given) {
          if (this instanceof HTMLInputElement) fields.add(this);
          return own.apply(this, given);
        },
    );
  return {
    asked,
    async give(files) {
      const root = await navigator.storage.getDirectory();
      const folder = await root.getDirectoryHandle(`upload-${crypto.randomUUID()}`, { create: true });
      const handles: Answer = [];
      for (const { name, base64 } of files) {
        const handle = await folder.getFileHandle(name, { create: true });
        const writable = await handle.createWritable();
        await writable.write(Uint8Array.from(atob(base64), letter => letter.charCodeAt(0)));
        await writable.close();
        handles.push(handle);
      }
      answer(handles);
    },
    cancel: () => refuse(new DOMException('The user aborted a request.', 'AbortError')),
    remove() {
      for (const restore of restores) restore();
      fields.clear();
    },
  };
}

async function intoPicker({ inPage, request }: AskedPicker, files: UploadFile[]): Promise<Uploaded> {
  const { accept, ...wanted } = request;
  try {
    checkFit('the file picker', files, wanted);
  } catch (error) {
    await inPage.evaluate(picker => picker.cancel());
    throw error;
  }
  const given = files.map(({ name, buffer }) => ({ name, base64: buffer.toString('base64') }));
  await inPage.evaluate((picker, all) => picker.give(all), given);
  const held = files.map(({ name, buffer: { byteLength } }) => ({
    name,
    size: byteLength,
    type: mime.getType(name) ?? '',
  }));
  return { via: 'chooser', ...uploadedFiles({ accept, files: held }) };
}

/** Clicks an element that opens a file chooser or picker. Undefined if none opens. */
async function chooserOf(action: Action, ref: string): Promise<FileChooser | AskedPicker | undefined> {
  const { page } = action.tab;
  const inPage = await action.entry(ref).node.document.frame.evaluateHandle(pickerStandIn);
  // It rejects when the document goes.
  const asked = inPage.evaluate(picker => picker.asked).then(request => ({ inPage, request }));
  asked.catch(() => undefined);
  const { promise: opened, resolve: notice } = Promise.withResolvers<FileChooser>();
  page.once('filechooser', notice);
  try {
    await clickElement(action, ref);
    const chooser = await within(CHOOSER_TIMEOUT_MS, Promise.race([opened, asked.catch(() => opened)]));
    if (chooser !== undefined) action.session.effects.forget('fileChooser');
    return chooser;
  } finally {
    page.off('filechooser', notice);
    // The document may be gone.
    await inPage.evaluate(picker => picker.remove()).catch(() => undefined);
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
    await giveOnce(action, ref, {
      event: 'drop',
      give: (locator, limits) => locator.drop({ files: files.map(payload) }, limits),
    });
  } catch (error) {
    if (error instanceof ToolError || isTimeout(error) || action.signal.aborted) throw error;
    const { shown: element } = action.entry(ref);
    const what = `${ref} (${describeRef(element)})`;
    throw new ToolError(
      'invalid_input',
      `ref: ${what} did not open a file chooser and does not accept dropped files.`,
      { hint: 'Use the ref of the file input, its button or the drop zone.', cause: error },
    );
  }
  return { via: 'drop', files: files.map(({ name, buffer }) => ({ name, size: buffer.byteLength })) };
}

function uploadedFiles({ accept, files }: Pick<FileField, 'accept' | 'files'>): Omit<Uploaded, 'via'> {
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
