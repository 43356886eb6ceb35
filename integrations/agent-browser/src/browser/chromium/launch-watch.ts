import { AsyncLocalStorage } from 'node:async_hooks';
import type { ChildProcess } from 'node:child_process';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { Attempt } from '../running-browser.js';
import { ChromiumProcess } from './chromium-process.js';

type Listener = (...args: unknown[]) => void;

/** Changes that a launch made to this process, which the launching library does not report. */
export interface LaunchTraces {
  /** The browser's process. Undefined when Node does not announce new processes. */
  chromium?: ChromiumProcess;
  /** Resolves when that process has ended. */
  ended: Promise<void>;
  /** Listeners for signals and for the exit of this process that were installed. */
  listeners: { event: string; listener: Listener }[];
}

/**
 * Runs a launch and notes the process that it starts and the listeners on this process that it installs. Whose doing they are
 * is told by the asynchronous context that they happen in, so launches side by side and the host program's own
 * listeners are not mixed up.
 */
export async function watchLaunch<T>(attempt: Attempt, launch: (traces: LaunchTraces) => Promise<T>): Promise<T> {
  const context = new AsyncLocalStorage<LaunchTraces>();
  let onEnded = (): void => undefined;
  const onProcess = (message: unknown): void => {
    const traces = context.getStore();
    if (traces === undefined) return;
    traces.chromium = new ChromiumProcess((message as { process: ChildProcess }).process);
    traces.chromium.ended.then(onEnded);
    // It was given up while there was no process to end yet.
    if (attempt.isCancelled) traces.chromium.kill();
    attempt.noteProcess();
  };
  const onListener = (event: string | symbol, listener: Listener): void => {
    if (typeof event === 'string' && (event === 'exit' || event.startsWith('SIG')))
      context.getStore()?.listeners.push({ event, listener });
  };
  subscribe('child_process', onProcess);
  process.on('newListener', onListener);
  try {
    const ended = new Promise<void>(resolve => {
      onEnded = resolve;
    });
    const traces: LaunchTraces = { listeners: [], ended };
    return await context.run(traces, () => launch(traces));
  } finally {
    process.off('newListener', onListener);
    unsubscribe('child_process', onProcess);
    context.disable();
  }
}
