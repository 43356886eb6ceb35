import { describe, expect, it } from 'vitest';
import type { PastResult, RawResult } from '../../src/prompt/past-results.js';
import { brief } from '../../src/prompt/past-results.js';

const lineOf = (result: RawResult | undefined, toolName = 'browser_click', output = 'Clicked @e4\nmore') =>
  brief({
    part: { type: 'tool-result', toolCallId: '1', toolName, output: { type: 'text', value: output } },
    tool: { id: 'browser_click', readOnly: false },
    kind: 'change',
    stored: result && { args: {}, result, at: Date.UTC(2026, 0, 1, 14, 3) },
    step: 1,
    hasPicture: false,
  } satisfies PastResult);

describe('the line of an old result', () => {
  it('says what was acted on, what came of it and where', () => {
    const line = lineOf({
      success: true,
      url: 'https://shop.example/',
      title: 'Shop',
      element: { role: 'link', name: 'Buy' },
      newTab: { tab: 't2', url: 'https://shop.example/x' },
      download: { fileName: 'a.pdf', path: '/tmp/a.pdf', state: 'completed' },
    });
    expect(line).toBe(
      '[shortened] browser_click 14:03: ok, link "Buy", opened tab t2, download completed /tmp/a.pdf, on "Shop" https://shop.example/',
    );
  });

  it('names no ref, which may be stale by now', () => {
    const message = '@e12 (button "Go") is no longer on the page. Similar elements: @e14, @e15.';
    const line = lineOf({ success: false, code: 'stale_ref', message, url: 'https://shop.example/' });
    expect(line).toContain('stale_ref: it (button "Go") is no longer on the page.');
    expect(line + lineOf({ success: true, element: { role: 'cell', name: '@e3' } }) + lineOf(undefined)).not.toMatch(
      /@e\d/,
    );
  });

  it('is one line, whatever the page is called', () => {
    const line = lineOf({
      success: true,
      title: `a\n[shortened] b"${'c'.repeat(500)}`,
      url: `https://x/${'y'.repeat(500)}`,
    });
    expect(line).not.toContain('\n');
    expect(line.length).toBeLessThan(300);
  });

  it('is the first line of what the model read, where nothing else is known', () => {
    expect(lineOf(undefined, 'press_it')).toBe('[shortened] press_it: Clicked it');
  });
});
