export interface ShippingMethod {
  readonly id: string;
  readonly name: string;
  readonly note: string;
  /** Whole cents. */
  readonly price: number;
}

export const SHIPPING_METHODS: readonly ShippingMethod[] = [
  { id: 'standard', name: 'Standard', note: '4 to 6 working days', price: 600 },
  { id: 'express', name: 'Express', note: '1 to 2 working days', price: 1400 },
  { id: 'pickup', name: 'Pick up at the harbor', note: 'Ready tomorrow at 10:00', price: 0 },
];

export function findShippingMethod(id: string): ShippingMethod | undefined {
  return SHIPPING_METHODS.find(method => method.id === id);
}
