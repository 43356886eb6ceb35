import { z } from 'zod/v4';
import { parsePattern } from './host-pattern.js';

const hostPattern = z.string().check(({ value, issues }) => {
  try {
    parsePattern(value);
  } catch (error) {
    issues.push({ code: 'custom', message: (error as Error).message, input: value });
  }
});

/** The rules for what pages may reach. */
export const urlPolicy = z.strictObject({
  allow: z
    .array(hostPattern)
    .optional()
    .describe(
      'The only hosts and urls that pages may reach: `example.com` (with its subdomains), `*.example.com`, `example.com:8080`, `10.0.0.0/8`, `https://example.com/docs/*`.',
    ),
  block: z
    .array(hostPattern)
    .optional()
    .describe(
      'Hosts and urls that pages may not reach; wins over `allow`. An address means that address however it is written: mapped to IPv6, decimal, hexadecimal.',
    ),
  privateNetwork: z
    .boolean()
    .optional()
    .describe(
      'Whether pages may reach private and loopback addresses. Left out: until the session has been on the public network; from then on only hosts that a navigation of the agent, your program or a person named.',
    ),
});
