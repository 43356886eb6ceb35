import { within } from '@browser-toolset/core/waiting';
import type { Request } from 'playwright-core';
import { z } from 'zod/v4';
import { maskBody, maskHeaders, maskUrl } from '#egress/masked-http.js';
import { type LoggedRequest, loggedRequest } from '../browser/tab/page-logs.js';
import { cutValue, newest } from '../call/cut-value.js';
import { defineTool } from '../call/define.js';
import { ToolError } from '../results/errors.js';

const LIST_TOKENS = 2_000;
const BODY_TOKENS = 2_000;
const HEADER_TOKENS = 1_000;
/** Larger response bodies are not fetched. */
const BODY_BYTES = 5_000_000;
const LISTED_URL_LIMIT = 500;
/** How long the browser may take to return data that it has already received. */
const BODY_TIMEOUT_MS = 3_000;

const headers = z.record(z.string(), z.string());
const detailSchema = loggedRequest.extend({
  requestHeaders: headers.optional(),
  requestBody: z.string().optional(),
  responseHeaders: headers.optional(),
  body: z.string().optional(),
});
type Detail = z.output<typeof detailSchema>;

export const network = defineTool({
  id: 'browser_network',
  description: 'List the network requests of the pages, or read one of them by id.',
  input: z
    .strictObject({
      filter: z.string().min(1).max(500).optional().describe('Part of the URL, or a resource type such as fetch'),
      failedOnly: z.boolean().optional(),
      id: z.string().min(1).max(20).optional().describe('Id of one request, such as r12'),
    })
    .refine(({ id, filter, failedOnly }) => id === undefined || (filter === undefined && failedOnly === undefined), {
      path: ['id'],
      message: 'cannot be combined with other fields',
    }),
  output: {
    requests: z.array(loggedRequest).optional(),
    request: detailSchema.optional(),
    /** How many older requests do not fit. */
    earlier: z.number().optional(),
    /** How many requests the log has discarded. */
    dropped: z.number().optional(),
    note: z.string().optional(),
  },
  policy: { needsTab: false, worksInDialog: true, readOnly: true, optIn: true },
  risk: 'none',
  enters: 'nothing',
  async runWithoutTab({ session }, { filter, failedOnly, id }) {
    const log = session.records.network;
    const wasWanted = log.want(session.tabs.map(({ page }) => page));
    await log.measure();
    if (id !== undefined) {
      const found = log.find(id);
      if (found === undefined) throw unknownId(id, log.all);
      return { request: await detailOf(found.request, reportedRequest(found.entry)) };
    }
    const { secrets } = session.owner;
    // The filter sees only what the result would contain: otherwise each match or mismatch would reveal a part of a
    // secret.
    const wanted = log.all.filter(entry =>
      isWanted({ ...entry, url: secrets.hide(maskUrl(entry.url)) }, { filter, failedOnly }),
    );
    const { shown, earlier } = newest(wanted.map(reportedRequest), requestLineOf, LIST_TOKENS);
    return {
      requests: shown,
      ...(earlier > 0 && { earlier }),
      ...(log.dropped > 0 && { dropped: log.dropped }),
      ...(!wasWanted && { note: 'Requests are recorded from now on; earlier ones are not known.' }),
    };
  },
  headline: ({ requests = [], request, earlier = 0, dropped = 0, note }) => {
    if (request !== undefined) return detailText(request);
    const head = [
      ...(note === undefined ? [] : [note]),
      ...(earlier > 0 ? [`… ${earlier} earlier; narrow them with filter`] : []),
      ...(dropped > 0 ? [`(${dropped} older ones were discarded)`] : []),
    ];
    return [...head, ...(requests.length === 0 ? ['No matching requests.'] : requests.map(requestLineOf))].join('\n');
  },
});

function unknownId(id: string, all: LoggedRequest[]): ToolError {
  const range = all.length === 0 ? 'none have been recorded' : `there are ${all[0]?.id} to ${all.at(-1)?.id}`;
  return new ToolError('invalid_input', `id: there is no request ${JSON.stringify(id)}; ${range}.`);
}

function isWanted(entry: LoggedRequest, { filter, failedOnly }: { filter?: string; failedOnly?: boolean }): boolean {
  const { url, type, status = 0, failure } = entry;
  if (failedOnly && failure === undefined && status < 400) return false;
  const text = filter?.toLowerCase();
  return text === undefined || url.toLowerCase().includes(text) || type === text;
}

function reportedRequest(entry: LoggedRequest): LoggedRequest {
  const url = maskUrl(entry.url);
  return { ...entry, url: url.length > LISTED_URL_LIMIT ? `${url.slice(0, LISTED_URL_LIMIT)}…` : url };
}

async function detailOf(request: Request, entry: LoggedRequest): Promise<Detail> {
  const response = request.existingResponse();
  const [sent, came, body] = await Promise.all([
    answerInTime(request.allHeaders()),
    response && answerInTime(response.allHeaders()),
    bodyOf(request, entry),
  ]);
  const posted = request.postData();
  const requestHeaders = sent ?? request.headers();
  return {
    ...entry,
    requestHeaders: cutHeaders(requestHeaders),
    ...(posted !== null && { requestBody: cutBody(maskBody(posted, requestHeaders['content-type'] ?? '')) }),
    ...(response !== null && { responseHeaders: cutHeaders(came ?? response.headers()) }),
    ...(body !== undefined && { body }),
  };
}

/** The response body; undefined if there is none, or the browser no longer has it. */
async function bodyOf(request: Request, { size = 0 }: LoggedRequest): Promise<string | undefined> {
  const response = request.existingResponse();
  if (response === null) return undefined;
  const type = response.headers()['content-type'] ?? '';
  if (size > BODY_BYTES) return `[${type}, ${size} bytes]`;
  const body = await answerInTime(response.body());
  if (body === undefined) return undefined;
  if (!/^text\/|json|xml|javascript|urlencoded|graphql/i.test(type)) return `[${type}, ${body.byteLength} bytes]`;
  return cutBody(maskBody(body.toString('utf8'), type));
}

function cutHeaders(fields: Record<string, string>): Record<string, string> {
  return cutValue(maskHeaders(fields), HEADER_TOKENS).value as Record<string, string>;
}

function cutBody(text: string): string {
  return cutValue(text, BODY_TOKENS).value as string;
}

/** The browser's response, if it comes in time; undefined for a closed page. */
function answerInTime<T>(asked: Promise<T>): Promise<T | undefined> {
  return within(BODY_TIMEOUT_MS, asked).catch(() => undefined);
}

function requestLineOf({ id, method, url, type, status, failure, size, ms }: LoggedRequest): string {
  const result = failure ?? status ?? 'pending';
  const facts = [size === undefined ? '' : `${size} bytes`, ms === undefined ? '' : `${ms} ms`].filter(Boolean);
  return `${id} ${method} ${url} ${type} ${result}${facts.length > 0 ? ` (${facts.join(', ')})` : ''}`;
}

function detailText(request: Detail): string {
  const { requestHeaders = {}, requestBody, responseHeaders = {}, body } = request;
  return [
    requestLineOf(request),
    ...headerLinesOf('>', requestHeaders),
    ...(requestBody === undefined ? [] : [requestBody]),
    ...headerLinesOf('<', responseHeaders),
    body ?? '(body not available)',
  ].join('\n');
}

function headerLinesOf(mark: string, fields: Record<string, string>): string[] {
  return Object.entries(fields).map(([name, value]) => `${mark} ${name}: ${value}`);
}
