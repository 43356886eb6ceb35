import { expect, test } from 'vitest';
import { catalog } from '../pages/catalog.ts';

const origins = { same: 'http://127.0.0.1:1', other: 'http://localhost:1' };

test('every page is built the same, byte for byte, each time', () => {
  for (const page of catalog.filter(({ kind }) => kind !== 'huge')) {
    expect(page.build(origins).toString(), page.name).toBe(page.build(origins).toString());
  }
});

test('a saved page loads no frame and never reloads itself', () => {
  for (const page of catalog.filter(({ kind }) => kind === 'saved')) {
    const html = page.build(origins).toString();
    expect(html, page.name).not.toMatch(/<iframe\b[^>]*\ssrc=/i);
    expect(html, page.name).not.toMatch(/http-equiv=["']?refresh/i);
  }
});
