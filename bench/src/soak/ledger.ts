/** How an action ended that did not do what it said. */
export interface Loss {
  session: string;
  action: string;
  what: string;
}

/** Counts what was done, and notes every action that was lost and every session that was not usable again. */
export class Ledger {
  readonly codes = new Map<string, number>();
  readonly lostActions: Loss[] = [];
  readonly lostSessions: Loss[] = [];
  actions = 0;
  successes = 0;
  recoveries = 0;
  sessions = 0;
  /** Milliseconds of every call. */
  readonly times: number[] = [];
  /** Milliseconds until a session was usable again, by fault. */
  readonly recoveryTimes = new Map<string, number[]>();

  recovered(fault: string, milliseconds: number): void {
    this.recoveryTimes.set(fault, [...(this.recoveryTimes.get(fault) ?? []), milliseconds]);
  }

  failure(code: string): void {
    this.codes.set(code, (this.codes.get(code) ?? 0) + 1);
  }

  lose(loss: Loss): void {
    this.lostActions.push(loss);
    tell(loss);
  }

  loseSession(loss: Loss): void {
    this.lostSessions.push(loss);
    tell(loss);
  }
}

/** At once: who watches a long run wants to know. */
function tell({ session, action, what }: Loss): void {
  process.stderr.write(`\nlost: ${session}, ${action}: ${what}\n`);
}
