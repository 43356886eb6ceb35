import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from 'vitest';

const MODULE = JSON.stringify(new URL('../bootstrap/processes.mjs', import.meta.url).href);

/** @param {string} childScript what the command that is run in the foreground does */
function commandLine(childScript) {
  const script = `
    import { foreground } from ${MODULE};
    process.exitCode = await foreground({ file: process.execPath, args: ['-e', ${JSON.stringify(childScript)}, 'a "b" $c'] });`;
  return [process.execPath, '--input-type=module', '-e', script];
}

/** @param {string} childScript */
function foregroundOf(childScript) {
  const [file = '', ...args] = commandLine(childScript);
  return spawn(file, args, { stdio: ['ignore', 'pipe', 'inherit'] });
}

test('the exit code of the command is passed on', async () => {
  const [code] = await once(foregroundOf('process.exit(7)'), 'close');
  expect(code).toBe(7);
});

test('arguments reach the command as they are, quotes and dollars included', async () => {
  const [output] = await once(foregroundOf('console.log(process.argv[1])').stdout, 'data');
  expect(String(output)).toBe('a "b" $c\n');
});

test.each(/** @type {const} */ (['SIGTERM', 'SIGINT']))(
  '%s reaches the command, which ends in its own way',
  async signal => {
    const runner = foregroundOf(
      `process.on('${signal}', () => process.exit(3)); setInterval(() => {}, 1000); console.log('up')`,
    );
    await once(runner.stdout, 'data');
    runner.kill(signal);
    expect(await once(runner, 'close')).toEqual([3, null]);
  },
);

test('the command ends when npm was told to end, which tells only its shell', async () => {
  const child =
    "process.on('SIGTERM', () => { console.log('told'); process.exit() }); setInterval(() => {}, 1000); console.log('up')";
  const shell = spawn('sh', ['-c', '"$0" "$@"; true', ...commandLine(child)], {
    env: { ...process.env, npm_lifecycle_event: 'start' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(shell.stdout, 'data');
  shell.kill('SIGTERM');
  const [said] = await once(shell.stdout, 'data');
  expect(String(said)).toBe('told\n');
});

test('a command that a signal killed gives the exit code a shell would give', async () => {
  const [code] = await once(foregroundOf('process.kill(process.pid, "SIGKILL"); setInterval(() => {}, 1000)'), 'close');
  expect(code).toBe(137);
});
