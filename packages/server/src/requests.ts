/** An HTTP request as the live view reads it, whatever server took it. */
export interface LiveRequest {
  method: string;
  url: URL;
  headers: Headers;
  /** Address of the other end of the connection; undefined when the server does not tell it. */
  remoteAddress: string | undefined;
  /** Reads the body; rejects with `BodyTooLong` when it is longer than a number of bytes. */
  readBody(mostBytes: number): Promise<string>;
}

/** The answer to a request. */
export interface LiveResponse {
  status: number;
  headers: Record<string, string>;
  /** JSON; undefined for none. */
  body: unknown;
}

export class BodyTooLong extends Error {
  override readonly name = 'BodyTooLong';
}

/** Why a request was refused: the codes that callers may tell apart, with their status. */
export const REFUSALS = {
  invalid_request: 400,
  invalid_token: 401,
  unauthorized: 401,
  view_only: 403,
  forbidden_origin: 403,
  unknown_agent: 404,
  unknown_thread: 404,
  not_found: 404,
  method_not_allowed: 405,
  too_long: 413,
  not_json: 415,
  navigation_failed: 422,
  another_in_control: 423,
  upgrade_required: 426,
  too_many_viewers: 429,
  browser_error: 500,
  not_supported: 501,
  closing: 503,
} as const;

export type RefusalCode = keyof typeof REFUSALS;

/** A request that is refused, with what to answer. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly code: RefusalCode;
  readonly headers: Record<string, string>;

  constructor(code: RefusalCode, message: string, headers: Record<string, string> = {}) {
    super(message);
    this.code = code;
    this.headers = headers;
  }

  get status(): number {
    return REFUSALS[this.code];
  }

  toResponse(): LiveResponse {
    return { status: this.status, headers: this.headers, body: { error: this.code, message: this.message } };
  }
}

/** Who asks, for the check of rights. */
export interface AuthorizeRequest {
  agentId: string;
  /** Undefined for the default thread. */
  threadId: string | undefined;
  /** `?token=` or the Bearer token of the Authorization header. */
  token?: string;
  headers: Headers;
  url: URL;
  /** Address of the other end of the connection. */
  remoteAddress: string | undefined;
}
