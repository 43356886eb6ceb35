import { Session } from 'node:inspector/promises';
import { fileURLToPath } from 'node:url';
import type { CDPSession } from 'playwright-core';
import { bundles as encoders } from '../../../packages/live/scripts/bundle-page.mjs';
import { bundles as engine } from '../../../packages/page-engine/scripts/bundle-page.mjs';
import { nameOf, type Range, repository, Sources } from './sources.ts';

/** What V8 counts in Node and in a page alike, since it was last asked. */
interface ScriptCoverage {
  scriptId: string;
  url: string;
  functions: { ranges: { startOffset: number; endOffset: number; count: number }[] }[];
}

/** Every call is counted, each function as a whole. */
const counting = { callCount: true, detailed: false };

/** Which files of this process had a function that was called. */
export class NodeCoverage {
  readonly #session = new Session();
  readonly #sources = new Map<string, Sources | undefined>();

  static async start(): Promise<NodeCoverage> {
    const coverage = new NodeCoverage();
    coverage.#session.connect();
    await coverage.#session.post('Profiler.enable');
    await coverage.#session.post('Profiler.startPreciseCoverage', counting);
    return coverage;
  }

  /** The files since the last time. What is counted is read at once, before anything else can run. */
  async take(): Promise<string[]> {
    const { result } = await this.#session.post('Profiler.takePreciseCoverage');
    const files = result.filter(isOfWorkspace).flatMap(script => {
      const sources = this.#sourcesOf(fileURLToPath(script.url));
      return calledIn(script).map(range => sources?.fileOf(range));
    });
    return named(files);
  }

  stop(): void {
    this.#session.disconnect();
  }

  #sourcesOf(path: string): Sources | undefined {
    if (!this.#sources.has(path)) this.#sources.set(path, Sources.ofFile(path));
    return this.#sources.get(path);
  }
}

const isOfWorkspace = ({ url }: ScriptCoverage) =>
  url.startsWith('file:') && fileURLToPath(url).startsWith(repository) && !url.includes('/node_modules/');

interface Bundle {
  code: string;
  sources: Sources;
}

/** Which files had a function that was called in a page, in whatever world. */
export class PageCoverage {
  readonly #cdp: CDPSession;
  readonly #bundles: readonly Bundle[];
  /** By script: the bundle that it holds, and where. */
  readonly #scripts = new Map<string, (Bundle & { at: number }) | undefined>();

  private constructor(cdp: CDPSession, bundles: readonly Bundle[]) {
    this.#cdp = cdp;
    this.#bundles = bundles;
  }

  static async start(cdp: CDPSession): Promise<PageCoverage> {
    const read = await Promise.all([engine.read(), encoders.read()]);
    const bundles = read.flat().map(({ code, map }) => ({ code, sources: new Sources(code, map) }));
    // The debugger alone gives the text of scripts.
    await cdp.send('Debugger.enable');
    await cdp.send('Profiler.enable');
    await cdp.send('Profiler.startPreciseCoverage', counting);
    return new PageCoverage(cdp, bundles);
  }

  /** The files since the last time. */
  async take(): Promise<string[]> {
    const { result } = await this.#cdp.send('Profiler.takePreciseCoverage');
    const files: (string | undefined)[] = [];
    for (const script of result) {
      const called = calledIn(script);
      const bundle = called.length === 0 ? undefined : await this.#bundleOf(script.scriptId);
      if (bundle === undefined) continue;
      const { at, code, sources } = bundle;
      const isInside = ({ start, end }: Range) => start >= at && end <= at + code.length;
      files.push(
        ...called.filter(isInside).map(({ start, end }) => sources.fileOf({ start: start - at, end: end - at })),
      );
    }
    return named(files);
  }

  async #bundleOf(scriptId: string): Promise<(Bundle & { at: number }) | undefined> {
    if (!this.#scripts.has(scriptId)) {
      const { scriptSource } = await this.#cdp.send('Debugger.getScriptSource', { scriptId });
      const held = this.#bundles.map(bundle => ({ ...bundle, at: scriptSource.indexOf(bundle.code) }));
      this.#scripts.set(
        scriptId,
        held.find(({ at }) => at >= 0),
      );
    }
    return this.#scripts.get(scriptId);
  }
}

function calledIn({ functions }: ScriptCoverage): Range[] {
  return functions.flatMap(({ ranges: [range] }) =>
    range && range.count > 0 ? [{ start: range.startOffset, end: range.endOffset }] : [],
  );
}

function named(files: readonly (string | undefined)[]): string[] {
  const names = new Set(files.flatMap(file => (file === undefined ? [] : (nameOf(file) ?? []))));
  return [...names].sort();
}
