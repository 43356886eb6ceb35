import { readFileSync, statSync } from 'node:fs';
import type { Random } from '../../pages/random.ts';
import { type FaultLog, pause } from './faults.ts';
import type { Ledger } from './ledger.ts';
import type { SoakSite } from './site.ts';
import { isCode, type Result, type SoakSession } from './toolset.ts';

/** One thing that a session does. Returns whether it succeeded. */
export type SoakAction = (signal?: AbortSignal) => Promise<boolean>;

/** What an actor needs of the run around it. */
export interface Stage {
  site: SoakSite;
  faults: FaultLog;
  ledger: Ledger;
  /** Where files to upload are. */
  uploads: string;
}

/** A call that takes longer than this has hung. */
const CALL_LIMIT = 90_000;
/** How long what a page tells may take to be heard. */
const TELL_TIME = 5_000;

/** Failures after which the action may have been done all the same. */
const MAYBE_DONE = new Set([
  'timeout',
  'browser_closed',
  'page_crashed',
  'aborted',
  'browser_error',
  'download_failed',
]);

/** One session that does what it is told, and holds every result against what its page has told the site. */
export class Actor {
  /** What the last call that failed said. */
  lastFailure = '';
  /** Presses of Add that can have happened at most. */
  #mostAdds = 0;
  #mostAnswers = 0;
  readonly #asked = new Set<string>();

  readonly name: string;
  /** Of several processes that share the thread, the one whose turn it is. */
  session: SoakSession;
  readonly sessions: readonly SoakSession[];
  readonly stage: Stage;
  readonly random: Random;

  constructor(name: string, of: { sessions: readonly SoakSession[]; stage: Stage; random: Random }) {
    this.name = name;
    this.sessions = of.sessions;
    this.session = of.random.pick(of.sessions);
    this.stage = of.stage;
    this.random = of.random;
  }

  /** Those that are counted here: what may have been done, and how often. */
  readonly actions: Record<string, SoakAction> = {
    add: signal => this.add(signal),
    type: signal => this.#type(signal),
    select: signal => this.#select(signal),
    delete: signal => this.#delete(signal),
    ask: signal => this.#ask(signal),
    look: signal => this.#look(signal),
    picture: signal => this.#picture(signal),
    download: signal => this.#download(signal),
    tabs: signal => this.#tabs(signal),
    popup: signal => this.#popup(signal),
    reload: signal => this.call('history', { direction: 'reload' }, signal).then(({ success }) => success),
    scroll: signal => this.call('scroll', { direction: 'down' }, signal).then(({ success }) => success),
    wait: signal => this.call('wait', { for: { text: 'The end' }, timeout: 3 }, signal).then(({ success }) => success),
  };

  /** Lets another process go on with the thread, where several share it. */
  handOver(): void {
    this.session = this.random.pick(this.sessions);
  }

  /** A text that no other session types. */
  text(): string {
    return `${this.name} ${this.random.int(1, 9999)}`;
  }

  /** Opens the session's page. */
  async open(): Promise<Result> {
    return this.call('navigate', { url: this.url });
  }

  /** Presses Add once. Returns whether that succeeded. */
  async add(signal?: AbortSignal): Promise<boolean> {
    const ref = await this.ref('button', 'Add');
    if (ref === undefined) return false;
    const { adds } = this.truth;
    const began = performance.now();
    const result = await this.call('click', { ref }, signal);
    if (result.success || MAYBE_DONE.has(result.code ?? '')) this.#mostAdds++;
    if (result.success) await this.expect('click Add', began, () => this.truth.adds > adds);
    else await pause(200);
    if (this.truth.adds > this.#mostAdds)
      this.lose('click Add', `pressed ${this.truth.adds} times, at most ${this.#mostAdds} were asked for`);
    return result.success;
  }

  /** Makes the page hang for good. */
  async hang(): Promise<void> {
    const ref = await this.ref('button', 'Hang');
    if (ref !== undefined) await this.call('click', { ref });
  }

  async #type(signal?: AbortSignal): Promise<boolean> {
    const ref = await this.ref('textbox', 'Note');
    if (ref === undefined) return false;
    const text = this.text();
    const began = performance.now();
    const { success, value, valueUnknown } = await this.call('type', { ref, text }, signal);
    if (!success) return false;
    if (value !== text && valueUnknown === undefined)
      this.lose('type', `the field holds ${JSON.stringify(value)} instead of ${JSON.stringify(text)}`);
    await this.expect('type', began, () => this.truth.note === text);
    return true;
  }

  async #select(signal?: AbortSignal): Promise<boolean> {
    const ref = await this.ref('combobox', 'Colour');
    if (ref === undefined) return false;
    const colour = this.random.pick(['red', 'green', 'blue', 'grey'].filter(other => other !== this.truth.colour));
    const began = performance.now();
    const { success } = await this.call('select', { ref, labels: [colour] }, signal);
    // A page that was loaded anew may show the colour already, and then has nothing to tell.
    if (success && colour !== 'red') await this.expect('select', began, () => this.truth.colour === colour);
    return success;
  }

  async #delete(signal?: AbortSignal): Promise<boolean> {
    const page = await this.call('snapshot', {});
    const buttons = Object.entries(page.refs ?? {}).filter(([, { name }]) => name?.startsWith('Delete '));
    if (buttons.length === 0) return false;
    const [ref, { name = '' }] = this.random.pick(buttons);
    const row = name.slice('Delete '.length);
    const began = performance.now();
    const { success, code } = await this.call('click', { ref }, signal);
    if (success || MAYBE_DONE.has(code ?? '')) this.#asked.add(row);
    if (success) await this.expect('delete', began, () => this.truth.deleted.has(row));
    for (const gone of this.truth.deleted)
      if (!this.#asked.has(gone)) this.lose('delete', `row ${gone} is gone, which nobody asked for`);
    return success;
  }

  async #ask(signal?: AbortSignal): Promise<boolean> {
    const ref = await this.ref('button', 'Ask');
    if (ref === undefined) return false;
    const { answers } = this.truth;
    const began = performance.now();
    const { success, code } = await this.call('click', { ref, onDialog: { accept: true } }, signal);
    if (success || MAYBE_DONE.has(code ?? '')) this.#mostAnswers++;
    if (success) await this.expect('ask', began, () => this.truth.answers > answers);
    else await pause(200);
    if (this.truth.answers > this.#mostAnswers) this.lose('ask', 'answered more often than asked for');
    return success;
  }

  async #look(signal?: AbortSignal): Promise<boolean> {
    const { success, tree, url } = await this.call('snapshot', { interactiveOnly: false }, signal);
    if (success && url === this.url && !tree?.includes(this.heading))
      this.lose('snapshot', `does not show the page of ${this.name}`);
    return success;
  }

  async #picture(signal?: AbortSignal): Promise<boolean> {
    const { success, path } = await this.call('screenshot', {}, signal);
    if (success) this.file('screenshot', path, size => size > 0);
    return success;
  }

  async #download(signal?: AbortSignal): Promise<boolean> {
    const ref = await this.ref('link', 'File');
    if (ref === undefined) return false;
    const { success, download } = await this.call('click', { ref }, signal);
    if (!success) return false;
    if (download === undefined) {
      if (!this.stage.faults.since(performance.now() - 10_000)) this.lose('download', 'was not told');
    } else if (download.state === 'completed') {
      const content = this.stage.site.file(this.name);
      this.file(
        'download',
        download.path,
        (size, path) => size === content.length && readFileSync(path, 'utf8') === content,
      );
    }
    return true;
  }

  async #tabs(signal?: AbortSignal): Promise<boolean> {
    const opened = await this.call('tabs', { action: 'new', url: this.url }, signal);
    const { tabs = [], success } = await this.call('tabs', { action: 'list' });
    if (success && tabs.some(({ url }) => url.startsWith('http') && !url.includes(`/${this.name}`)))
      this.lose('tabs', `shows tabs of another session: ${tabs.map(({ url }) => url).join(', ')}`);
    for (const { tab } of tabs.slice(1)) await this.call('tabs', { action: 'close', tab });
    return opened.success;
  }

  async #popup(signal?: AbortSignal): Promise<boolean> {
    const ref = await this.ref('button', 'Popup');
    if (ref === undefined) return false;
    const began = performance.now();
    const { success, newTab } = await this.call('click', { ref }, signal);
    if (success && newTab === undefined && !this.stage.faults.since(began))
      this.lose('popup', `the new tab was not told, ${Math.round(performance.now() - began)} ms after the click began`);
    if (newTab !== undefined) await this.call('tabs', { action: 'close', tab: newTab.tab });
    return success;
  }

  /** What the session's page shows. */
  get heading(): string {
    return `Session ${this.name}`;
  }

  get url(): string {
    return this.stage.site.page(this.name);
  }

  get truth() {
    return this.stage.site.truth(this.name);
  }

  /** The ref of a control of the session's page, which is opened when it is not. */
  async ref(role: string, name: string): Promise<string | undefined> {
    return (await this.refs())(role, name);
  }

  /** The controls of the session's page as it is now. */
  async refs(): Promise<(role: string, name: string) => string | undefined> {
    let page = await this.call('snapshot', {});
    if (page.success && page.url !== this.url) {
      if (!(await this.open()).success) return () => undefined;
      page = await this.call('snapshot', {});
    }
    const found = Object.entries(page.refs ?? {});
    return (role, name) => found.find(([, ref]) => ref.role === role && ref.name === name)?.[0];
  }

  /** A call that ends as none may is an action lost: it throws, hangs, or fails with no code of the closed set. */
  async call(action: keyof SoakSession, input: object, signal?: AbortSignal): Promise<Result> {
    const { ledger } = this.stage;
    const began = performance.now();
    ledger.actions++;
    let timer: NodeJS.Timeout | undefined;
    const hung = new Promise<Result>(resolve => {
      timer = setTimeout(() => resolve({ success: false, code: 'hung' }), CALL_LIMIT);
    });
    const result = await Promise.race([this.session[action](input, { signal }), hung]).catch(
      (error: unknown): Result => ({ success: false, code: 'threw', message: String(error) }),
    );
    clearTimeout(timer);
    ledger.times.push(performance.now() - began);
    if (result.success) ledger.successes++;
    else this.#failed(action, result);
    // A call that was cut short leaves the dialog open that it would have answered.
    if (result.code === 'dialog_open' && action !== 'dialog') {
      this.#mostAnswers++;
      await this.call('dialog', { action: 'accept' });
    }
    if (result.recovered !== undefined) ledger.recoveries++;
    if (result.success && result.url?.startsWith('http') && !result.url.includes(`/${this.name}`))
      this.lose(action, `landed on ${result.url}`);
    return result;
  }

  #failed(action: string, { code = 'none', message = '' }: Result): void {
    this.stage.ledger.failure(code);
    this.lastFailure = `${action}: ${code}: ${message}`;
    if (!isCode(code)) this.lose(action, `${code}: ${message}`);
  }

  /** What succeeded must be heard of, unless a fault may have kept the page from telling. */
  async expect(action: string, began: number, isHeard: () => boolean): Promise<void> {
    const end = performance.now() + TELL_TIME;
    while (!isHeard()) {
      if (this.stage.faults.since(began - 500)) return;
      if (performance.now() > end) return this.lose(action, 'succeeded, but its page tells otherwise');
      await pause(10);
    }
  }

  file(action: string, path: string | undefined, isRight: (size: number, path: string) => boolean): void {
    try {
      if (path !== undefined && isRight(statSync(path).size, path)) return;
    } catch {
      // It is not there: so it is wrong, too.
    }
    // A disk that was full meanwhile has taken the files along.
    if (!this.stage.faults.since(performance.now() - 2_000)) this.lose(action, `the file ${path} is not right`);
  }

  lose(action: string, what: string): void {
    this.stage.ledger.lose({ session: this.name, action, what });
  }
}
