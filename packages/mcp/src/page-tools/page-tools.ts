import { betweenBoundaries } from '@browser-toolset/core/boundaries';
import type { CallToolResult, TextContent } from '@modelcontextprotocol/server';
import { z } from 'zod/v4';
import type { Client, PageTool } from '../clients/client.js';
import { askToUse, hasAgreed } from '../protocol/questions.js';
import type { ServedTool, ToolCall } from '../protocol/served-tool.js';
import { toolsetCall } from '../protocol/toolset-tools.js';
import { failure } from '../toolset/call-tool.js';
import { ANY_OBJECT, schemaOf } from '../toolset/catalogue.js';
import type { McpToolset, PageToolOffer } from '../toolset/mcp-toolset.js';

/** The tool of the toolset that calls the tools of pages (WebMCP). */
export const PAGE_TOOLS = 'browser_page_tools';

/** Begins the name of each, so that no page can take the place of a tool of ours. */
const PREFIX = 'page_';
const LONGEST_NAME = 60;

const fieldName = z.string().regex(/^[\w.-]{1,40}$/);

/**
 * What a schema of a page says of the form of an input: nothing that a client would fetch, and none of its texts, for a
 * schema stands between no lines.
 */
const form = z.object({
  type: z.enum(['object', 'array', 'string', 'number', 'integer', 'boolean', 'null']).optional(),
  required: z.array(fieldName).optional(),
  get items() {
    return form.optional();
  },
  get properties() {
    return z.record(fieldName, form).optional();
  },
});

/** A schema that points elsewhere. */
const POINTS = /"\$(?:ref|dynamicRef|id|schema|anchor)"/;

/** The arguments of `browser_page_tools` that call one. */
const pageCall = z.looseObject({
  action: z.literal('call'),
  name: z.string(),
  input: z.record(z.string(), z.unknown()).default({}),
});
type PageCall = z.infer<typeof pageCall>;

/**
 * Reads which tools the page of a client offers, within `timeout` milliseconds where it is given. Returns whether they are
 * others than before; a page that is too busy to answer is taken to offer what it did.
 */
export async function readPageTools(
  toolset: McpToolset,
  client: Client,
  options?: { timeout: number },
): Promise<boolean> {
  const offers = toolset.getPageTools === undefined ? [] : await toolset.getPageTools(client.threadId, options);
  if (offers === undefined) return false;
  const pageTools = named(offers, await hostOf(toolset, client));
  // What was read meanwhile, for another reason, is no news any more.
  if (wordsIn(client.pageTools) === wordsIn(pageTools)) return false;
  client.pageTools = pageTools;
  return true;
}

function wordsIn(tools: Client['pageTools']): string {
  return JSON.stringify([...tools].map(([name, tool]) => [name, tool.name, tool.words]));
}

/** Tells from now on when the page of a client offers other tools than before. */
export function watchPageTools(
  toolset: McpToolset,
  client: Client,
  { tell, onError }: { tell(): void; onError(error: unknown): void },
): void {
  let isDue = false;
  let isReading = false;
  const read = async (): Promise<void> => {
    isDue = true;
    // A page can register a thousand tools one after another.
    if (isReading) return;
    isReading = true;
    try {
      while (isDue) {
        isDue = false;
        if (await readPageTools(toolset, client)) tell();
      }
    } finally {
      isReading = false;
    }
  };
  client.unwatch ??= toolset.onPageToolsChanged?.(() => read().catch(onError), client.threadId);
}

async function hostOf(toolset: McpToolset, { threadId }: Client): Promise<string> {
  return URL.parse((await toolset.getCurrentUrl(threadId)) ?? '')?.host || 'an unnamed address';
}

/** A line about the tools of a page for who has no list of its own. Names would be text of the page. */
export function toolsLine(count: number): TextContent[] {
  return count === 0
    ? []
    : [{ type: 'text', text: `The page offers tools (${count}): ${PAGE_TOOLS} lists and calls them.` }];
}

function named(offers: readonly PageToolOffer[], host: string): Map<string, PageTool> {
  const tools = new Map<string, PageTool>();
  for (const offer of offers) {
    const plain = `${PREFIX}${offer.name.replace(/[^\w-]+/g, '_')}`.slice(0, LONGEST_NAME);
    let name = plain;
    for (let n = 2; tools.has(name); n++) name = `${plain}_${n}`;
    const { inputSchema, ...said } = offer;
    const schema = POINTS.test(JSON.stringify(inputSchema) ?? '') ? {} : { inputSchema };
    const words = JSON.stringify({ host, ...said, ...schema });
    tools.set(name, { info: pageToolInfo(name, offer.inputSchema, words), name: offer.name, words });
  }
  return tools;
}

function pageToolInfo(name: string, inputSchema: unknown, words: string): PageTool['info'] {
  return {
    name,
    title: 'Tool of the page',
    description: `A tool of the open page, not of this server. What that says of it:\n${betweenBoundaries(words)}`,
    inputSchema: schemaOf(form.safeParse(inputSchema).data ?? {}),
    outputSchema: ANY_OBJECT,
    annotations: { readOnlyHint: false, destructiveHint: true, openWorldHint: true },
  };
}

/** A tool of the page, as a tool of the server. */
export function servedPageTool({ info, name }: PageTool): ServedTool {
  return { info, call: call => callPageTool(call, { action: 'call', name, input: call.input }) };
}

/** `browser_page_tools` of a server whose page tools need approval: here, too. */
export function approvedPageTools(info: ServedTool['info']): ServedTool {
  return {
    info,
    call: async call => {
      if (call.input.action === 'list') return toolsetCall(call, PAGE_TOOLS, call.input);
      const { data, error } = pageCall.safeParse(call.input);
      return data === undefined ? failure('invalid_input', z.prettifyError(error)) : callPageTool(call, data);
    },
  };
}

/** Calls a tool of the page when the person behind the client has agreed to it, on this page. */
async function callPageTool(call: ToolCall, asked: PageCall): ReturnType<ServedTool['call']> {
  const { state, abilities, client } = call;
  const use = `the tool ${JSON.stringify(asked.name)} of the page at ${await hostOf(await call.toolset(), client)}`;
  if (state === undefined) {
    if (abilities.elicitation) return askToUse(call, use, asked.input);
    return refused('Tools of pages need the approval of a user, and this client cannot ask its user.');
  }
  if (state.asks === 'pageTool' && !hasAgreed(call)) return refused('The user did not approve it.');
  if (state.use !== use)
    return refused(
      `The user approved one tool, and now it would be another:\n${betweenBoundaries(`${state.use}\n${use}`)}`,
    );
  return toolsetCall(call, PAGE_TOOLS, asked);
}

function refused(message: string): CallToolResult {
  return failure('approval_required', message, 'Use the other tools, or ask the user to do it.');
}
