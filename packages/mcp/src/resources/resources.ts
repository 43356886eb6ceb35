import { readFile } from 'node:fs/promises';
import {
  ProtocolError,
  ProtocolErrorCode,
  type ReadResourceResult,
  type Resource,
  ResourceNotFoundError,
} from '@modelcontextprotocol/server';
import { z } from 'zod/v4';
import { historyUri } from '../agent/run-result.js';
import type { Client } from '../clients/client.js';
import { asResource, FILE_KINDS, fileUri } from '../clients/client-files.js';
import { withMarks, withMarksAround } from '../protocol/page-marks.js';
import { callTool } from '../toolset/call-tool.js';
import type { McpToolset } from '../toolset/mcp-toolset.js';
import { LookFailed, readDomState } from './page-elements.js';

/** Bytes of a file that a resource brings at most. */
const RESOURCE_BYTES = 50_000_000;

export interface ResourceRequest {
  client: Client;
  toolset(): Promise<McpToolset>;
  signal: AbortSignal;
  /** Address of the live view, where there is one. */
  liveUrl?: string;
}

interface PageResource {
  resource: Resource;
  /** The tool that it takes; a toolset without it has no such resource. */
  tool: string;
  read(toolset: McpToolset, request: ResourceRequest): Promise<string>;
}

const JSON_TYPE = 'application/json';

/** The resources of a client's page, as it is now. */
const PAGE_RESOURCES: readonly PageResource[] = [
  {
    resource: {
      uri: 'browser://dom/state',
      name: 'dom-state',
      title: 'Interactive elements',
      description: 'Url, title and the interactive elements of the page, counted from 0',
      mimeType: JSON_TYPE,
    },
    tool: 'browser_snapshot',
    read: async (toolset, { client, signal }) => {
      const { url, title, elements, pixelsAbove, pixelsBelow } = await readDomState(toolset, client, signal);
      const state = withMarks({
        url,
        title,
        elements: elements.map(({ index, role, text }) => ({ index, role, text })),
        ...(pixelsAbove !== undefined && { pixels_above: pixelsAbove }),
        ...(pixelsBelow !== undefined && { pixels_below: pixelsBelow }),
      });
      return JSON.stringify(state);
    },
  },
  pageText('browser://snapshot', 'snapshot', 'The page as text, with refs', 'browser_snapshot', {}, 'text/plain'),
  pageText('browser://tabs', 'tabs', 'The open tabs', 'browser_tabs', { action: 'list' }, JSON_TYPE, 'tabs'),
  pageText('browser://console', 'console', 'Console messages', 'browser_console', {}, JSON_TYPE, 'messages'),
  pageText('browser://network', 'network', 'Requests of the page', 'browser_network', {}, JSON_TYPE, 'requests'),
];

/** The uris of what changes with the page. */
export const PAGE_URIS: ReadonlySet<string> = new Set(PAGE_RESOURCES.map(({ resource }) => resource.uri));

const LIVE_URI = 'browser://live';

/** The uris of all that there can be, with what is only known later in braces (RFC 6570). */
export function uriPatterns(hasLive: boolean): string[] {
  const files = FILE_KINDS.map(kind => fileUri(kind, '{number}', '{name}'));
  return [...PAGE_URIS, ...(hasLive ? [LIVE_URI] : []), ...files, historyUri('{run_id}')];
}

export function listResources({ client, liveUrl }: ResourceRequest, hasTool: (name: string) => boolean): Resource[] {
  const live = { uri: LIVE_URI, name: 'live', title: 'Address of the live view', mimeType: 'text/uri-list' };
  return [
    ...PAGE_RESOURCES.filter(({ tool }) => hasTool(tool)).map(({ resource }) => resource),
    ...(liveUrl === undefined ? [] : [live]),
    ...client.files.all().map(asResource),
    ...client.runs.all().map(({ run }) => ({
      uri: historyUri(run.runId),
      name: 'history',
      title: `Run: ${run.state.history.task}`,
      mimeType: JSON_TYPE,
    })),
  ];
}

/** @throws {ResourceNotFoundError} */
export async function readResource(uri: string, request: ResourceRequest): Promise<ReadResourceResult> {
  const page = PAGE_RESOURCES.find(({ resource }) => resource.uri === uri);
  if (page !== undefined) {
    const text = await page.read(await request.toolset(), request).catch(asProtocolError);
    return { contents: [{ uri, mimeType: page.resource.mimeType ?? 'text/plain', text }] };
  }
  const { client, liveUrl } = request;
  if (uri === LIVE_URI && liveUrl !== undefined)
    return { contents: [{ uri, mimeType: 'text/uri-list', text: liveUrl }] };
  const run = client.runs.all().find(({ run }) => historyUri(run.runId) === uri);
  if (run !== undefined)
    return { contents: [{ uri, mimeType: JSON_TYPE, text: JSON.stringify(withMarks(run.run.state.history)) }] };
  const file = client.files.find(uri);
  if (file === undefined) throw new ResourceNotFoundError(uri);
  const bytes = await readFile(file.path).catch(() => {
    throw new ResourceNotFoundError(uri, `The file of ${uri} is gone`);
  });
  if (bytes.byteLength > RESOURCE_BYTES)
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, `${file.name} has ${bytes.byteLength} bytes: too many`);
  const { mimeType = 'application/octet-stream' } = file;
  return { contents: [{ uri, mimeType, blob: bytes.toString('base64') }] };
}

/** The answer of one tool: the text for models, or one field of its result as JSON. */
function pageText(
  uri: string,
  name: string,
  title: string,
  tool: string,
  input: object,
  mimeType: string,
  field?: string,
): PageResource {
  return {
    resource: { uri, name, title, mimeType },
    tool,
    read: async (toolset, { client, signal }) => {
      const call = { threadId: client.threadId, callId: `resource-${name}`, signal, canAsk: false };
      const outcome = await callTool(toolset, tool, { ...call, input });
      if ('waitsFor' in outcome) throw new Error(`${tool} waits for nobody`);
      if (!outcome.result.success) throw new LookFailed(outcome.result);
      if (field !== undefined) return JSON.stringify(withMarksAround(listed.parse(outcome.result[field] ?? [])));
      return outcome.content.flatMap(part => (part.type === 'text' ? part.text : [])).join('\n');
    },
  };
}

const listed = z.array(z.looseObject({}));

function asProtocolError(error: unknown): never {
  if (!(error instanceof LookFailed)) throw error;
  const { code } = error.result;
  throw new ProtocolError(ProtocolErrorCode.InternalError, error.message, { code });
}
