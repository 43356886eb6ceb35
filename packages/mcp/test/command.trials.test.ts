import { once } from 'node:events';
import { expect, it } from 'vitest';
import { seedNote, trials } from '../../../scripts/testing/trials.js';
import { brokenMessages } from './broken-messages.js';
import { Command } from './command.js';
import { site } from './site.js';

const COUNT = trials.size({ slice: 4_000, full: 40_000 });
const [SEED = 0] = trials.seeds({ slice: 1, full: 1, first: 11 });
const url = site({ '/': '<title>Home</title>' });

it(`the command takes ${COUNT.toLocaleString('en')} broken messages, and a client that does not read, in little memory`, {
  timeout: trials.limit,
}, async () => {
  // With so little memory it ends where each of forty thousand messages leaves five kilobytes behind.
  const command = await new Command([], { NODE_OPTIONS: '--max-old-space-size=160' }).initialized();
  const { stdin, stdout } = command.process;
  const broken = brokenMessages(SEED);
  const send = async (count: number): Promise<void> => {
    for (let sent = 0; sent < count; sent++)
      if (!stdin?.write(`${broken().replaceAll('\n', ' ')}\n`)) await once(stdin as NodeJS.WritableStream, 'drain');
    await command.ask('ping', {});
  };
  await send(COUNT / 8);
  // Whoever reads nothing for a while gets all answers afterwards.
  stdout?.pause();
  const sent = send(COUNT / 8);
  await once(stdin as NodeJS.WritableStream, 'drain');
  stdout?.resume();
  await sent;
  await send((COUNT * 3) / 4);
  const { result } = await command.call('browser_navigate', { url: url('/') });
  expect(result?.structuredContent, seedNote(SEED)).toMatchObject({ success: true, title: 'Home' });
  command.process.stdin?.end();
  expect(await command.ended()).toBe(0);
});
