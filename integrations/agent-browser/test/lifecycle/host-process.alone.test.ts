import { expect, test } from 'vitest';
import { type Host, hostPrograms } from './host-program.js';
import { isRunning, ownTemporaryFolder } from './machine.js';

const host = hostPrograms();
const temporary = ownTemporaryFolder();

async function expectNothingLeft({ helpers }: Host): Promise<void> {
  await expect.poll(() => helpers.filter(isRunning)).toEqual([]);
  expect(temporary.entries()).toEqual([]);
}

const SERVER = `createServer().listen(0, '127.0.0.1');`;

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  test(`${signal} ends a program as usual, and its browser and temporary files with it`, async () => {
    const program = await host(SERVER);
    program.process.kill(signal);
    expect(await program.ended).toMatchObject({ code: null, signal });
    await expectNothingLeft(program);
  });

  test(`${signal} closes the browser of a program that has a listener for it and leaves the rest to that`, async () => {
    const program = await host(`${SERVER}
      process.once('${signal}', () => console.log('noticed'));
      process.once('SIGUSR2', async () => {
        await open();
        await toolset.close();
        process.exit(7);
      });`);
    program.process.kill(signal);
    expect(await program.line()).toBe('noticed');
    await expect.poll(() => program.helpers.filter(isRunning)).toEqual([]);
    expect(isRunning(program.pid)).toBe(true);
    program.process.kill('SIGUSR2');
    expect(await program.line()).toBe('open');
    expect(await program.ended).toMatchObject({ code: 7 });
    await expectNothingLeft(program);
  });
}

test('a program that opens a page loads nothing that drives phones', async () => {
  const program = await host(`
    const { createRequire } = await import('node:module');
    process.once('SIGUSR2', () => {
      const packages = Object.keys(createRequire('/').cache).map(file => file.replace(/.*node_modules./, '').split('/')[0]);
      console.log(JSON.stringify([...new Set(packages)]));
    });
    ${SERVER}`);
  program.process.kill('SIGUSR2');
  const packages: string[] = JSON.parse(await program.line());
  expect(packages).toContain('playwright-core');
  expect(packages).not.toContain('node-simctl');
  expect(packages).not.toContain('source-map-support');
  program.process.kill('SIGTERM');
  await program.ended;
  await expectNothingLeft(program);
});

test('a second signal ends a program at once when its browser does not react', async () => {
  const program = await host(SERVER);
  for (const pid of program.helpers) process.kill(pid, 'SIGSTOP');
  program.process.kill('SIGINT');
  const still = new Promise(resolve => setTimeout(() => resolve('running'), 300));
  expect(await Promise.race([program.ended, still])).toBe('running');
  const began = performance.now();
  program.process.kill('SIGINT');
  expect(await program.ended).toMatchObject({ signal: 'SIGINT' });
  // A browser that does not react is given up after 5 s.
  expect(performance.now() - began).toBeLessThan(5_000);
  await expect.poll(() => program.helpers.filter(isRunning)).toEqual([]);
});

test('an error that nobody catches ends a program as usual, and nothing is left', async () => {
  const program = await host(`${SERVER} process.once('SIGUSR2', () => { throw new Error('oh no'); });`);
  program.process.kill('SIGUSR2');
  const { code, errors } = await program.ended;
  expect(code).toBe(1);
  expect(errors).toContain('oh no');
  await expectNothingLeft(program);
});

test('a promise that nobody catches ends a program as usual, and nothing is left', async () => {
  const program = await host(`${SERVER} process.once('SIGUSR2', () => Promise.reject(new Error('oh no')));`);
  program.process.kill('SIGUSR2');
  const { code, errors } = await program.ended;
  expect(code).toBe(1);
  expect(errors).toContain('oh no');
  await expectNothingLeft(program);
});

test('process.exit() leaves nothing, also in the middle of a call', async () => {
  const program = await host(`session.wait({ for: { seconds: 20 } }); process.once('SIGUSR2', () => process.exit(3));`);
  program.process.kill('SIGUSR2');
  expect(await program.ended).toMatchObject({ code: 3 });
  await expectNothingLeft(program);
});

test('a program ends by itself once the toolset is closed', async () => {
  const program = await host(`const server = createServer().listen(0, '127.0.0.1');
    process.once('SIGUSR2', async () => { await toolset.close(); server.close(); });`);
  program.process.kill('SIGUSR2');
  const { code, errors } = await program.ended;
  expect([code, errors]).toEqual([0, '']);
  await expectNothingLeft(program);
});

test('a program that lost its browser ends by itself once the toolset is closed', async () => {
  const program = await host(`const server = createServer().listen(0, '127.0.0.1');
    process.once('SIGUSR2', async () => { await toolset.close(); server.close(); });`);
  process.kill(program.helpers[0] ?? 0, 'SIGKILL');
  await expect.poll(() => program.helpers.filter(isRunning)).toEqual([]);
  program.process.kill('SIGUSR2');
  expect(await program.ended).toMatchObject({ code: 0, errors: '' });
  await expectNothingLeft(program);
});

test('a browser does not outlive a program that is killed', async () => {
  const program = await host(SERVER);
  program.process.kill('SIGKILL');
  await program.ended;
  await expect.poll(() => program.helpers.filter(isRunning)).toEqual([]);
});
