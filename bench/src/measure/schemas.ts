import type { Stack } from '../stacks/stack.ts';
import { tokensOf } from '../tokens.ts';

export interface SchemaSize {
  tools: number;
  bytes: number;
  tokens: number;
}

/** What the definitions of the default tools take in every request to a model. */
export async function measureSchemas(stacks: readonly Stack[]): Promise<Record<string, SchemaSize>> {
  const results: Record<string, SchemaSize> = {};
  for (const stack of stacks) {
    const tools = await stack.toolSchemas?.();
    if (!tools) continue;
    const json = JSON.stringify(tools);
    results[stack.name] = { tools: tools.length, bytes: Buffer.byteLength(json), tokens: tokensOf(json) };
  }
  return results;
}
