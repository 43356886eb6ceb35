import type { CallToolResult, ResourceTemplateType } from '@modelcontextprotocol/server';
import { z } from 'zod/v4';
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

const ownUri = z.string().startsWith('browser://').optional().catch(undefined);
/** A result that names the resource of a run, or of a file. */
const withUris = z.looseObject({ history: ownUri, uri: ownUri });

/** How results and uris of clients without connections carry the handle. */
export const SESSION = {
  /** Adds the handle to a result and the uris in it: in words where the client did not know it yet. */
  tell(result: CallToolResult, client: Client, known: string | undefined): CallToolResult {
    const { handle } = client;
    const { history, uri } = withUris.safeParse(result.structuredContent).data ?? {};
    const structuredContent = result.structuredContent !== undefined && {
      ...Object(result.structuredContent),
      ...(history !== undefined && { history: SESSION.uriOf(history, client) }),
      ...(uri !== undefined && { uri: SESSION.uriOf(uri, client) }),
      [ARGUMENT]: handle,
    };
    const content = result.content.map(part =>
      part.type === 'resource_link' ? { ...part, uri: SESSION.uriOf(part.uri, client) } : part,
    );
    const text = `session: ${JSON.stringify(handle)} (give it with each further call)`;
    if (known === undefined) content.push({ type: 'text', text });
    return { ...result, content, ...(structuredContent && { structuredContent }) };
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

  templates(uris: readonly string[]): ResourceTemplateType[] {
    return uris.map(uri => ({ uriTemplate: `${uri}{?${ARGUMENT}}`, name: uri.split('/')[2] ?? uri }));
  },
};
