import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { CONTRACT_CASES } from './contract-cases.js';
import type { ContractSubject } from './contract-subject.js';

export interface ContractOptions {
  create(): Promise<ContractSubject>;
  /** Tests, by title, that do not hold for this implementation, and why. A title that does not exist is an error. */
  skip?: readonly { reason: string; tests: readonly string[] }[];
}

/**
 * Runs the tests that every `BrowserLiveSource` has to pass, on pages that the suite serves on 127.0.0.1.
 *
 * @example
 * describeBrowserToolsetLike('MyToolset', {
 *   async create() {
 *     const toolset = new MyToolset();
 *     return { toolset, open: (threadId, url) => toolset.goto(threadId, url), dispose: () => toolset.close() };
 *   },
 * });
 */
export function describeBrowserToolsetLike(name: string, { create, skip = [] }: ContractOptions): void {
  const reasons = skipReasons(skip);
  describe(`${name} as a live source`, () => {
    let server: Server;
    beforeAll(async () => {
      server = await servePages();
    });
    afterAll(() => stopServing(server));

    for (const [title, run] of Object.entries(CONTRACT_CASES)) {
      const reason = reasons.get(title);
      test.skipIf(reason !== undefined)(reason === undefined ? title : `${title} (${reason})`, async context => {
        const subject = await create();
        try {
          await run({
            subject,
            toolset: subject.toolset,
            pageUrl: pageUrlOf(server),
            leaveOut: why => context.skip(why),
          });
        } finally {
          await subject.dispose();
        }
      });
    }
  });
}

function skipReasons(skip: NonNullable<ContractOptions['skip']>): Map<string, string> {
  const reasons = new Map(skip.flatMap(({ reason, tests }) => tests.map(title => [title, reason] as const)));
  const unknown = [...reasons.keys()].filter(title => !(title in CONTRACT_CASES));
  if (unknown.length > 0) throw new Error(`The contract has no test named: ${unknown.join('; ')}`);
  return reasons;
}

/** Static pages, each with a colour of its own: nothing on them ever asks for another frame. */
async function servePages(): Promise<Server> {
  const server = createServer((request, response) => {
    const hue = (request.url ?? '').length * 40;
    response.setHeader('content-type', 'text/html; charset=utf-8');
    response.end(`<!doctype html><title>${request.url}</title><body style="background: hsl(${hue} 80% 60%)">`);
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  return server;
}

async function stopServing(server: Server): Promise<void> {
  const closed = new Promise<void>(resolve => server.close(() => resolve()));
  server.closeAllConnections();
  await closed;
}

function pageUrlOf(server: Server): (path: string) => string {
  const { port } = server.address() as AddressInfo;
  return path => `http://127.0.0.1:${port}${path}`;
}
