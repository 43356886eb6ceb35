import { randomUUID } from 'node:crypto';
import { Cart } from './cart.js';

export interface Visitor {
  readonly id: string;
  readonly cart: Cart;
}

const COOKIE = 'harbor_visitor';
const MAX_VISITORS = 1000;

/** Visitors known by a cookie and kept in memory; the one seen longest ago makes room for a new one. */
export class Visitors {
  readonly #known = new Map<string, Visitor>();

  of(request: Request): Visitor {
    const visitor = this.#find(request) ?? { id: randomUUID(), cart: new Cart() };
    this.#known.delete(visitor.id);
    this.#known.set(visitor.id, visitor);
    for (const oldest of this.#known.keys()) {
      if (this.#known.size <= MAX_VISITORS) break;
      this.#known.delete(oldest);
    }
    return visitor;
  }

  #find(request: Request): Visitor | undefined {
    const pairs = (request.headers.get('cookie') ?? '').split(';').map(pair => pair.trim().split('='));
    const id = pairs.find(([name]) => name === COOKIE)?.[1];
    return id ? this.#known.get(id) : undefined;
  }
}

export function visitorCookie(visitor: Visitor): string {
  return `${COOKIE}=${visitor.id}; Path=/; HttpOnly; SameSite=Lax`;
}
