// Writes what the command needs before it has loaded the toolset: its tools and its options, from the toolset's own schemas.
import { mkdir, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { BrowserToolset, configSchema, TOOL_IDS } from '@browser-toolset/agent-browser';
import { z } from 'zod/v4';
import { toolsetOptions } from './toolset-options.mjs';

const FOLDER = resolve(import.meta.dirname, '../src/generated');
const TARGET = { target: 'draft-2020-12' };

const all = new BrowserToolset({ allowEvaluate: true, webMcp: true, tools: { only: [...TOOL_IDS] } });
const tools = Object.values(all.tools).map(tool => ({
  id: tool.id,
  description: tool.description,
  inputSchema: tool.inputSchema['~standard'].jsonSchema.input(TARGET),
  outputSchema: tool.outputSchema['~standard'].jsonSchema.output(TARGET),
  annotations: tool.mcp.annotations,
}));
await all.close();

await mkdir(FOLDER, { recursive: true });
await write('toolset-tools.json', tools);
await write(
  'toolset-options.json',
  toolsetOptions(z.toJSONSchema(configSchema, { io: 'input', unrepresentable: 'any' })),
);

async function write(name, value) {
  await writeFile(resolve(FOLDER, name), `${JSON.stringify(value)}\n`);
}
