/** Tells the person who started the command, or the log of their client. Standard output belongs to the protocol. */
export function say(what: unknown): void {
  process.stderr.write(`browser-toolset-mcp: ${what instanceof Error ? what.message : what}\n`);
}
