/** A refusal of the server, or silence, in a sentence for the person at the page. */
export class ApiError extends Error {
  override readonly name = 'ApiError';

  constructor(
    message: string,
    readonly status?: number,
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
    throw new ApiError('The playground’s server does not answer. Is it still running?');
  }
  if (!response.ok) throw new ApiError(await reasonOf(response), response.status);
  return response;
}

async function reasonOf(response: Response): Promise<string> {
  const text = await response.text();
  try {
    const { error, message } = JSON.parse(text) as { error?: unknown; message?: unknown };
    return String(error ?? message ?? text);
  } catch {
    return text || `The server answered with status ${response.status}.`;
  }
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
