import type { MastraModelConfig } from '@mastra/core/llm';
import { z } from 'zod/v4';
import generated from '../generated/toolset-tools.json' with { type: 'json' };
import { toolsOnRequest } from '../profiles.js';
import { catalogueOf, infoOf, type ToolInfo } from '../toolset/catalogue.js';
import type { McpToolset } from '../toolset/mcp-toolset.js';
import { UsageError } from './read-options.js';

export interface LazyToolset {
  /** @param need `browser` starts it as well, while the rest is loaded. */
  make(need?: 'browser'): Promise<McpToolset>;
  catalogue: readonly ToolInfo[];
  close(): Promise<void>;
}

interface Surroundings {
  isShared: boolean;
  /** The model of `browser_extract` where its own option names none. */
  model: MastraModelConfig | undefined;
  /** Folders that the client of a thread offers for uploads. */
  rootsOf(threadId: string): readonly string[];
  /** Told of options that the toolset refuses, once it was loaded. */
  onBadOptions(error: unknown): void;
}

const uploadOption = z.array(z.string()).optional();

/**
 * The toolset of the command. Clients wait for the list of tools at their start, and loading the toolset takes longer than
 * all else: so it is loaded after the list was told, which stands in a file that the build writes.
 */
export async function lazyToolset(
  options: Record<string, unknown>,
  { isShared, model, rootsOf, onBadOptions }: Surroundings,
): Promise<LazyToolset> {
  const given = uploadOption.safeParse(options.uploadRoots).data ?? [];
  const all = {
    ...options,
    ...(isShared && { scope: 'shared' as const }),
    ...(options.extract === undefined && model !== undefined && { extract: { model } }),
    tools: { also: toolsOnRequest() },
    uploadRoots: ({ threadId }: { threadId: string }) => [...given, ...rootsOf(threadId)],
  };
  let isBegun = false;
  const runtime = once(async () => {
    isBegun = true;
    const { ToolsetRuntime } = await import('@browser-toolset/agent-browser/runtime');
    return checked(() => new ToolsetRuntime(all));
  });
  const whole = once(async (): Promise<McpToolset> => {
    const made = await runtime();
    const { BrowserToolset } = await import('@browser-toolset/agent-browser');
    return checked(() => new BrowserToolset(all, made));
  });
  const make = async (need?: 'browser'): Promise<McpToolset> => {
    if (need === 'browser') await (await runtime()).startBrowser();
    return whole();
  };
  const close = async (): Promise<void> => (isBegun ? (await runtime()).close() : undefined);
  // Tools that take secrets name them.
  if (options.secrets !== undefined) return { make, catalogue: catalogueOf((await make()).tools), close };
  // Bad options are told before the first call, and the first call finds the toolset loaded.
  setTimeout(() => make().catch(onBadOptions), WARM_UP).unref();
  return {
    make,
    catalogue: generated.map(infoOf).filter(({ name }) => isOn(name, options)),
    close,
  };
}

function once<Made>(make: () => Promise<Made>): () => Promise<Made> {
  let made: Promise<Made> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

/** Options that the toolset refuses are the mistake of whoever wrote them. */
function checked<Made>(make: () => Made): Made {
  try {
    return make();
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

/** Milliseconds from the start until the toolset is loaded without being asked for. */
const WARM_UP = 1_000;

/** Tools that are there only with an option of their own. */
const OPTION_OF: Readonly<Record<string, string>> = { browser_evaluate: 'allowEvaluate', browser_page_tools: 'webMcp' };

function isOn(tool: string, options: Record<string, unknown>): boolean {
  const option = OPTION_OF[tool];
  return option === undefined || options[option] === true;
}
