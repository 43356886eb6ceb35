import type { Session } from '../browser/session.js';
import type { Sessions } from '../browser/sessions.js';
import type { ParentSpan } from '../observe/observation.js';
import type { ToolRun } from './action.js';
import type { Approvals } from './approvals.js';

/** A call of a tool. */
export interface Call {
  sessions: Sessions;
  session: Session;
  signal?: AbortSignal;
  run?: ToolRun;
  /** Asks for approval where it is needed; left out for calls that nobody has to approve. */
  approvals?: Approvals;
  /** The span that the call is part of, where somebody traces. */
  span?: ParentSpan;
}

export interface CallOptions {
  /** Stops what is running; the result says `aborted`. */
  signal?: AbortSignal;
}
