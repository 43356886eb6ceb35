import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ErrorCode } from '@browser-toolset/core';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { afterEachFile, afterEachTest } from '../../../scripts/testing/endings.ts';
import { BrowserToolset, type BrowserToolsetConfig } from '../src/index.js';
import type { CommonResult } from '../src/results/result.js';
import { ToolsetRuntime } from '../src/runtime.js';
import { TIMINGS, type Timings } from '../src/timings.js';
import { launchShared } from './shared-chromium.js';

/** A page as HTML, or a handler for what HTML alone cannot do. */
export type Route = string | ((request: IncomingMessage, response: ServerResponse) => void);

export interface Site {
  /** The full url of a path. */
  url(path?: string): string;
  /** Ends the server now instead of after the last test of the file. */
  close(): Promise<void>;
}

/** Serves pages on 127.0.0.1 until the last test of the file is done. Paths that no route has answer with status 404. */
export async function servePages(routes: Record<string, Route>): Promise<Site> {
  const server = createServer((request, response) => {
    const route = routes[(request.url ?? '/').split('?')[0] ?? '/'];
    if (typeof route === 'function') return route(request, response);
    response.writeHead(route === undefined ? 404 : 200, { 'content-type': 'text/html; charset=utf-8' });
    response.end(route ?? '<!doctype html><title>Not found</title><h1>Not found</h1>');
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const site: Site = {
    url: (path = '/') => `http://127.0.0.1:${port}${path}`,
    async close() {
      const closed = new Promise<void>(resolve => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
    },
  };
  sites.push(site);
  return site;
}

/** Most pages of tests answer at once, or never: that nothing more comes need not be waited for as long as in the product. */
const AT_ONCE: Timings = { ...TIMINGS, firstChange: 50 };

/** For animations: on a busy machine they take as long as they take. */
export const PATIENT: Timings = { ...TIMINGS, fading: 20_000 };

/** A toolset in the Chromium of this worker. Whoever makes it closes it. */
export function sharingToolset(config?: BrowserToolsetConfig, timings: Partial<Timings> = {}): BrowserToolset {
  const runtime = new ToolsetRuntime(config, { launch: launchShared, timings: { ...AT_ONCE, ...timings } });
  return new BrowserToolset(config, runtime);
}

/** A toolset in the Chromium of this worker, closed after the test. */
export function testToolset(config?: BrowserToolsetConfig): BrowserToolset {
  const toolset = sharingToolset(config);
  toolsets.push(toolset);
  return toolset;
}

/** A toolset that launches a Chromium of its own, closed after the test: for tests of the launch, the process or its end. */
export function launchingToolset(config?: BrowserToolsetConfig): BrowserToolset {
  const toolset = new BrowserToolset(config);
  toolsets.push(toolset);
  return toolset;
}

/** The page that a thread's browser shows, for what no tool does. */
export function pageOf(toolset: BrowserToolset, threadId: string): Promise<Page> {
  return (toolset as unknown as { getActivePage(threadId: string): Promise<Page> }).getActivePage(threadId);
}

/** The result, which must be a success; else the test fails and shows all of it. */
export function expectSuccess<Result extends CommonResult>(result: Result): Result & { success: true } {
  if (!result.success) expect.fail(`expected a success, got ${JSON.stringify(result, null, 2)}`);
  return result as Result & { success: true };
}

/** The result, which must be a failure with this code; else the test fails and shows all of it. */
export function expectFailure<Result extends CommonResult>(
  result: Result,
  code: ErrorCode,
): Result & { success: false; message: string } {
  if (result.success || result.code !== code)
    expect.fail(`expected the failure ${code}, got ${JSON.stringify(result, null, 2)}`);
  return result as Result & { success: false; message: string };
}

/** A text for a model without the lines around what a page says. */
export function withoutBoundaries(text: string): string {
  return text.replace(/^\[page (\d{4,})\]\n([\s\S]*)\n\[end \1\]$/m, '$2');
}

/** What `refOf` reads of a snapshot's result. */
export interface Snapshot {
  tree?: string;
  refs?: Record<string, { role: string; name?: string }>;
}

/** The ref of the element with this role and name; of several the one at `index`. */
export function refOf(snapshot: Snapshot, role: string, name: string, index = 0): string {
  const found = Object.entries(snapshot.refs ?? {}).filter(
    ([, element]) => element.role === role && (element.name ?? '') === name,
  );
  const ref = found[index]?.[0];
  return ref ?? expect.fail(`no ref for ${role} ${JSON.stringify(name)} (${index}) in\n${snapshot.tree}`);
}

const sites: Site[] = [];
const toolsets: BrowserToolset[] = [];

afterEachTest(() => Promise.all(toolsets.splice(0).map(toolset => toolset.close())));
afterEachFile(() => Promise.all(sites.splice(0).map(site => site.close())));
