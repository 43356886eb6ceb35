import { describe, expect, test } from 'vitest';
import { expectSuccess } from '../fixtures.js';
import { pageOpener } from '../tools/open-page.js';
import { CALENDARS } from './calendar-pages.js';

const { openPage } = pageOpener();

/** The ref of a day in the line that lists all of them. */
function refOfDay(changes: string, day: number): string {
  const line = /days (\d.*)/.exec(changes)?.[1] ?? '';
  for (const [, from, to, first, second, last] of line.matchAll(
    /(\d+)(?:-(\d+))?:? @e(\d+)(?:, @e(\d+) … @e(\d+)|-@e\d+)?/g,
  )) {
    const step = second === undefined || last === undefined ? 1 : Number(second) - Number(first);
    if (day >= Number(from) && day <= Number(to ?? from)) return `@e${Number(first) + (day - Number(from)) * step}`;
  }
  return expect.fail(`no ref for day ${day} in\n${changes}`);
}

describe.each(Object.entries(CALENDARS))('a calendar %s', (_, { html, next, month }) => {
  test('is told with its month, its days and the way on, whenever it shows others', async () => {
    const { session, ref, evaluate } = await openPage(html);
    const opened = expectSuccess(await session.click({ ref: ref('textbox', 'Departure') })).changes ?? '';
    expect(opened).toMatch(month('September'));
    expect(opened).toMatch(/days 1-30\b/);
    expect(opened.split('\n').filter(line => /checkbox/.test(line)).length).toBeLessThanOrEqual(1);
    expect(opened).not.toContain('more change');
    expect(opened).toMatch(next);

    const turned = expectSuccess(await session.click({ ref: next.exec(opened)?.[1] ?? '' }));
    const shown = turned.changes ?? '';
    expect(shown).toMatch(month('October'));
    expect(shown).toMatch(/days 1-31\b/);
    expect(shown.split('\n').length).toBeLessThanOrEqual(8);

    expectSuccess(await session.click({ ref: refOfDay(shown, 17) }));
    expect(await evaluate('field.value')).toBe('October 17');
  });
});
