import { z } from 'zod/v4';

export const tokenUsage = z.object({
  input: z.number(),
  output: z.number(),
  /** Those of the input that the provider had in its cache. */
  cached: z.number().optional(),
});

/** Tokens that a model took. */
export type TokenUsage = z.infer<typeof tokenUsage>;

export function addTokens(sum: TokenUsage, more: TokenUsage): TokenUsage {
  return {
    input: sum.input + more.input,
    output: sum.output + more.output,
    cached: (sum.cached ?? 0) + (more.cached ?? 0),
  };
}
