import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import { BrowserToolset } from '@browser-toolset/agent-browser';
import { chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, onTestFinished } from 'vitest';
import { listen, type ServedView, serveView, type TestViewer } from './viewing.js';

/** Lets a test look into the page that its viewers see. */
export class OpenToolset extends BrowserToolset {
  async page(threadId: string): Promise<Page> {
    const page = await this.getActivePage(threadId);
    if (page === null) throw new Error(`Thread ${threadId} has no page.`);
    return page as Page;
  }
}

const CANDIDATES = [
  chromium.executablePath(),
  '/usr/bin/google-chrome',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
];

/** The browser for a provider that does not look for one itself. */
export function chromiumPath(): string {
  const path = process.env.CHROMIUM_PATH ?? CANDIDATES.find(candidate => existsSync(candidate));
  if (path === undefined) throw new Error('No Chromium found: set CHROMIUM_PATH to the executable of one.');
  return path;
}

/** Serves the same page for every path. */
export async function servePage(html: string): Promise<string> {
  const head = '<!doctype html><link rel="icon" href="data:,"><style>* { margin: 0; box-sizing: border-box }</style>';
  const server = createServer((_, response) => {
    response.setHeader('content-type', 'text/html; charset=utf-8');
    response.end(`${head}${html}`);
  });
  return listen(server);
}

export interface Shown extends Omit<ServedView, 'browser'> {
  toolset: OpenToolset;
  viewer: TestViewer;
  page: Page;
}

/** Shows pages in one Chromium, which ends with the test file. */
export function pageShower(): (html: string) => Promise<Shown> {
  const toolset = new OpenToolset({ args: ['--no-sandbox'] });
  // Chromium ends with its last session: this one keeps it from one test to the next.
  beforeAll(() => toolset.session('keeps-chromium').navigate({ url: 'about:blank' }));
  afterAll(() => toolset.close());

  /** A page, and somebody who watches it, for one test. */
  return async function show(html) {
    onTestFinished(() => toolset.closeThreadSession('one'));
    const { browser: _, ...served } = await serveView({ source: toolset });
    const navigated = await toolset.session('one').navigate({ url: await servePage(html) });
    if (!navigated.success) throw new Error(JSON.stringify(navigated));
    const viewer = await served.watch();
    await viewer.until(({ frames }) => frames.length > 0);
    return { ...served, toolset, viewer, page: await toolset.page('one') };
  };
}

/** All printable characters of ASCII. */
export const PRINTABLE = Array.from({ length: 95 }, (_, index) => String.fromCharCode(32 + index)).join('');

type Point = readonly [x: number, y: number];

/** Presses, moves to further points and releases, as our client sends it. */
export function drag(viewer: TestViewer, from: Point, ...to: Point[]): void {
  const [x, y] = from;
  viewer.send({ type: 'mouse', event: { type: 'mouseMoved', x, y } });
  viewer.send({ type: 'mouse', event: { type: 'mousePressed', x, y, button: 'left', clickCount: 1 } });
  for (const [x, y] of to) viewer.send({ type: 'mouse', event: { type: 'mouseMoved', x, y, button: 'left' } });
  const [endX, endY] = to.at(-1) ?? from;
  viewer.send({ type: 'mouse', event: { type: 'mouseReleased', x: endX, y: endY, button: 'left', clickCount: 1 } });
}

export function click(viewer: TestViewer, at: Point): void {
  drag(viewer, at);
}

/** Types a text key by key, as Mastra's Studio does. */
export function typeLikeStudio(viewer: TestViewer, text: string): void {
  for (const key of text) {
    const code = /[a-z]/i.test(key) ? `Key${key.toUpperCase()}` : '';
    viewer.send({ type: 'keyboard', eventType: 'keyDown', key, code });
    viewer.send({ type: 'keyboard', eventType: 'char', key, text: key });
    viewer.send({ type: 'keyboard', eventType: 'keyUp', key, code });
  }
}

export function pressKey(viewer: TestViewer, key: string, code = key, modifiers = 0): void {
  viewer.send({ type: 'keyboard', event: { type: 'keyDown', key, code, modifiers } });
  viewer.send({ type: 'keyboard', event: { type: 'keyUp', key, code, modifiers } });
}
