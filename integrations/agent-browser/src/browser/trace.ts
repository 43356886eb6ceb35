import { chmod, mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { OWNER_ONLY, OWNER_ONLY_FOLDER } from '@browser-toolset/core/files';
import { within } from '@browser-toolset/core/waiting';
import type { BrowserContext } from 'playwright-core';
import type { SessionLog } from '../observe/observation.js';
import type { ResolvedConfig } from '../options.js';
import { logged, plainMessage } from '../results/errors.js';
import { safeFileName } from './files/files.js';

/** In milliseconds: the limit for writing the trace file. */
const WRITE_MS = 30_000;

interface Traced {
  context: BrowserContext;
  threadId: string;
  owner: { config: ResolvedConfig; log: SessionLog };
}

/** A Playwright trace of a context, from its creation until it closes. A failed trace never fails a session. */
export class Trace {
  private constructor(
    readonly traced: Traced,
    readonly path: string,
  ) {}

  /** Undefined when traces are off, or this one could not begin. */
  static async start(traced: Traced): Promise<Trace | undefined> {
    const { context, threadId, owner } = traced;
    const { trace, downloadsPath } = owner.config;
    if (trace === false) return undefined;
    const { folder = downloadsPath ?? 'traces', screenshots = true, snapshots = true } = trace === true ? {} : trace;
    const time = new Date().toISOString().replace(/[:.]/g, '-');
    const ending = `-${time}.zip`;
    const path = resolve(folder, `${safeFileName(threadId, ending)}${ending}`);
    try {
      await context.tracing.start({ screenshots, snapshots, title: threadId });
      return new Trace(traced, path);
    } catch (error) {
      owner.log.warn('trace could not begin', { threadId, error: plainMessage(error) });
      return undefined;
    }
  }

  async stop(): Promise<void> {
    const { path, traced } = this;
    const { threadId, owner } = traced;
    try {
      const written = await within(
        WRITE_MS,
        this.#write().then(() => true),
      );
      if (written) owner.log.debug('trace written', { threadId, path });
      else owner.log.warn('trace took too long to write', { threadId, path });
    } catch (error) {
      owner.log.warn('trace could not be written', { threadId, path, error: plainMessage(error) });
    }
  }

  /** The trace must not be readable by other users, even while it is written. */
  async #write(): Promise<void> {
    const folder = dirname(this.path);
    await mkdir(folder, { recursive: true, mode: OWNER_ONLY_FOLDER });
    const draft = await mkdtemp(join(folder, '.trace-'));
    try {
      const path = join(draft, 'trace.zip');
      await this.traced.context.tracing.stop({ path });
      await chmod(path, OWNER_ONLY);
      await rename(path, this.path);
    } finally {
      await rm(draft, { recursive: true, force: true });
    }
  }
}

/** Runs a task as a named group of the context's trace, if there is one. */
export async function inTraceGroup<T>(traced: Traced, name: string, task: () => Promise<T>): Promise<T> {
  const { context, owner } = traced;
  if (owner.config.trace === false) return task();
  const quietly = (done: Promise<unknown>) => done.catch(logged(traced, 'trace has no group'));
  await quietly(context.tracing.group(name));
  try {
    return await task();
  } finally {
    await quietly(context.tracing.groupEnd());
  }
}
