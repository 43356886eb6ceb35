import { readFileSync } from 'node:fs';
import { type Site, servePages } from '../fixtures.js';
import { Signals } from './signals.js';

/** How a list is drawn, how it changes and when. */
export interface Churn {
  /** Element that holds a row; the last three have none, their cells stand one after another. */
  shape:
    | ('li' | 'tr' | 'card' | 'bare' | 'article' | 'custom' | 'section' | 'p' | 'role' | 'span' | 'shadow' | 'deep')
    | ('cells' | 'boxes' | 'terms');
  /** New elements, the elements of the items moved about, or the same elements filled anew. */
  render: 'fresh' | 'keyed' | 'recycled';
  names: 'plain' | 'same' | 'hostile' | 'long';
  /** Some of insert, remove, shuffle, rotate, scroll, rerender, route. */
  ops: string;
  /** push: between snapshot and action. The others, such as `move:3`: while it is under way. */
  when: string;
  seed: number;
  /** What stands in each row; a button unless something else is said. */
  control?: 'button' | 'field' | 'area' | 'list';
}

const PAGE = readFileSync(new URL('churn-page.html', import.meta.url), 'utf8');

/** Serves the page that churns, by itself and inside a frame. */
export class ChurnSite {
  #site: Site | undefined;
  readonly #signals = new Signals();

  async start(): Promise<void> {
    this.#site = await servePages({
      '/': PAGE,
      '/framed': (request, response) => {
        const query = request.url?.split('?')[1] ?? '';
        response.setHeader('content-type', 'text/html; charset=utf-8');
        response.end(`<!doctype html><title>0 - 0 -</title><link rel="icon" href="data:,"><h1>Around</h1>
          <iframe src="/?${query.replaceAll('&', '&amp;')}" width="900" height="600"></iframe>`);
      },
      ...this.#signals.routes,
    });
  }

  url(churn: Churn, path = '/'): string {
    const query = new URLSearchParams(Object.entries(churn).map(([key, value]) => [key, String(value)]));
    return `${this.#site?.url(path)}?${query}`;
  }

  /** Resolves when the page that is opened listens. */
  async isReady(): Promise<void> {
    await this.#signals.isDone();
  }

  /** Changes the list now, and says how. */
  async mutate(): Promise<string> {
    return this.#signals.send('mutate');
  }

  /** How often the list has changed. */
  async mutations(): Promise<number> {
    return Number(await this.#signals.send('count'));
  }
}
