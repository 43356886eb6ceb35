import { fileURLToPath } from 'node:url';
import {
  type CallToolResult,
  type ContentBlock,
  type InputRequiredResult,
  inputRequired,
} from '@modelcontextprotocol/server';
import { z } from 'zod/v4';
import { asResource } from '../clients/client-files.js';
import { callTool, callToolResult } from '../toolset/call-tool.js';
import type { ToolInfo } from '../toolset/catalogue.js';
import { answerTo, ask } from './questions.js';
import type { ServedTool, ToolCall } from './served-tool.js';

const ROOTS = 'roots';
const rootsAnswer = z.object({ roots: z.array(z.object({ uri: z.string() })) });

/**
 * Learns which folders the client offers (MCP, roots), for uploads. Resolves to what to ask it first, undefined where that
 * is known or the client offers none.
 */
async function askForRoots(call: ToolCall): Promise<InputRequiredResult | undefined> {
  const { client, state, answers, abilities } = call;
  if (client.roots !== undefined || !abilities.roots) return undefined;
  if (state?.asks === 'roots') {
    const given = rootsAnswer.safeParse(answers[ROOTS]).data?.roots ?? [];
    client.roots = given.flatMap(({ uri }) => folderOf(uri) ?? []);
    return undefined;
  }
  return inputRequired({
    inputRequests: { [ROOTS]: inputRequired.listRoots() },
    requestState: await call.sign({ asks: 'roots' }),
  });
}

/** Roots are file urls; what is none is no folder here. */
function folderOf(uri: string): string | undefined {
  if (!URL.canParse(uri) || new URL(uri).protocol !== 'file:') return undefined;
  try {
    return fileURLToPath(uri);
  } catch {
    // A url such as file://host/share names no folder of this machine.
    return undefined;
  }
}

/** Milliseconds between two messages about a call that takes its time. */
const TICK = 5_000;

/** A tool of the toolset, served under its own id. */
export function toolsetTool(info: ToolInfo): ServedTool {
  return {
    info: withUri(info),
    call: async call => {
      const roots = info.name === 'browser_upload' ? await askForRoots(call) : undefined;
      return roots ?? toolsetCall(call, info.name, call.input);
    },
  };
}

/** A tool whose result is a file names that by its uri as well. */
function withUri(info: ToolInfo): ToolInfo {
  const { outputSchema } = info;
  if (outputSchema?.properties?.path === undefined) return info;
  const properties = { ...outputSchema.properties, uri: { type: 'string' as const } };
  return { ...info, outputSchema: { ...outputSchema, properties } };
}

/** Calls a tool of the toolset in the browser of the client, and asks the person behind it where that has to be. */
export async function toolsetCall(
  call: ToolCall,
  name: string,
  input: Record<string, unknown>,
): ReturnType<ServedTool['call']> {
  const need = name === 'browser_navigate' && typeof input.url === 'string' ? 'browser' : undefined;
  const outcome = await whileTelling(call, name, async () =>
    callTool(await call.toolset(need), name, {
      input,
      threadId: call.client.threadId,
      callId: call.callId,
      signal: call.signal,
      canAsk: call.abilities.elicitation,
      answer: answerTo(call),
    }),
  );
  if ('waitsFor' in outcome) return ask(call, outcome.waitsFor);
  return withFiles(callToolResult(outcome), call);
}

/** Names the files that a result brought as resources, so that a client elsewhere can read them. */
function withFiles(result: CallToolResult, { client }: ToolCall): CallToolResult {
  const structured = result.structuredContent as Parameters<typeof client.files.note>[0];
  const added = client.files.note(structured);
  // A screenshot is in the result itself.
  const links = added
    .filter(({ uri }) => !uri.startsWith('browser://screenshots/'))
    .map((file): ContentBlock => ({ type: 'resource_link', ...asResource(file) }));
  // A path means nothing to a client elsewhere.
  const uri = added.find(({ path }) => path === structured.path)?.uri;
  return {
    ...result,
    content: [...result.content, ...links],
    structuredContent: { ...structured, ...(uri !== undefined && { uri }) },
  };
}

async function whileTelling<Result>(call: ToolCall, name: string, work: () => Promise<Result>): Promise<Result> {
  const begun = performance.now();
  const tick = setInterval(() => {
    const seconds = Math.round((performance.now() - begun) / 1000);
    call.progress(seconds, `${name} is at work for ${seconds} s`);
  }, TICK);
  try {
    return await work();
  } finally {
    clearInterval(tick);
  }
}
