/** Where a toolset writes what happens inside it. Every entry names its thread. */
export interface SessionLog {
  debug(message: string, details: Record<string, unknown>): void;
  warn(message: string, details: Record<string, unknown>): void;
}
