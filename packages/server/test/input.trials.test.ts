import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { seedNote, trials } from '../../../scripts/testing/trials.js';
import { mouseOf, openOne, press } from './acting.js';
import { serveView } from './viewing.js';

const RUNS = trials.runs({ slice: 1_000, full: 10_000 });
const COUNT = RUNS.numRuns;

describe('garbage', () => {
  test(`of ${COUNT.toLocaleString('en')} kinds is dropped and counted with few lines, and a click right after works`, {
    timeout: trials.limit,
  }, async () => {
    const served = await serveView();
    const viewer = await openOne(served);
    const anything = fc.oneof(
      fc.string(),
      fc.json(),
      fc
        .record({ type: fc.constantFrom('mouse', 'keyboard', 'touch', 'toString', '__proto__'), event: fc.anything() })
        .map(value => JSON.stringify(value) ?? ''),
      fc.uint8Array().map(bytes => Buffer.from(bytes)),
    );
    for (const message of fc.sample(anything, RUNS)) viewer.sendRaw(message as string | Buffer);
    viewer.sendRaw('{"type":"mouse","event":{"type":"mouseMoved","x":1e308,"y":-1e308}}');
    viewer.send(press(3, 4));
    await viewer.flushed();
    expect(mouseOf(served.browser.injected).at(-1), seedNote(RUNS.seed)).toMatchObject({
      type: 'mousePressed',
      x: 3,
      y: 4,
    });
    expect(served.live.metrics().messages).toBe(COUNT + 2);
    expect(served.live.metrics().garbage, seedNote(RUNS.seed)).toBeGreaterThan(COUNT * 0.99);
    expect(served.lines.length).toBeLessThan(10);
  });
});
