import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { BrowserSession } from '../../src/index.js';
import { expectFailure, expectSuccess, refOf, servePages, sharingToolset, testToolset } from '../fixtures.js';
import { ownFiles } from '../lifecycle/machine.js';

const temporary = ownFiles();
/** More bytes than a file system takes. */
const LONG = '報告書'.repeat(30);

const site = await servePages({
  '/': `<!doctype html><meta charset="utf-8"><title>${LONG}</title><a href="/report">Report</a>`,
  '/report': (_, response) => {
    const name = encodeURIComponent(`${LONG}.csv`);
    response.writeHead(200, {
      'content-type': 'text/csv',
      'content-disposition': `attachment; filename*=UTF-8''${name}`,
    });
    response.end('a,b\n');
  },
});

async function opened(session: BrowserSession): Promise<BrowserSession> {
  expectSuccess(await session.navigate({ url: site.url() }));
  return session;
}

async function clickReport(session: BrowserSession) {
  return session.click({ ref: refOf(expectSuccess(await session.snapshot()), 'link', 'Report') });
}

/** The name of a file that is there, which is no part of a character short. */
function nameOf(path = ''): string {
  expect(readFileSync(path).length).toBeGreaterThan(0);
  const name = basename(path);
  expect(name).not.toContain('\ufffd');
  return name;
}

test('with long names of other scripts there are downloads, pictures and papers, under as much of the names as fits', async () => {
  const downloadsPath = temporary.path('downloads');
  const toolset = testToolset({ downloadsPath, tools: { also: ['browser_pdf', 'browser_storage'] } });
  const session = await opened(toolset.session(LONG));
  const { download } = expectSuccess(await clickReport(session));
  expect(download).toMatchObject({ state: 'completed', fileName: expect.stringMatching(/^報告書.*\.csv$/) });
  expect(nameOf(download?.path)).toMatch(/-報告書.*\.csv$/);
  expect(basename(dirname(download?.path ?? ''))).toMatch(/^報告書/);
  expect(nameOf(expectSuccess(await session.screenshot()).path)).toMatch(/screenshot\.jpg$/);
  expect(nameOf(expectSuccess(await session.pdf({})).path)).toMatch(/-報告書.*\.pdf$/);
});

test('a login can be saved under every name that its tool takes', async () => {
  const session = await opened(
    testToolset({ storagePath: temporary.path('storage'), tools: { also: ['browser_storage'] } }).session('a'),
  );
  const names = ['報'.repeat(100), `${'報'.repeat(99)}告`, '👩‍💻'.repeat(20), 'a'.repeat(100)];
  for (const name of names) expectSuccess(await session.storage({ action: 'save', name }));
  for (const name of names) expectSuccess(await session.storage({ action: 'load', name }));
  expect(readdirSync(temporary.path('storage'))).toHaveLength(names.length);
  for (const name of names) expect(expectSuccess(await session.storage({ action: 'clear', name })).name).toBe(name);
  expect(readdirSync(temporary.path('storage'))).toEqual([]);
});

test('a thread with a long name of another script has a trace and a video', async () => {
  const folder = temporary.path('recordings');
  const toolset = sharingToolset({ trace: { folder }, video: { folder } });
  await opened(toolset.session(LONG));
  await toolset.close();
  const names = readdirSync(folder).sort();
  expect(names).toEqual([expect.stringMatching(/^報告書.*\.webm$/), expect.stringMatching(/^報告書.*\.zip$/)]);
});

describe('where a folder cannot be had the agent is told why, and nothing of this machine', () => {
  const places = {
    'is a file': { path: join(temporary.path('in-the-way'), 'file'), why: 'a file is where its folder should be' },
    'has too long a path': { path: temporary.path(`deep/${'x'.repeat(200)}/`.repeat(25)), why: 'too long' },
  };

  test.each(Object.entries(places))('it %s', async (_, { path, why }) => {
    mkdirSync(temporary.path('in-the-way'), { recursive: true });
    writeFileSync(temporary.path('in-the-way/file'), '');
    const below = join(path, 'below');
    const toolset = testToolset({
      downloadsPath: below,
      storagePath: below,
      tools: { also: ['browser_pdf', 'browser_storage'] },
    });
    const session = await opened(toolset.session('a'));
    const failures = [
      expectFailure(await session.screenshot(), 'browser_error'),
      expectFailure(await session.pdf({}), 'browser_error'),
      expectFailure(await session.storage({ action: 'save', name: 'x' }), 'browser_error'),
      expectFailure(await session.storage({ action: 'load', name: 'x' }), 'browser_error'),
      expectFailure(await session.storage({ action: 'clear', name: 'x' }), 'browser_error'),
    ];
    for (const { message } of failures) {
      expect(message).toContain(why);
      expect(message).not.toContain('/');
    }
  });
});
