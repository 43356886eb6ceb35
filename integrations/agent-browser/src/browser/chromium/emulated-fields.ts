import { z } from 'zod/v4';

export const size = z.strictObject({
  width: z.number().int().min(1).max(10_000),
  height: z.number().int().min(1).max(10_000),
});

export const place = z.strictObject({
  latitude: z.number().min(-90).max(90),
  longitude: z.number().min(-180).max(180),
  accuracy: z.number().min(0).max(1_000_000).optional(),
});

export const colorScheme = z.enum(['light', 'dark', 'no-preference']);
