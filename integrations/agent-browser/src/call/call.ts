import type { Session } from '../browser/session.js';
import type { Sessions } from '../browser/sessions.js';
import type { ParentSpan } from '../observe/observation.js';
import type { ToolRun } from './action.js';
import type { Approvals } from './approvals.js';

export interface Call {
  sessions: Sessions;
  session: Session;
  signal?: AbortSignal;
  run?: ToolRun;
  /** Requests approval where it is needed; left out for calls that need none. */
  approvals?: Approvals;
  /** The span that the call is part of, when it is traced. */
  span?: ParentSpan;
}

export interface CallOptions {
  /** Cancels the running call; its result has the code `aborted`. */
  signal?: AbortSignal;
}
