import type { ResolvedConfig } from '../../config.js';
import type { Metrics } from '../../observe/metrics.js';
import type { SessionLog } from '../../outcome/log.js';
import type { Secrets } from '../../policy/secrets.js';
import type { SessionFiles } from '../files/files.js';
import type { Host, Parting } from '../host.js';
import type { Recorder } from '../recorder.js';
import type { Session } from '../session.js';
import type { RecordedSession, SessionRecord } from './session-record.js';

/** Where a thread's remote browser was the last time, and which pages the thread has there. */
export class ThreadEndpoint {
  last: string | undefined;
  #pages: () => readonly string[] = () => [];

  /** Targets of the pages of the context that the browser came with, where the thread has that. */
  get pages(): readonly string[] {
    return this.#pages();
  }

  /** The thread has another context of that kind. */
  has(pages: () => readonly string[]): void {
    this.#pages = pages;
  }

  /** For whichever process goes on with the thread. */
  get now(): Pick<RecordedSession, 'endpoint' | 'pages'> {
    return { endpoint: this.last, pages: this.pages };
  }

  /** As another process has recorded it. */
  restore({ endpoint, pages = [] }: Pick<RecordedSession, 'endpoint' | 'pages'>): void {
    this.last = endpoint;
    this.#pages = () => pages;
  }
}

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
  /** Makes videos of sessions, where they are wanted. */
  readonly recorder: Recorder | undefined;
  /** Where the session is recorded for other processes, when it is. */
  readonly record: SessionRecord | undefined;
  /** Where the thread's own remote browser is, once it was asked for. */
  readonly endpoint: ThreadEndpoint;
  /** Whether the session may have the context that a remote browser came with: one session may. */
  claim(session: Session, contextId: string | undefined, need: 'wished' | 'needed'): boolean;
  /** Resolves when the session may open. */
  enter(session: Session, signal?: AbortSignal): Promise<void>;
  /** The session is not open any more. */
  left(session: Session, parting?: Parting): Promise<void>;
  /** Gives the session another context, with all that it had; the browser stays. */
  reopen(session: Session, signal?: AbortSignal): Promise<void>;
  /** The session has nothing to do. */
  idle(session: Session): void;
}
