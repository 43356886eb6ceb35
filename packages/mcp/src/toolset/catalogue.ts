import type { Tool } from '@modelcontextprotocol/server';
import type { McpTool, ToolHints, ToolSchema } from './mcp-toolset.js';

/** A JSON schema of an object, as the protocol has it. */
export type ObjectSchema = Tool['inputSchema'];

/** The schema of what is nothing but an object. */
export const ANY_OBJECT: ObjectSchema = { type: 'object' };

/** The description of a tool for clients. */
export interface ToolInfo {
  name: string;
  title: string;
  description: string;
  inputSchema: ObjectSchema;
  outputSchema?: ObjectSchema;
  annotations?: ToolHints;
}

const TARGET = { target: 'draft-2020-12' };

/** The tools of a toolset as clients are told of them. */
export function catalogueOf(tools: Readonly<Record<string, unknown>>): ToolInfo[] {
  return (Object.values(tools) as McpTool[]).map(({ id, description = '', inputSchema, outputSchema, mcp }) =>
    infoOf({
      id,
      description,
      inputSchema: (inputSchema as ToolSchema | undefined)?.['~standard'].jsonSchema.input(TARGET) ?? {},
      ...(outputSchema !== undefined && {
        outputSchema: (outputSchema as ToolSchema)['~standard'].jsonSchema.output(TARGET),
      }),
      ...(mcp?.annotations && { annotations: mcp.annotations }),
    }),
  );
}

/** A tool with its schemas as JSON. */
export interface DescribedTool {
  id: string;
  description: string;
  inputSchema: object;
  outputSchema?: object;
  annotations?: ToolHints;
}

export function infoOf({ id, description, inputSchema, outputSchema, annotations }: DescribedTool): ToolInfo {
  return {
    name: id,
    title: titleOf(id),
    description,
    inputSchema: schemaOf(inputSchema),
    ...(outputSchema && { outputSchema: schemaOf(outputSchema) }),
    ...(annotations && { annotations }),
  };
}

/** A schema of an object as the protocol takes it. */
export function schemaOf(schema: object): ObjectSchema {
  const { $schema: _, ...rest } = schema as Record<string, unknown>;
  return { ...rest, type: 'object' };
}

/** `browser_fill_form` is "Fill form". */
function titleOf(id: string): string {
  const words = id.replace(/^browser_/, '').replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
