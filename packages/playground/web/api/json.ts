/** A refusal of the server, or silence, in a sentence for the person at the page. */
export class ApiError extends Error {
  override readonly name = 'ApiError';

  constructor(
    message: string,
    readonly status?: number,
    /** What was wrong with fields of the request, by their names. */
    readonly fieldErrors: Readonly<Record<string, string>> = {},
  ) {
    super(message);
  }
}

/** How long an answer may take, in milliseconds. */
export const TIME_LIMIT_MS = 20_000;
/** For what ends a browser, or waits for the end of a run. */
export const ENDING_TIME_LIMIT_MS = 60_000;

export const NO_RESPONSE = 'The playground server does not respond. Is it still running?';

export function noAnswerWithin(milliseconds: number): string {
  return `The playground server has not answered within ${milliseconds / 1000} s.`;
}

interface Sent {
  readonly body?: unknown;
  readonly signal?: AbortSignal | undefined;
  /** In milliseconds; `none` for what a person waits for and can stop. @default TIME_LIMIT_MS */
  readonly timeLimit?: number | 'none';
}

/** @throws {ApiError} when the server refuses, is not there or takes too long */
export function getJson<T = unknown>(path: string, signal?: AbortSignal): Promise<T> {
  return request<T>('GET', path, { signal });
}

/** @throws {ApiError} as `getJson` */
export function sendJson<T = unknown>(method: 'POST' | 'PATCH' | 'DELETE', path: string, sent: Sent = {}): Promise<T> {
  return request<T>(method, path, sent);
}

async function request<T>(method: string, path: string, sent: Sent): Promise<T> {
  const { body, signal, timeLimit = TIME_LIMIT_MS } = sent;
  const slow = new AbortController();
  const limit = timeLimit === 'none' ? undefined : setTimeout(() => slow.abort(), timeLimit);
  try {
    const response = await fetch(path, {
      method,
      signal: signal ? AbortSignal.any([signal, slow.signal]) : slow.signal,
      ...(body !== undefined && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    });
    if (!response.ok) throw await refusalOf(response);
    return (await response.json()) as T;
  } catch (error) {
    if (signal?.aborted) throw error;
    if (slow.signal.aborted && timeLimit !== 'none') throw new ApiError(noAnswerWithin(timeLimit));
    // What fetch, and reading what it got, throw where there is no server, or no longer.
    if (error instanceof TypeError) throw new ApiError(NO_RESPONSE);
    throw error;
  } finally {
    clearTimeout(limit);
  }
}

async function refusalOf(response: Response): Promise<ApiError> {
  const { status } = response;
  const text = await response.text();
  try {
    const { error, message, fieldErrors } = JSON.parse(text) as {
      error?: unknown;
      message?: unknown;
      fieldErrors?: Record<string, string>;
    };
    return new ApiError(String(error ?? message ?? text), status, fieldErrors);
  } catch {
    return new ApiError(text || `The server answered with status ${status}.`, status);
  }
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
