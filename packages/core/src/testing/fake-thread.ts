import type { LiveTab } from '../browser-live-controls.js';
import type { FakeStream } from './fake-stream.js';

interface FakeTab {
  id: string;
  /** Urls that it showed, oldest first. */
  history: string[];
  position: number;
}

/** The browser of one thread: tabs that remember where they were, and the streams that show it. */
export class FakeThread {
  readonly streams = new Set<FakeStream>();
  readonly #tabs: FakeTab[] = [];
  #active: FakeTab;
  #tabsOpened = 0;

  constructor(url: string) {
    this.#active = this.openTab(url);
  }

  get url(): string {
    return urlOf(this.#active);
  }

  get tabs(): LiveTab[] {
    return this.#tabs.map(tab => ({ tab: tab.id, url: urlOf(tab), title: '', active: tab === this.#active }));
  }

  visit(url: string): void {
    const { history, position } = this.#active;
    this.#active.history = [...history.slice(0, position + 1), url];
    this.#active.position = position + 1;
  }

  travel(direction: 'back' | 'forward' | 'reload'): void {
    const step = { back: -1, forward: 1, reload: 0 }[direction];
    const position = this.#active.position + step;
    if (this.#active.history[position] === undefined) throw new Error(`There is nothing to go ${direction} to.`);
    this.#active.position = position;
  }

  openTab(url: string): FakeTab {
    this.#tabsOpened += 1;
    const tab = { id: `t${this.#tabsOpened}`, history: [url], position: 0 };
    this.#tabs.push(tab);
    this.#active = tab;
    return tab;
  }

  switchTab(id: string): void {
    this.#active = this.#tab(id);
  }

  closeTab(id: string): void {
    const tab = this.#tab(id);
    if (this.#tabs.length === 1) throw new Error('The last tab is closed with the browser.');
    this.#tabs.splice(this.#tabs.indexOf(tab), 1);
    if (tab === this.#active) this.#active = this.#tabs.at(-1) as FakeTab;
  }

  #tab(id: string): FakeTab {
    const tab = this.#tabs.find(candidate => candidate.id === id);
    if (!tab) throw new Error(`There is no tab ${id}.`);
    return tab;
  }
}

function urlOf({ history, position }: FakeTab): string {
  return history[position] as string;
}
