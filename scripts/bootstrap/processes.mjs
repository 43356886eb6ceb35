import { spawn } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { constants } from 'node:os';
import { join } from 'node:path';
import { BootstrapError, Interrupted } from './failure.mjs';
import { logs, root } from './layout.mjs';
import { onParentGone } from './parent.mjs';

/** @typedef {{ file: string, args: string[] }} Command a program and its leading arguments; never a shell line */

const FORWARDED = /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']);

/**
 * Runs a command to its end without showing its output, which is kept in `.toolchain/logs/<log>.log`.
 * @param {Command} command
 * @param {{ log: string, cwd?: string }} options
 * @returns {Promise<{ ok: boolean, output: string }>}
 */
export async function capture(command, { log, cwd = root }) {
  const child = spawn(command.file, command.args, { cwd, stdio: ['ignore', 'pipe', 'pipe'], windowsHide: true });
  /** @type {Buffer[]} */
  const chunks = [];
  child.stdout.on('data', chunk => chunks.push(chunk));
  child.stderr.on('data', chunk => chunks.push(chunk));
  const ended = await supervise(child, command);
  const output = Buffer.concat(chunks).toString();
  await mkdir(logs, { recursive: true });
  await writeFile(join(logs, `${log}.log`), output);
  if (ended.received) throw new Interrupted(ended.received);
  return { ok: ended.exitCode === 0, output };
}

/**
 * Hands the terminal to a command and answers its exit code (128 + n when signal n ended it, as a shell does).
 * @param {Command} command
 * @param {string} [cwd]
 * @returns {Promise<number>}
 */
export async function foreground(command, cwd = root) {
  const child = spawn(command.file, command.args, { cwd, stdio: 'inherit' });
  return (await supervise(child, command)).exitCode;
}

/** @param {NodeJS.Signals} signal */
export function exitCodeOf(signal) {
  return 128 + (constants.signals[signal] ?? 0);
}

/**
 * Waits for a child while the signals this process gets go on to it.
 * @param {import('node:child_process').ChildProcess} child
 * @param {Command} command
 * @returns {Promise<{ exitCode: number, received: NodeJS.Signals | undefined }>}
 */
function supervise(child, command) {
  /** @type {NodeJS.Signals | undefined} */
  let received;
  /** @param {NodeJS.Signals} signal */
  const forward = signal => {
    received = signal;
    // A terminal sends Ctrl+C to the whole process group; a second SIGINT makes many tools quit without cleaning up.
    if (signal === 'SIGINT' && process.stdin.isTTY) return;
    child.kill(signal);
  };
  for (const signal of FORWARDED) process.on(signal, forward);
  const stopLooking = onParentGone(() => forward('SIGTERM'));
  return new Promise((resolve, reject) => {
    child.once('error', cause =>
      reject(new BootstrapError(`Cannot run ${command.file}: ${cause.message}.`, { cause })),
    );
    child.once('close', (code, signal) => resolve({ exitCode: code ?? exitCodeOf(signal ?? 'SIGTERM'), received }));
  }).finally(() => {
    stopLooking();
    for (const signal of FORWARDED) process.off(signal, forward);
  });
}
