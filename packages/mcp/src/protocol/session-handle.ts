import type { CallToolResult, ResourceTemplateType } from '@modelcontextprotocol/server';
import type { Client } from '../clients/client.js';
import type { ObjectSchema, ToolInfo } from '../toolset/catalogue.js';

/** The argument by which calls of clients without connections say whose browser they mean. */
const ARGUMENT = 'session';

const field = {
  [ARGUMENT]: { type: 'string', description: 'From the first result: the same browser again. A new one when left out' },
};

/** A tool that takes a session handle, and tells it. */
export function withSession(info: ToolInfo): ToolInfo {
  const { inputSchema, outputSchema } = info;
  return {
    ...info,
    inputSchema: extended(inputSchema),
    ...(outputSchema && { outputSchema: extended(outputSchema) }),
  };
}

export function withoutSession(given: Record<string, unknown>): {
  handle: string | undefined;
  input: Record<string, unknown>;
} {
  const { [ARGUMENT]: handle, ...input } = given;
  return { handle: handle === undefined ? undefined : String(handle), input };
}

function extended(schema: ObjectSchema): ObjectSchema {
  return { ...schema, properties: { ...schema.properties, ...field } };
}

/** How results and uris of clients without connections carry the handle. */
export const SESSION = {
  /** Adds the handle to a result: in words where the client did not know it yet. */
  tell(result: CallToolResult, { handle }: Client, known: string | undefined): CallToolResult {
    const structuredContent = { ...Object(result.structuredContent), [ARGUMENT]: handle };
    if (known !== undefined) return { ...result, structuredContent };
    const text = `session: ${JSON.stringify(handle)} (give it with each further call)`;
    return { ...result, content: [...result.content, { type: 'text', text }], structuredContent };
  },

  /** The handle in a uri (`browser://tabs?session=…`), and the uri without it. */
  ofUri(uri: string): { handle: string | undefined; plain: string } {
    const mark = uri.indexOf(`?${ARGUMENT}=`);
    if (mark === -1) return { handle: undefined, plain: uri };
    return { handle: decodeURIComponent(uri.slice(mark + ARGUMENT.length + 2)), plain: uri.slice(0, mark) };
  },

  uriOf(uri: string, { handle }: Client): string {
    return `${uri}?${ARGUMENT}=${encodeURIComponent(handle)}`;
  },

  templates(uris: Iterable<string>): ResourceTemplateType[] {
    return [...uris].map(uri => ({ uriTemplate: `${uri}{?${ARGUMENT}}`, name: uri.replace('browser://', '') }));
  },
};
