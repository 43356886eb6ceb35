import { fileURLToPath } from 'node:url';
import { type InputRequiredResult, inputRequired } from '@modelcontextprotocol/server';
import { z } from 'zod/v4';
import type { ToolCall } from './served-tool.js';

const ROOTS = 'roots';
const rootsAnswer = z.object({ roots: z.array(z.object({ uri: z.string() })) });

/**
 * Learns which folders the client offers (MCP, roots), for uploads. Resolves to what to ask it first, undefined where that
 * is known or the client offers none.
 */
export async function askForRoots(call: ToolCall): Promise<InputRequiredResult | undefined> {
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
