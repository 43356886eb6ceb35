import { humanActionLines } from '@browser-toolset/core';
import { z } from 'zod/v4';
import { cutText } from '#page-engine/text/cut-text.js';

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is taken out.
const BREAKS = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g;

/** Page text as one line of at most `limit` characters. */
export function oneLine(text: string, limit: number): string {
  const line = text
    .slice(0, 4 * limit)
    .replace(BREAKS, ' ')
    .trim();
  return cutText(line, limit);
}

const thing = { role: z.string(), name: z.string() };

/** What a person did in the pages while they had control. Fields for actions that did not happen are omitted. */
export const humanActionsField = z.object({
  /** URLs of the active tab. */
  url: z.object({ before: z.string(), after: z.string() }).optional(),
  /** The tab that has become active. */
  activeTab: z.string().optional(),
  tabsOpened: z.array(z.object({ tab: z.string(), url: z.string() })).optional(),
  tabsClosed: z.array(z.string()).optional(),
  /** The new values of fields; for a secret only that it was changed. */
  fields: z.array(z.object({ ...thing, value: z.string().optional(), secret: z.boolean().optional() })).optional(),
  clicks: z.array(z.object(thing)).optional(),
  /** How many fields and clicks are not listed. */
  more: z.number().optional(),
});

export type HumanActions = z.infer<typeof humanActionsField>;

/** The lines that report to the model what a person did. */
export function humanLines(actions: HumanActions): string[] {
  const lines = humanActionLines(actions);
  return lines.length === 0 ? [] : ['While a person had control, they:', ...lines.map(line => `  ${line}`)];
}

const LINE_LENGTH = 170;
const WRITTEN_URL_LIMIT = 80;
const NAMED = 8;
/** Characters of the text that a prompt suggests. */
const DEFAULT_LENGTH = 40;

const newTab = z.object({ tab: z.string(), url: z.string(), closed: z.boolean().optional() });

const dialogField = z.object({
  type: z.string(),
  message: z.string(),
  /** The text that a prompt suggests: accepting it without another text answers with this one. */
  defaultValue: z.string().optional(),
  /** Omitted while it is open. */
  answered: z.enum(['accepted', 'dismissed']).optional(),
});

/** Sizes are in bytes. */
const download = z.object({
  path: z.string().optional(),
  fileName: z.string(),
  fileSize: z.number().optional(),
  mimeType: z.string().optional(),
  state: z.enum(['completed', 'in_progress', 'timeout', 'failed']),
  receivedBytes: z.number().optional(),
  totalBytes: z.number().optional(),
  error: z.string().optional(),
});

/** A request without a response, or with an error status. */
const failedRequest = z.object({
  method: z.string(),
  url: z.string(),
  status: z.number().optional(),
  reason: z.string().optional(),
});

type NewTab = z.infer<typeof newTab>;
type DialogReport = z.infer<typeof dialogField>;
export type DownloadReport = z.infer<typeof download>;
type FailedRequest = z.infer<typeof failedRequest>;

/** The fields of a result that describe its page, besides the effects. */
interface Page {
  url?: string | undefined;
  title?: string | undefined;
  wholePage?: boolean | undefined;
}

type ValuesOf<Fields extends z.ZodRawShape> = z.infer<z.ZodObject<Fields>>;

/** A kind of effect: something that happened besides what an action returns. */
interface EffectOf<Fields extends z.ZodRawShape> {
  /** The fields of a result that report it. Each is optional. */
  fields: Fields;
  /** Their description in `docs/reference/results.md`. */
  means: string;
  /** The lines for the model; none where it did not happen. */
  lines(fields: ValuesOf<Fields>, page: Page): (string | false | undefined)[];
  /** The words for the log, for people who follow what agents do; undefined where it did not happen. */
  word(fields: ValuesOf<Fields>): string | false | undefined;
}

function effect<Fields extends z.ZodRawShape>(definition: EffectOf<Fields>): EffectOf<Fields> {
  return definition;
}

/** All effects, the most important to a model first. */
export const EFFECTS = {
  humanActions: effect({
    fields: { humanActions: humanActionsField.optional() },
    means: 'What a person did while they had control, reported once they have released it',
    lines: ({ humanActions }) => (humanActions === undefined ? [] : humanLines(humanActions)),
    word: ({ humanActions }) => humanActions && 'human actions',
  }),
  recovered: effect({
    fields: { recovered: z.object({ was: z.string(), now: z.string() }).optional() },
    means: 'What was lost and restored before the action began',
    lines: ({ recovered }) => [recovered && `Recovered: ${recovered.was} → ${recovered.now}`],
    word: ({ recovered }) => recovered && 'recovered',
  }),
  navigated: effect({
    fields: { navigated: z.boolean().optional() },
    means: 'The tab navigated to another page',
    // The header of a whole page contains the URL and title.
    lines: ({ navigated }, { url, title, wholePage }) => [
      navigated && !wholePage && `Now at ${url?.slice(0, LINE_LENGTH)}${title ? ` ${JSON.stringify(title)}` : ''}`,
    ],
    word: ({ navigated }) => navigated && 'navigated',
  }),
  loading: effect({
    fields: { loading: z.boolean().optional(), awaited: z.string().optional() },
    means:
      'The page is still loading after ten seconds; `awaited` is the URL that has not responded yet, while the previous page is still shown. `browser_wait` waits for the rest',
    lines: ({ loading, awaited }, page) => (loading ? loadingLines(awaited, page) : []),
    word: ({ loading, awaited }) => loading && (awaited === undefined ? 'still loading' : 'no response yet'),
  }),
  status: effect({
    fields: { status: z.number().optional(), authentication: z.enum(['missing', 'refused']).optional() },
    means:
      'The HTTP status of the page it navigated to; `authentication` if the server asks for a user name and password: whether the option `httpCredentials` has none for it, or the server refused them',
    lines: ({ status = 0, authentication }) => [
      status >= 400 && `The server responded with status ${status}.`,
      authentication && credentialsHint(authentication === 'missing'),
    ],
    word: ({ status = 0 }) => status >= 400 && `status ${status}`,
  }),
  pageTools: effect({
    fields: { pageTools: z.array(z.string()).optional() },
    means: 'The names of the tools that the new page offers (WebMCP): `browser_page_tools` calls them',
    lines: ({ pageTools = [] }) => [offersLine(pageTools)],
    word: ({ pageTools = [] }) => pageTools.length > 0 && `page tools ${pageTools.length}`,
  }),
  newTabs: effect({
    fields: { newTab: newTab.optional(), newTabs: z.array(newTab).optional() },
    means: 'A tab that opened (`tab`, `url`, `closed` if it has closed again); all of them if there are several',
    lines: fields => [tabLine(several(fields.newTab, fields.newTabs))],
    word: fields => listedEffects('new tab', several(fields.newTab, fields.newTabs), ({ tab }) => tab),
  }),
  closedTabs: effect({
    fields: { closedTabs: z.number().optional(), tabLimit: z.number().optional() },
    means: 'How many tabs closed; and the tab limit, if that is the reason',
    lines: ({ closedTabs, tabLimit }) => [closedTabs !== undefined && closedLine(closedTabs, tabLimit)],
    word: ({ closedTabs, tabLimit }) =>
      closedTabs !== undefined && `closed tabs ${closedTabs}${tabLimit === undefined ? '' : ' (tab limit)'}`,
  }),
  dialogs: effect({
    fields: { dialog: dialogField.optional(), dialogs: z.array(dialogField).optional() },
    means:
      'The dialog that is open (`defaultValue`: the text that a prompt suggests), or how the latest one was `answered`; all of them if there are several',
    lines: fields => several(fields.dialog, fields.dialogs).map(dialogLine),
    word: fields =>
      listedEffects(
        '',
        several(fields.dialog, fields.dialogs),
        ({ type, answered = 'open' }) => `${type} dialog ${answered}`,
      ),
  }),
  dismissedDialogs: effect({
    /** `type` is omitted if the dialogs are of several types. */
    fields: { dismissedDialogs: z.object({ count: z.number(), type: z.string().optional() }).optional() },
    means:
      '`count` of dialogs that were dismissed automatically, after the third that a page opened in a row or the second alert that it opened by itself, and their `type` if all have the same',
    lines: ({ dismissedDialogs }) => [dismissedDialogs && dismissedLine(dismissedDialogs)],
    word: ({ dismissedDialogs }) => dismissedDialogs && `dismissed dialogs ${dismissedDialogs.count}`,
  }),
  fileChooser: effect({
    fields: { fileChooser: z.object({ multiple: z.boolean() }).optional() },
    means: 'The page asked for files: provide them with `browser_upload`',
    lines: ({ fileChooser }) => [fileChooser && 'The page asked for a file: call browser_upload with the same ref'],
    word: ({ fileChooser }) => fileChooser && 'file chooser',
  }),
  downloads: effect({
    fields: { download: download.optional(), downloads: z.array(download).optional() },
    means:
      '`fileName`, `mimeType` and `state`: `completed` with `path` and `fileSize`; `in_progress`, or `timeout` if the action ended first, with `receivedBytes` and `totalBytes`; `failed` with `error`, the reason (an action that waits for the file fails with `download_failed`). All of them if there are several',
    lines: fields => several(fields.download, fields.downloads).map(downloadLine),
    word: fields => listedEffects('download', several(fields.download, fields.downloads), ({ state }) => state),
  }),
  pdf: effect({
    fields: { pdf: z.object({ path: z.string().optional(), error: z.string().optional() }).optional() },
    means: 'The file that the page printed (`path`), or why there is none (`error`)',
    lines: ({ pdf }) => [
      pdf && (pdf.path === undefined ? `The page was not printed: ${pdf.error}` : `The page printed: ${pdf.path}`),
    ],
    word: ({ pdf }) => pdf && (pdf.path === undefined ? 'not printed' : 'printed'),
  }),
  validation: effect({
    fields: {
      validation: z.array(z.object({ ref: z.string().optional(), name: z.string(), message: z.string() })).optional(),
    },
    means: 'Fields that the browser or the page rejects: `ref`, `name`, `message`',
    lines: ({ validation = [] }) =>
      validation.map(
        ({ ref, name, message }) =>
          `Invalid field ${ref === undefined ? '' : `${ref} `}${JSON.stringify(name)}: ${message}`,
      ),
    word: ({ validation = [] }) => validation.length > 0 && `invalid fields ${validation.length}`,
  }),
  failedRequests: effect({
    fields: { failedRequests: z.array(failedRequest).optional() },
    means: 'Requests of the action that failed: `method`, `url`, `status` or `reason`; at most five',
    lines: ({ failedRequests = [] }, page) =>
      failedRequests.map(
        ({ method, url, status, reason }) => `Failed: ${method} ${near(url, page.url)} ${status ?? reason}`,
      ),
    word: ({ failedRequests = [] }) => failedRequests.length > 0 && `failed requests ${failedRequests.length}`,
  }),
  consoleErrors: effect({
    fields: { consoleErrors: z.array(z.string()).optional() },
    means: 'Console errors, one line each; at most five',
    lines: ({ consoleErrors = [] }) => consoleErrors.map(error => `Console error: ${error}`),
    word: ({ consoleErrors = [] }) => consoleErrors.length > 0 && `console errors ${consoleErrors.length}`,
  }),
};

type Table = typeof EFFECTS;
type UnionToIntersection<U> = (U extends unknown ? (u: U) => void : never) extends (i: infer I) => void ? I : never;
type EffectFields = UnionToIntersection<Table[keyof Table]['fields']>;

/** The fields of a result that report effects. */
export const effectFields = Object.assign({}, ...Object.values(EFFECTS).map(({ fields }) => fields)) as EffectFields;

/** The effects of an action besides its own result. */
export type Effects = z.infer<z.ZodObject<EffectFields>>;

/** Widened to one type: `effect` has already checked which fields each effect reads. */
const ALL: readonly EffectOf<z.ZodRawShape>[] = Object.values(EFFECTS);

/** Characters of all lines except those about a person: less than 200 tokens. */
const EFFECTS_BUDGET = 560;

/** The effects of an action, as lines for the model. */
export function effectLines(result: Effects & Page): string[] {
  const { humanActions, ...others } = result;
  const kept = EFFECTS.humanActions.lines({ humanActions }, result).filter(isNotEmpty);
  const lines = ALL.flatMap(({ lines }) => lines(others, result).filter(isNotEmpty));
  const fitting: string[] = [];
  let left = EFFECTS_BUDGET;
  for (const line of lines.map(text => oneLine(text, LINE_LENGTH))) {
    left -= line.length;
    if (left < 0) break;
    fitting.push(line);
  }
  const more = lines.length - fitting.length;
  return [...kept, ...fitting, ...(more === 0 ? [] : [`… and ${more} more ${more === 1 ? 'effect' : 'effects'}`])];
}

/** The effects of an action, in a few words each for the log. */
export function effectWords(result: Effects): string[] {
  return ALL.map(({ word }) => word(result)).filter(isNotEmpty);
}

/** What a server that asks for HTTP authentication lacks. */
export function credentialsHint(isUnknown: boolean): string {
  const what = isUnknown ? 'gives none for this server' : 'gives some that the server refuses';
  return `The server asks for a user name and password (HTTP authentication); the option httpCredentials ${what}. Tell the user.`;
}

function isNotEmpty(text: string | false | undefined): text is string {
  return typeof text === 'string' && text !== '';
}

/** A result has one under the singular field, and all of them under the plural one if there are several. */
function several<T>(one: T | undefined, all: T[] | undefined): T[] {
  return all ?? (one === undefined ? [] : [one]);
}

function listedEffects<T>(kind: string, all: T[], word: (each: T) => string): string | false {
  return all.length > 0 && `${kind} ${all.map(word).join(', ')}`.trim();
}

/** The line that lists the tools of a page (WebMCP); undefined where it offers none. */
export function offersLine(names: readonly string[]): string | undefined {
  if (names.length === 0) return undefined;
  const shown = names.slice(0, NAMED).map(name => JSON.stringify(name));
  const more = names.length > NAMED ? ` and ${names.length - NAMED} more` : '';
  return `The page offers tools (browser_page_tools): ${shown.join(', ')}${more}`;
}

function loadingLines(awaited: string | undefined, { title, url = '' }: Page): string[] {
  const waits = 'browser_wait with load';
  if (awaited === undefined)
    return [`The page is still loading; this is what has arrived so far. Use ${waits} to wait for the rest`];
  const shown = title ? JSON.stringify(oneLine(title, WRITTEN_URL_LIMIT)) : url.slice(0, WRITTEN_URL_LIMIT);
  return [
    `Navigation pending: no response yet from ${awaited.slice(0, LINE_LENGTH)}`,
    `Until then the tab shows ${shown}. Use ${waits} to keep waiting, or browser_navigate to go elsewhere`,
  ];
}

/** A URL without its origin where that is the origin of the page. */
function near(url: string, page = ''): string {
  const site = /^https?:\/\/[^/]+(?=\/)/.exec(page)?.[0];
  const short = site !== undefined && url.startsWith(`${site}/`) ? url.slice(site.length) : url;
  return short.length > WRITTEN_URL_LIMIT ? `${short.slice(0, WRITTEN_URL_LIMIT)}…` : short;
}

function tabLine(tabs: NewTab[]): string | undefined {
  if (tabs.length === 0) return undefined;
  const named = tabs.map(
    ({ tab, url, closed }) => `${tab} ${url.slice(0, WRITTEN_URL_LIMIT)}${closed ? ' (closed again)' : ''}`,
  );
  const hint = tabs.some(({ closed }) => !closed) ? ' (switch with browser_tabs)' : '';
  return tabs.length === 1 ? `A new tab opened: ${named[0]}${hint}` : `New tabs opened: ${named.join(', ')}${hint}`;
}

function closedLine(count: number, tabLimit: number | undefined): string {
  const limit = tabLimit === undefined ? '' : `: at most ${tabLimit} can be open, close some with browser_tabs`;
  return `${count} ${count === 1 ? 'tab' : 'tabs'} closed${limit}`;
}

/** `An alert dialog`, `A confirm dialog`. */
export function dialogWords(type: string): string {
  return `${type === 'alert' ? 'An' : 'A'} ${type} dialog`;
}

function dialogLine({ type, message, defaultValue, answered }: DialogReport): string {
  const suggests =
    defaultValue === undefined ? '' : ` (default ${JSON.stringify(oneLine(defaultValue, DEFAULT_LENGTH))})`;
  const what = `${dialogWords(type)} ${JSON.stringify(oneLine(message, LINE_LENGTH - 80 - suggests.length))}${suggests}`;
  return answered === undefined ? `${what} is open: answer it with browser_dialog` : `${what} was ${answered}`;
}

function dismissedLine({ count, type = 'dialog' }: { count: number; type?: string | undefined }): string {
  return count === 1 ? `1 more ${type} was dismissed` : `${count} more ${type}s were dismissed`;
}

function downloadLine({ state, path, fileName, fileSize, receivedBytes, totalBytes, error }: DownloadReport): string {
  const came = receivedBytes === undefined ? '' : `, ${receivedBytes} of ${totalBytes ?? '?'} bytes so far`;
  const size = fileSize === undefined ? came : `, ${fileSize} bytes`;
  return `Download ${state}: ${path ?? fileName}${error === undefined ? size : `: ${error}`}`;
}

/** The progress of a download, in bytes. */
export type Progress = () => Pick<DownloadReport, 'receivedBytes' | 'totalBytes'>;

/** Effects that can occur several times in one result; the others occur once at most. */
type Collected = `${'newTab' | 'dialog' | 'download'}${'' | 's'}` | 'consoleErrors' | 'failedRequests';
type Single = Omit<Effects, Collected>;

const MOST_EFFECTS = 5;
/** Tabs, dialogs or downloads that one result reports. */
const MOST_EFFECTS_AT_ONCE = 10;
const ERROR_LENGTH = 200;
const EFFECT_URL_LIMIT = 150;

class Happenings {
  single: Single = {};
  tabs: NewTab[] = [];
  dialogs: DialogReport[] = [];
  downloads: KnownDownload[] = [];
  consoleErrors: string[] = [];
  failedRequests: FailedRequest[] = [];
}

/** A download that is in progress or has ended. */
export class KnownDownload {
  /** Start time (`performance.now()`). */
  readonly began = performance.now();
  /** Resolves when the download has completed or failed. */
  ended: Promise<void> = Promise.resolve();

  constructor(
    readonly log: EffectsLog,
    public report: DownloadReport,
    readonly progress: Progress,
  ) {}

  /** Updates the state of the download. The next result reports it, even if an earlier one did. */
  now(report: Partial<DownloadReport>): void {
    this.report = { ...this.report, ...report };
    this.log.download(this);
  }
}

/** Collects the effects in a session until the next result reports them. */
export class EffectsLog {
  #now = new Happenings();
  /** An action is running, so requests that start now are attributed to it. */
  isActing = false;

  note(single: Single): void {
    Object.assign(this.#now.single, single);
  }

  /** Records that something lost before the action began was restored. Earlier recoveries stay in the report. */
  recovered(was: string, now: string): void {
    const before = this.#now.single.recovered;
    this.note({ recovered: before ? { was: `${before.was}; ${was}`, now: `${before.now}; ${now}` } : { was, now } });
  }

  newTab(tab: NewTab): void {
    this.#now.tabs.push(tab);
  }

  /** Records a tab that closed without a call of the agent. */
  closedTab(id?: string): void {
    this.#now.single.closedTabs = (this.#now.single.closedTabs ?? 0) + 1;
    const opened = this.#now.tabs.find(({ tab }) => tab === id);
    if (opened !== undefined) opened.closed = true;
  }

  dialog(dialog: DialogReport): void {
    const { dialogs } = this.#now;
    const open = dialogs.findIndex(({ answered }) => answered === undefined);
    if (dialog.answered !== undefined && open >= 0) dialogs.splice(open, 1);
    dialogs.push(dialog);
  }

  dismissedDialog(type: string): void {
    const before = this.#now.single.dismissedDialogs;
    const isAlike = before === undefined || before.type === type;
    this.note({ dismissedDialogs: { count: (before?.count ?? 0) + 1, ...(isAlike && { type }) } });
  }

  /** Forgets the dialog, because it is being answered. */
  forgetDialog(): void {
    this.#now.dialogs = [];
  }

  download(download: KnownDownload): void {
    if (!this.#now.downloads.includes(download)) this.#now.downloads.push(download);
  }

  get downloads(): readonly KnownDownload[] {
    return this.#now.downloads;
  }

  consoleError(text: string): void {
    const first = text.split(/[\r\n\u2028\u2029]+/, 50).find(part => part.trim() !== '');
    const line = oneLine(first ?? '', ERROR_LENGTH);
    const { consoleErrors } = this.#now;
    if (consoleErrors.length < MOST_EFFECTS && !consoleErrors.includes(line)) consoleErrors.push(line);
  }

  failedRequest({ method, url, status, reason }: FailedRequest): void {
    const { failedRequests } = this.#now;
    if (failedRequests.length >= MOST_EFFECTS) return;
    const failed = { method, url: url.slice(0, EFFECT_URL_LIMIT), status, reason };
    if (!failedRequests.some(other => JSON.stringify(other) === JSON.stringify(failed))) failedRequests.push(failed);
  }

  /** Forgets effects that are known already, or had their answer. */
  forget(...known: (keyof Single)[]): void {
    for (const each of known) delete this.#now.single[each];
  }

  /** Forgets navigations and opened and closed tabs, because they are known already. */
  forgetMoves(): void {
    this.forget('navigated', 'status', 'authentication', 'closedTabs', 'tabLimit');
    this.#now.tabs = [];
  }

  get current(): Readonly<Effects> {
    return effectsOf(this.#now);
  }

  /** Returns the collected effects and starts anew, with the downloads that exceed the limit of one result. */
  take(): Effects {
    const effects = effectsOf(this.#now);
    const { downloads } = this.#now;
    this.#now = new Happenings();
    this.#now.downloads = byNeed(downloads).slice(MOST_EFFECTS_AT_ONCE);
    return effects;
  }

  /** Runs a task whose effects are not reported, such as restoring pages. Effects that were collected before stay. */
  async quietly<T>(task: () => Promise<T>): Promise<T> {
    const before = this.#now;
    this.#now = new Happenings();
    try {
      return await task();
    } finally {
      this.#now = before;
    }
  }
}

function effectsOf({ single, tabs, dialogs, downloads, consoleErrors, failedRequests }: Happenings): Effects {
  const reports = byNeed(downloads).map(({ report, progress }) =>
    report.state === 'in_progress' || report.state === 'timeout' ? { ...report, ...progress() } : report,
  );
  // Open tabs come first: closed ones are of less use.
  const open = [...tabs].sort((a, b) => Number(a.closed ?? false) - Number(b.closed ?? false));
  return {
    ...single,
    ...(open.length > 0 && { newTab: open[0] }),
    ...(open.length > 1 && { newTabs: open.slice(0, MOST_EFFECTS_AT_ONCE) }),
    ...(dialogs.length > 0 && { dialog: dialogs.at(-1) }),
    ...(dialogs.length > 1 && { dialogs: dialogs.slice(-MOST_EFFECTS_AT_ONCE) }),
    ...(reports.length > 0 && { download: reports[0] }),
    ...(reports.length > 1 && { downloads: reports.slice(0, MOST_EFFECTS_AT_ONCE) }),
    ...(consoleErrors.length > 0 && { consoleErrors }),
    ...(failedRequests.length > 0 && { failedRequests }),
  };
}

/** Failed downloads first, because no file shows that they happened. */
function byNeed(downloads: readonly KnownDownload[]): KnownDownload[] {
  const rank = ({ report }: KnownDownload): number => (report.state === 'failed' ? 0 : 1);
  return [...downloads].sort((a, b) => rank(a) - rank(b));
}
