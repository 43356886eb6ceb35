import { z } from 'zod';
import { COUNTRIES, type Country, findCountry, isPostalCode } from './countries.js';
import { findShippingMethod, SHIPPING_METHODS, type ShippingMethod } from './shipping.js';

export type FieldName =
  | 'email'
  | 'name'
  | 'street'
  | 'postalCode'
  | 'city'
  | 'country'
  | 'shipping'
  | 'terms'
  | 'paymentToken';

/** The messages about fields; the page's script and the server use the same sentences. */
export const MESSAGES: Record<FieldName, string> = {
  email: 'Enter an email address, like ann@example.com',
  name: 'Enter your full name',
  street: 'Enter a street and house number',
  postalCode: 'Enter a postal code that fits the country',
  city: 'Enter a city',
  country: 'Choose a country',
  shipping: 'Choose how we should send it',
  terms: 'Accept the terms of sale to place the order',
  paymentToken: 'Confirm your card before you place the order',
};

export interface CheckoutDetails {
  readonly email: string;
  readonly name: string;
  readonly street: string;
  readonly city: string;
  readonly postalCode: string;
  readonly country: Country;
  readonly shipping: ShippingMethod;
  readonly paymentToken: string;
}

export type FieldErrors = Partial<Record<FieldName, string>>;
export type FieldValues = Readonly<Record<string, string>>;
export type CheckoutResult = { details: CheckoutDetails } | { errors: FieldErrors };

const text = (field: FieldName, max = 120) =>
  z.string(MESSAGES[field]).trim().min(1, MESSAGES[field]).max(max, MESSAGES[field]);
const oneOf = (field: FieldName, known: readonly string[]) => z.enum(known, MESSAGES[field]);

const checkoutSchema = z.object({
  email: z.email(MESSAGES.email),
  name: text('name'),
  street: text('street'),
  postalCode: text('postalCode', 12),
  city: text('city'),
  country: oneOf(
    'country',
    COUNTRIES.map(country => country.code),
  ),
  shipping: oneOf(
    'shipping',
    SHIPPING_METHODS.map(method => method.id),
  ),
  terms: z.literal('accepted', MESSAGES.terms),
  paymentToken: text('paymentToken'),
});

export function parseCheckout(values: FieldValues): CheckoutResult {
  const parsed = checkoutSchema.safeParse(values);
  const errors: FieldErrors = {};
  for (const issue of parsed.error?.issues ?? []) errors[issue.path[0] as FieldName] ??= issue.message;
  // Not a refinement of the schema: that would stay silent until every other field is right.
  const country = findCountry(values.country ?? '');
  const shipping = findShippingMethod(values.shipping ?? '');
  if (country && !isPostalCode(country, (values.postalCode ?? '').trim())) errors.postalCode = MESSAGES.postalCode;
  if (!parsed.success || !country || !shipping || errors.postalCode) return { errors };
  return { details: { ...parsed.data, country, shipping } };
}
