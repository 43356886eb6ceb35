import type { CartLine } from './cart.js';
import type { CheckoutDetails } from './checkout-form.js';

export interface Order {
  /** As the customer sees it: `HO-10428`. */
  readonly number: string;
  readonly placedAt: Date;
  readonly email: string;
  readonly name: string;
  readonly address: {
    readonly street: string;
    readonly city: string;
    readonly postalCode: string;
    readonly country: string;
  };
  readonly lines: readonly {
    readonly slug: string;
    readonly name: string;
    readonly quantity: number;
    readonly total: number;
  }[];
  readonly shipping: { readonly name: string; readonly price: number };
  /** Whole cents, shipping included. */
  readonly total: number;
  readonly cardLastFour: string;
}

interface Placed {
  readonly visitorId: string;
  readonly order: Order;
}

const FIRST_NUMBER = 10_428;

export class Orders {
  readonly #placed: Placed[] = [];

  place(
    visitorId: string,
    lines: readonly CartLine[],
    payment: { details: CheckoutDetails; cardLastFour: string },
  ): Order {
    const { details, cardLastFour } = payment;
    const { email, name, street, city, postalCode, country, shipping } = details;
    const order: Order = {
      number: `HO-${FIRST_NUMBER + this.#placed.length}`,
      placedAt: new Date(),
      email,
      name,
      address: { street, city, postalCode, country: country.name },
      lines: lines.map(({ product, quantity, total }) => ({ slug: product.slug, name: product.name, quantity, total })),
      shipping: { name: shipping.name, price: shipping.price },
      total: lines.reduce((sum, line) => sum + line.total, shipping.price),
      cardLastFour,
    };
    this.#placed.push({ visitorId, order });
    return order;
  }

  /** An order is shown only to the visitor who placed it. */
  find(visitorId: string, number: string): Order | undefined {
    return this.#placed.find(entry => entry.visitorId === visitorId && entry.order.number === number)?.order;
  }

  all(): Order[] {
    return this.#placed.map(entry => entry.order);
  }
}
