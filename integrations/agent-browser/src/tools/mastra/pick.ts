import type { ResolvedConfig } from '../../config.js';
import type { ToolDefinition } from '../define.js';
import { ALL_TOOLS } from '../index.js';

/** The tools that the options ask for. Throws when they name one that does not exist. */
export function pickTools(options: Pick<ResolvedConfig, 'tools' | 'allowEvaluate' | 'webMcp'>): ToolDefinition[] {
  const { only, except, also } = options.tools;
  const all: readonly ToolDefinition[] = ALL_TOOLS as readonly unknown[] as readonly ToolDefinition[];
  const known = new Set(all.map(tool => tool.id));
  const unknown = [only, except, also].flatMap(ids => ids ?? []).filter(id => !known.has(id));
  if (unknown.length > 0)
    throw new TypeError(`BrowserToolset: there is no tool ${unknown.join(', ')}. There are ${[...known].join(', ')}.`);
  const isDefault = ({ id, policy: { optIn } }: ToolDefinition): boolean =>
    (optIn === undefined || (optIn !== true && options[optIn])) && !except?.includes(id);
  return all.filter(tool => only?.includes(tool.id) ?? (isDefault(tool) || also?.includes(tool.id)));
}
