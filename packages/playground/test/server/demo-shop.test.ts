import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startKeptShop } from '../../src/server/demo-shop.js';

async function testFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'playground-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

describe('the demo shop of a playground', () => {
  test('is where it was the last time', async () => {
    const folder = await testFolder();
    const first = await startKeptShop(folder);
    await first.site.close();
    const second = await startKeptShop(folder);
    await using site = second.site;
    expect(site.url).toBe(first.site.url);
    expect((await fetch(`${site.url}/terms`)).status).toBe(200);
    expect([first.notice, second.notice]).toEqual([undefined, undefined]);
  });

  test('moves when somebody else has its port, says so, and stays there', async () => {
    const folder = await testFolder();
    const first = await startKeptShop(folder);
    await using earlier = first.site;
    const second = await startKeptShop(folder);
    expect(second.site.url).not.toBe(earlier.url);
    expect(second.notice).toBe(
      `Port ${new URL(earlier.url).port} is taken, so the demo shop is at ${second.site.url} now. ` +
        'Tasks of earlier threads that name its old address cannot go on: send them again.',
    );
    await second.site.close();
    await using later = (await startKeptShop(folder)).site;
    expect(later.url).toBe(second.site.url);
  });

  test('has a new address where its port cannot be read, and says so', async () => {
    const folder = await testFolder();
    for (const unreadable of ['{"port":', '{"port":0}']) {
      await writeFile(join(folder, 'demo-shop.json'), unreadable);
      const { site, notice } = await startKeptShop(folder);
      await site.close();
      expect(notice).toContain('demo-shop.json cannot be read');
    }
  });
});
