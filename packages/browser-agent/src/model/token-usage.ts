import { z } from 'zod/v4';

export const tokenUsage = z.object({
  input: z.number(),
  output: z.number(),
  /** Those of the input that the provider had in its cache. */
  cached: z.number().optional(),
  /** US dollars, where the price of the model is known. */
  cost: z.number().optional(),
});

/** Tokens that a model took. */
export type TokenUsage = z.infer<typeof tokenUsage>;

const dollars = z.number().min(0);

/** US dollars for a million tokens. */
export const modelPrice = z.strictObject({ input: dollars, output: dollars, cached: dollars.optional() });
export type ModelPrice = z.infer<typeof modelPrice>;

export function addTokens(sum: TokenUsage, more: TokenUsage): TokenUsage {
  const costs = [sum.cost, more.cost].filter(cost => cost !== undefined);
  return {
    input: sum.input + more.input,
    output: sum.output + more.output,
    cached: (sum.cached ?? 0) + (more.cached ?? 0),
    ...(costs.length > 0 && { cost: costs.reduce((one, other) => one + other) }),
  };
}

/** Tokens of the cache cost what other input does unless the price says otherwise. */
export function withCost(usage: TokenUsage, price: ModelPrice | undefined): TokenUsage {
  if (price === undefined) return usage;
  const { input, output, cached = 0 } = usage;
  const paid = (input - cached) * price.input + cached * (price.cached ?? price.input) + output * price.output;
  return { ...usage, cost: paid / 1_000_000 };
}
