import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { trials } from '../../../scripts/testing/trials.js';
import { CLIENT_MESSAGES, parseClientMessage, parseServerMessage, SERVER_MESSAGES } from '../src/protocol/index.js';

describe('whatever arrives', () => {
  const anything = fc.oneof(
    fc.string(),
    fc.json(),
    fc.string().map(text => `{${text}`),
    fc
      .tuple(
        fc.constantFrom(...Object.keys(CLIENT_MESSAGES), ...Object.keys(SERVER_MESSAGES)),
        fc.dictionary(fc.constantFrom('event', 'eventType', 'x', 'y', 'text', 'action', 'url', 'tabs'), fc.jsonValue()),
      )
      .map(([type, fields]) => JSON.stringify({ type, [type]: fields, ...fields })),
  );

  const runs = trials.runs({ slice: 500, full: 10_000 });
  const count = runs.numRuns.toLocaleString('en');

  test(`${count} messages never throw, and what is read is what the schemas allow`, { timeout: trials.limit }, () => {
    let read = 0;
    fc.assert(
      fc.property(anything, text => {
        const message = parseClientMessage(text);
        if (message !== undefined) {
          read++;
          const written = JSON.stringify(message);
          expect(parseClientMessage(written)).toEqual(JSON.parse(written));
        }
        parseServerMessage(text);
      }),
      runs,
    );
    expect(read).toBeGreaterThan(0);
  });
});
