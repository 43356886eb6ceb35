/** A download as the agent is told of it. Sizes are bytes. */
export interface DownloadReport {
  path?: string;
  fileName: string;
  fileSize?: number;
  mimeType?: string;
  state: 'completed' | 'in_progress' | 'timeout';
}

/** What happened in a session beside what an action returns. */
export interface Effects {
  navigated?: true;
  newTab?: { tab: string; url: string };
  /** Tabs that opened and were closed again because the session has its most, or closed themselves. */
  closedTabs?: number;
  dialog?: { type: string; message: string; answered?: 'accepted' | 'dismissed' };
  /** A page asked for files and got none. */
  fileChooser?: { multiple: boolean };
  download?: DownloadReport;
  consoleErrors?: string[];
  /** What was lost and brought back before the action began. */
  recovered?: { was: string; now: string };
}

const ERRORS_LIMIT = 5;
const ERROR_LENGTH = 200;

/** Collects what happens in a session until the next result tells it. */
export class EffectsLog {
  #effects: Effects = {};

  note(effects: Effects): void {
    Object.assign(this.#effects, effects);
  }

  closedTab(): void {
    this.#effects.closedTabs = (this.#effects.closedTabs ?? 0) + 1;
  }

  consoleError(text: string): void {
    const errors = this.#effects.consoleErrors ?? [];
    const line = text.split('\n')[0]?.slice(0, ERROR_LENGTH) ?? '';
    if (errors.length < ERRORS_LIMIT && !errors.includes(line)) this.#effects.consoleErrors = [...errors, line];
  }

  /** The dialog that was told is being answered. */
  forgetDialog(): void {
    delete this.#effects.dialog;
  }

  /** The files that were asked for are given. */
  forgetFileChooser(): void {
    delete this.#effects.fileChooser;
  }

  /** Where tabs went and which came and went is known already. */
  forgetMoves(): void {
    const { navigated: _, newTab: __, closedTabs: ___, ...rest } = this.#effects;
    this.#effects = rest;
  }

  get current(): Readonly<Effects> {
    return this.#effects;
  }

  /** Takes what was collected and starts anew. */
  take(): Effects {
    const effects = this.#effects;
    this.#effects = {};
    return effects;
  }
}
