import { randomBytes, randomUUID } from 'node:crypto';
import { AgentRuns } from '../agent/agent-runs.js';
import type { ToolInfo } from '../toolset/catalogue.js';
import { ClientFiles } from './client-files.js';
import type { PageElement } from './page-element.js';

/** A tool that the page of a client offers. */
export interface PageTool {
  /** The description for clients. */
  info: ToolInfo;
  /** The name in the page. */
  name: string;
  /** All that the page says of it. */
  words: string;
}

/** Questions of a client that wait for an answer; beyond that the oldest waits no more. */
const MOST_QUESTIONS = 100;

/** One client: its browser is a thread of the toolset, and nobody else's. */
export class Client {
  /** The thread of the toolset that its calls act in. */
  readonly threadId = `mcp-${randomUUID()}`;
  /** Names it where it has no connection; nobody can guess it. */
  readonly handle = `s_${randomBytes(16).toString('base64url')}`;
  /** Files that tools made for it. */
  readonly files = new ClientFiles();
  /** Its runs of the browser agent. */
  readonly runs = new AgentRuns();
  /** Folders that it offers for uploads; undefined where it was not asked yet. */
  roots: readonly string[] | undefined;
  /** Tools that its page offers, by the names that the server gives them. */
  pageTools: ReadonlyMap<string, PageTool> = new Map();
  /** Ends the news of them; undefined where nobody waits for any. */
  unwatch: (() => void) | undefined;
  /** The elements of the last state that it read, by index. */
  elements: readonly PageElement[] = [];
  /** Milliseconds since the epoch. */
  lastUsed = Date.now();
  /** Calls under way. */
  calls = 0;
  /** It has a connection of its own, whose end is its own as well. */
  isConnected = false;
  /** It has no connection at all: its calls name it by its handle, and nobody tells when it has gone. */
  isStateless = false;

  readonly #questions = new Set<string>();

  constructor(
    /** How it calls itself, such as `claude-code 2.0`. */
    public name: string,
    /** Whoever it is, as far as the server knows: no other identity reaches its browser. */
    readonly identity: string,
  ) {}

  /** Waits for the answer to a question. */
  asks(question: string): void {
    this.#questions.add(question);
    if (this.#questions.size > MOST_QUESTIONS) this.#questions.delete([...this.#questions][0] ?? '');
  }

  /** Takes the answer to a question. Returns whether it still waited: each is answered once. */
  takesAnswer(question: string): boolean {
    return this.#questions.delete(question);
  }
}
