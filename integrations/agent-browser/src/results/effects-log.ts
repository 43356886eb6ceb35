import {
  type DialogReport,
  type DownloadReport,
  type Effects,
  type FailedRequest,
  firstLine,
  type NewTab,
} from './effects.js';

/** How much of a download has come so far, in bytes. */
export type Progress = () => Pick<DownloadReport, 'receivedBytes' | 'totalBytes'>;

/** Effects of which several are collected; of the others there can be but one. */
type Collected =
  | 'newTab'
  | 'newTabs'
  | 'dialog'
  | 'dialogs'
  | 'download'
  | 'downloads'
  | 'consoleErrors'
  | 'failedRequests';
type Single = Omit<Effects, Collected>;

const MOST_EFFECTS = 5;
/** Tabs, dialogs or downloads that one result tells. */
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

/** A download under way, or over. */
export class KnownDownload {
  /** `performance.now()` of its beginning. */
  readonly began = performance.now();
  /** Resolves when it is there or has failed. */
  ended: Promise<void> = Promise.resolve();

  constructor(
    readonly log: EffectsLog,
    public report: DownloadReport,
    readonly progress: Progress,
  ) {}

  /** Says anew how it stands: told with the next result, also when an earlier one has told of it. */
  now(report: Partial<DownloadReport>): void {
    this.report = { ...this.report, ...report };
    this.log.download(this);
  }
}

/** Collects what happens in a session until the next result tells it. */
export class EffectsLog {
  #now = new Happenings();
  /** An action is under way: what is requested meanwhile is requested by it. */
  isActing = false;

  note(single: Single): void {
    Object.assign(this.#now.single, single);
  }

  /** Something that was lost before the action began is back; effects that were told already stay told. */
  recovered(was: string, now: string): void {
    const before = this.#now.single.recovered;
    this.note({ recovered: before ? { was: `${before.was}; ${was}`, now: `${before.now}; ${now}` } : { was, now } });
  }

  /** Tabs that close with the browser are not news. */
  forgetClosedTabs(): void {
    delete this.#now.single.closedTabs;
  }

  newTab(tab: NewTab): void {
    this.#now.tabs.push(tab);
  }

  /** A tab has gone that it was not the agent's to close. */
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

  /** The dialog that was told is being answered. */
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
    const line = firstLine(text, ERROR_LENGTH);
    addNew(this.#now.consoleErrors, line);
  }

  failedRequest({ method, url, status, reason }: FailedRequest): void {
    const { failedRequests } = this.#now;
    if (failedRequests.length >= MOST_EFFECTS) return;
    const failed = {
      method,
      url: url.slice(0, EFFECT_URL_LIMIT),
      ...(status && { status }),
      ...(reason && { reason }),
    };
    if (!failedRequests.some(other => JSON.stringify(other) === JSON.stringify(failed))) failedRequests.push(failed);
  }

  /** The files that were asked for are given. */
  forgetFileChooser(): void {
    delete this.#now.single.fileChooser;
  }

  /** Where tabs went and which came and went is known already. */
  forgetMoves(): void {
    for (const move of ['navigated', 'status', 'closedTabs', 'tabLimit'] as const) delete this.#now.single[move];
    this.#now.tabs = [];
  }

  get current(): Readonly<Effects> {
    return effectsOf(this.#now);
  }

  /** Takes what was collected and starts anew, with the downloads for which one result has no room. */
  take(): Effects {
    const effects = effectsOf(this.#now);
    const { downloads } = this.#now;
    this.#now = new Happenings();
    this.#now.downloads = byNeed(downloads).slice(MOST_EFFECTS_AT_ONCE);
    return effects;
  }

  /** Does what has no effects of a call, as bringing pages back; what was collected before stays. */
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

function addNew(lines: string[], line: string): void {
  if (lines.length < MOST_EFFECTS && !lines.includes(line)) lines.push(line);
}

function effectsOf({ single, tabs, dialogs, downloads, consoleErrors, failedRequests }: Happenings): Effects {
  const reports = byNeed(downloads).map(({ report, progress }) =>
    report.state === 'in_progress' || report.state === 'timeout' ? { ...report, ...progress() } : report,
  );
  // A tab that is still there is of more use than one that has closed.
  const open = [...tabs].sort((a, b) => Number(a.closed ?? false) - Number(b.closed ?? false));
  return {
    ...single,
    ...allOf('newTab', 'newTabs', open),
    ...(dialogs.length > 0 && { dialog: dialogs.at(-1) }),
    ...(dialogs.length > 1 && { dialogs: dialogs.slice(-MOST_EFFECTS_AT_ONCE) }),
    ...allOf('download', 'downloads', reports),
    ...(consoleErrors.length > 0 && { consoleErrors }),
    ...(failedRequests.length > 0 && { failedRequests }),
  };
}

/** Those that failed first: nobody looks for their files. */
function byNeed(downloads: readonly KnownDownload[]): KnownDownload[] {
  const rank = ({ report }: KnownDownload): number => (report.state === 'failed' ? 0 : 1);
  return [...downloads].sort((a, b) => rank(a) - rank(b));
}

/** The first of several under one name, and all of them in the order in which they came under another. */
function allOf<One extends string, All extends string, T>(
  one: One,
  all: All,
  [first, ...others]: T[],
): { [K in One]?: T } & { [K in All]?: T[] } {
  const fields: Record<string, unknown> = {};
  if (first !== undefined) fields[one] = first;
  if (first !== undefined && others.length > 0) fields[all] = [first, ...others].slice(0, MOST_EFFECTS_AT_ONCE);
  return fields as { [K in One]?: T } & { [K in All]?: T[] };
}
