import { betweenBoundaries } from '@browser-toolset/core/boundaries';
import { z } from 'zod/v4';
import type { Client } from '../clients/client.js';
import type { PageElement } from '../clients/page-element.js';
import { callTool, type ToolResult } from '../toolset/call-tool.js';
import type { McpToolset } from '../toolset/mcp-toolset.js';

/** Parts of a page that are read at most: a page longer than that has no end. */
const MOST_PARTS = 20;
const MAX_TOKENS = 20_000;

const seen = z.looseObject({
  url: z.string().optional(),
  title: z.string().optional(),
  refs: z.record(z.string(), z.looseObject({ role: z.string(), name: z.string().optional() })).optional(),
  truncated: z.looseObject({ next: z.string().optional() }).optional(),
  pixelsAbove: z.number().optional(),
  pixelsBelow: z.number().optional(),
});

export interface DomState {
  url: string;
  title: string;
  elements: PageElement[];
  pixelsAbove?: number;
  pixelsBelow?: number;
}

/** The result of a look that failed, such as of a page that crashed. */
export class LookFailed extends Error {
  override readonly name = 'LookFailed';

  constructor(readonly result: ToolResult) {
    const { code, message = '', recoveryHint = '' } = result;
    super(`${code}: ${betweenBoundaries([message, recoveryHint].join(' ').trim())}`);
  }
}

/**
 * The interactive elements of the whole page, counted from 0. From here on the indexes of the client mean these.
 *
 * @throws {LookFailed}
 */
export async function readDomState(toolset: McpToolset, client: Client, signal: AbortSignal): Promise<DomState> {
  const call = { threadId: client.threadId, callId: 'dom-state', signal, canAsk: false };
  const state: DomState = { url: '', title: '', elements: [] };
  // A part begins at rows that the one before has folded: their elements come twice.
  const refs = new Set<string>();
  let next: string | undefined;
  for (let part = 0; part < MOST_PARTS; part++) {
    const input = { maxTokens: MAX_TOKENS, ...(next !== undefined && { next }) };
    const outcome = await callTool(toolset, 'browser_snapshot', { ...call, input });
    if ('waitsFor' in outcome) throw new Error('a snapshot waits for nobody');
    if (!outcome.result.success) throw new LookFailed(outcome.result);
    const page = seen.parse(outcome.result);
    if (part === 0) {
      state.url = page.url ?? '';
      state.title = page.title ?? '';
      if (page.pixelsAbove !== undefined) state.pixelsAbove = page.pixelsAbove;
      if (page.pixelsBelow !== undefined) state.pixelsBelow = page.pixelsBelow;
    }
    for (const [ref, { role, name = '' }] of Object.entries(page.refs ?? {})) {
      if (refs.has(ref)) continue;
      refs.add(ref);
      state.elements.push({ index: state.elements.length, ref, role, text: name });
    }
    next = page.truncated?.next;
    if (next === undefined) break;
  }
  client.elements = state.elements;
  return state;
}
