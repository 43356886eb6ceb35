import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';

/** Entries of one page of a list. */
const PAGE = 50;

/** The page of a list that a cursor stands for (MCP, pagination): the first one where there is none. */
export function pageOf<Entry>(entries: readonly Entry[], cursor?: string): { entries: Entry[]; nextCursor?: string } {
  const text = cursor === undefined ? '0' : Buffer.from(cursor, 'base64url').toString('latin1');
  const from = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  if (Number.isNaN(from) || (from > 0 && from >= entries.length))
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'The cursor is none of this list');
  const next = from + PAGE;
  return {
    entries: entries.slice(from, next),
    ...(next < entries.length && { nextCursor: Buffer.from(String(next), 'latin1').toString('base64url') }),
  };
}
