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

interface TraceOptions {
  folder: string;
  screenshots: boolean;
  snapshots: boolean;
}

export function traceOptions({ trace, downloadsPath }: ResolvedConfig): TraceOptions {
  const {
    folder = downloadsPath ?? 'traces',
    screenshots = true,
    snapshots = true,
  } = trace === true || trace === false ? {} : trace;
  return { folder, screenshots, snapshots };
}

/** A Playwright trace of a context, from its creation until it closes. A failed trace never fails a session. */
export class Trace {
  private constructor(
    readonly context: BrowserContext,
    readonly path: string,
    readonly whose: { threadId: string; log: SessionLog },
  ) {}

  static async start(
    context: BrowserContext,
    { folder, screenshots, snapshots, threadId, log }: TraceOptions & { threadId: string; log: SessionLog },
  ): Promise<Trace | undefined> {
    const time = new Date().toISOString().replace(/[:.]/g, '-');
    const ending = `-${time}.zip`;
    const path = resolve(folder, `${safeFileName(threadId, ending)}${ending}`);
    try {
      await context.tracing.start({ screenshots, snapshots, title: threadId });
      return new Trace(context, path, { threadId, log });
    } catch (error) {
      log.warn('trace could not begin', { threadId, error: plainMessage(error) });
      return undefined;
    }
  }

  async stop(): Promise<void> {
    const { threadId, log } = this.whose;
    const { path } = this;
    try {
      const written = await within(
        WRITE_MS,
        this.#write().then(() => true),
      );
      if (written) log.debug('trace written', { threadId, path });
      else log.warn('trace took too long to write', { threadId, path });
    } catch (error) {
      log.warn('trace could not be written', { threadId, path, error: plainMessage(error) });
    }
  }

  /** The trace must not be readable by other users, even while it is written. */
  async #write(): Promise<void> {
    const folder = dirname(this.path);
    await mkdir(folder, { recursive: true, mode: OWNER_ONLY_FOLDER });
    const draft = await mkdtemp(join(folder, '.trace-'));
    try {
      const path = join(draft, 'trace.zip');
      await this.context.tracing.stop({ path });
      await chmod(path, OWNER_ONLY);
      await rename(path, this.path);
    } finally {
      await rm(draft, { recursive: true, force: true });
    }
  }
}

interface Traced {
  context: BrowserContext;
  threadId: string;
  owner: { config: ResolvedConfig; log: SessionLog };
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
