import { findProduct, type Product } from './catalog.js';

export interface CartLine {
  readonly product: Product;
  readonly quantity: number;
  /** Whole cents. */
  readonly total: number;
}

/** The goods that one visitor means to buy. Invariant: a quantity is a whole number from 1 to the product's stock. */
export class Cart {
  readonly #quantities = new Map<string, number>();

  add(product: Product, quantity: number): void {
    this.set(product, (this.#quantities.get(product.slug) ?? 0) + quantity);
  }

  set(product: Product, quantity: number): void {
    const possible = Math.min(quantity, product.stock);
    if (possible > 0) this.#quantities.set(product.slug, possible);
    else this.#quantities.delete(product.slug);
  }

  empty(): void {
    this.#quantities.clear();
  }

  lines(): CartLine[] {
    return [...this.#quantities].flatMap(([slug, quantity]) => {
      const product = findProduct(slug);
      return product ? [{ product, quantity, total: product.price * quantity }] : [];
    });
  }

  count(): number {
    return this.lines().reduce((sum, line) => sum + line.quantity, 0);
  }

  subtotal(): number {
    return this.lines().reduce((sum, line) => sum + line.total, 0);
  }
}
