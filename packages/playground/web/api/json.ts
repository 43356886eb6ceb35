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

export async function getJson<T = unknown>(path: string, signal?: AbortSignal): Promise<T> {
  const response = await send(path, signal ? { signal } : {});
  return (await response.json()) as T;
}

export async function sendJson<T = unknown>(
  method: 'POST' | 'PATCH' | 'DELETE',
  path: string,
  request: { body?: unknown; signal?: AbortSignal } = {},
): Promise<T> {
  const response = await post(path, { method, ...request });
  return (await response.json()) as T;
}

/** A POST whose answer is read as it comes. */
export function post(
  path: string,
  { method = 'POST', body, signal }: { method?: string; body?: unknown; signal?: AbortSignal },
): Promise<Response> {
  return send(path, {
    method,
    ...(signal && { signal }),
    ...(body !== undefined && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  });
}

async function send(path: string, init: RequestInit): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(path, init);
  } catch (error) {
    if (init.signal?.aborted) throw error;
    throw new ApiError('The playground server does not respond. Is it still running?');
  }
  if (!response.ok) throw await refusalOf(response);
  return response;
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
