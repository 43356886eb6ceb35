import type { ResolvedConfig } from '../config.js';
import type { Metrics } from '../observe/metrics.js';
import type { SessionLog } from '../outcome/log.js';
import type { Secrets } from '../policy/secrets.js';
import type { SessionFiles } from './files.js';
import type { Host } from './host.js';
import type { Session } from './session.js';

/** What a session needs of the toolset around it. */
export interface SessionOwner {
  readonly host: Host;
  readonly config: ResolvedConfig;
  readonly log: SessionLog;
  readonly secrets: Secrets;
  readonly metrics: Metrics;
  /** Where downloads and screenshots go. */
  readonly files: SessionFiles;
  /** The first ref and tab id of the session. */
  readonly firstNumbers: { ref: number; tab: number };
  /** Resolves when the session may open. */
  enter(session: Session, signal?: AbortSignal): Promise<void>;
  /** The session is not open any more. */
  left(session: Session): Promise<void>;
  /** The session has nothing to do. */
  idle(session: Session): void;
}
