import { createHmac, timingSafeEqual } from 'node:crypto';
import { z } from 'zod/v4';

export type Right = 'view' | 'control';

/** The rights of a token. */
export interface TokenClaims {
  agentId: string;
  /** The default thread when left out. */
  threadId?: string;
  right: Right;
  /** When it ends (milliseconds since the epoch). */
  expiresAt: number;
}

export type TokenReading = { claims: TokenClaims } | { fault: 'malformed' | 'forged' | 'expired' };

const PREFIX = 'lv1';
const payloadSchema = z.tuple([z.string(), z.string().nullable(), z.enum(['view', 'control']), z.number()]);

/** Signs claims: `lv1.<claims>.<HMAC-SHA256>`, both parts in base64url (RFC 4648, section 5). */
export function signToken(secret: Uint8Array, { agentId, threadId, right, expiresAt }: TokenClaims): string {
  const claims = Buffer.from(JSON.stringify([agentId, threadId ?? null, right, expiresAt])).toString('base64url');
  return `${PREFIX}.${claims}.${signatureOf(secret, claims).toString('base64url')}`;
}

/** Whether a text claims to be one of these tokens; others are for the host's own check. */
export function isOwnToken(token: string): boolean {
  return token.startsWith(`${PREFIX}.`);
}

/** Reads a token. Nothing of it is looked at before its signature is right. */
export function readToken(secret: Uint8Array, token: string, now: number): TokenReading {
  const [prefix, claims, signature, ...rest] = token.split('.');
  if (prefix !== PREFIX || !claims || !signature || rest.length > 0) return { fault: 'malformed' };
  const given = Buffer.from(signature, 'base64url');
  const right = signatureOf(secret, claims);
  if (given.length !== right.length || !timingSafeEqual(given, right)) return { fault: 'forged' };
  const payload = payloadSchema.safeParse(jsonOf(Buffer.from(claims, 'base64url').toString())).data;
  if (payload === undefined) return { fault: 'malformed' };
  const [agentId, threadId, allowed, expiresAt] = payload;
  if (expiresAt <= now) return { fault: 'expired' };
  return { claims: { agentId, ...(threadId !== null && { threadId }), right: allowed, expiresAt } };
}

function signatureOf(secret: Uint8Array, claims: string): Buffer {
  return createHmac('sha256', secret).update(`${PREFIX}.${claims}`).digest();
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
