import { z } from 'zod/v4';
import generated from '../generated/toolset-tools.json' with { type: 'json' };
import type { ServedToolset } from '../mcp-server.js';
import { toolsOnRequest } from '../profiles.js';
import { infoOf, type ToolInfo } from '../toolset/catalogue.js';
import type { McpToolset } from '../toolset/mcp-toolset.js';

export interface LazyToolset {
  make(): Promise<McpToolset>;
  catalogue: readonly ToolInfo[];
  close(): Promise<void>;
}

interface Surroundings {
  isShared: boolean;
  /** Folders that the client of a thread offers for uploads. */
  rootsOf(threadId: string): readonly string[];
  onBadOptions(message: string): void;
}

const uploadOption = z.array(z.string()).optional();

/**
 * The toolset of the command. Clients wait for the list of tools at their start, and loading the toolset takes longer than
 * all else: so it is loaded after the list was told, which stands in a file that the build writes.
 */
export function lazyToolset(
  options: Record<string, unknown>,
  { isShared, rootsOf, onBadOptions }: Surroundings,
): LazyToolset & Exclude<ServedToolset, McpToolset> {
  let made: Promise<McpToolset> | undefined;
  const given = uploadOption.safeParse(options.uploadRoots).data ?? [];
  const make = async (): Promise<McpToolset> => {
    const { BrowserToolset } = await import('@browser-toolset/agent-browser');
    return new BrowserToolset({
      ...options,
      ...(isShared && { scope: 'shared' }),
      tools: { also: toolsOnRequest() },
      uploadRoots: ({ threadId }: { threadId: string }) => [...given, ...rootsOf(threadId)],
    });
  };
  const once = (): Promise<McpToolset> => {
    made ??= make().catch(error => {
      onBadOptions(error instanceof Error ? error.message : String(error));
      throw error;
    });
    return made;
  };
  // Bad options are told before the first call, and the first call finds the toolset loaded.
  setTimeout(() => once().catch(() => undefined), WARM_UP).unref();
  const mayEvaluate = options.allowEvaluate === true;
  return {
    make: once,
    catalogue: generated.map(infoOf).filter(({ name }) => mayEvaluate || name !== 'browser_evaluate'),
    close: async () => (await made)?.close(),
  };
}

/** Milliseconds from the start until the toolset is loaded without being asked for. */
const WARM_UP = 1_000;
