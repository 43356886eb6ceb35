import { randomUUID } from 'node:crypto';
import { z } from 'zod';

export interface Card {
  readonly lastFour: string;
}

export type CardFieldName = 'cardName' | 'cardNumber' | 'expiry' | 'cvc';
type CardErrors = Partial<Record<CardFieldName, string>>;
export type CardResult = { token: string; lastFour: string } | { errors: CardErrors };

/** The bank says no to this one, as test cards do. */
const DECLINED_CARD = '4000000000000002';

const cardSchema = z.object({
  cardName: z.string().trim().min(2, 'Enter the name on the card').max(80, 'Enter the name on the card'),
  cardNumber: z
    .string()
    .transform(text => text.replace(/[\s-]/g, ''))
    .refine(isCardNumber, 'Enter a valid card number')
    .refine(number => number !== DECLINED_CARD, 'The bank declined this card'),
  expiry: z.string().refine(isInFuture, 'Enter an expiry date in the future, like 08/31'),
  cvc: z.string().regex(/^\d{3,4}$/, 'Enter the 3 or 4 digits of the security code'),
});

/** Confirms cards and hands out tokens. Invariant: a token is spent once; a card number is never kept. */
export class CardPayments {
  readonly #cards = new Map<string, Card>();

  confirm(values: unknown): CardResult {
    const parsed = cardSchema.safeParse(values);
    if (!parsed.success) {
      const errors: CardErrors = {};
      for (const issue of parsed.error.issues) errors[issue.path[0] as CardFieldName] ??= issue.message;
      return { errors };
    }
    const token = `card_${randomUUID()}`;
    const lastFour = parsed.data.cardNumber.slice(-4);
    this.#cards.set(token, { lastFour });
    return { token, lastFour };
  }

  redeem(token: string): Card | undefined {
    const card = this.#cards.get(token);
    this.#cards.delete(token);
    return card;
  }
}

/** Luhn's check (ISO/IEC 7812-1, annex B). */
function isCardNumber(digits: string): boolean {
  if (!/^\d{12,19}$/.test(digits)) return false;
  const sum = [...digits].reverse().reduce((total, digit, index) => {
    const value = Number(digit) * (index % 2 === 0 ? 1 : 2);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return sum % 10 === 0;
}

function isInFuture(text: string): boolean {
  const match = /^(0[1-9]|1[0-2])\s*\/\s*(\d{2})$/.exec(text.trim());
  return match !== null && new Date(2000 + Number(match[2]), Number(match[1])) > new Date();
}
