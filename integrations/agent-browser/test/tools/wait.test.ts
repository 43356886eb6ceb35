import { describe, expect, test } from 'vitest';
import { expectFailure, expectSuccess } from '../fixtures.js';
import { pageOpener } from './open-page.js';

const { openPage } = pageOpener();

const later = (script: string, milliseconds = 400): string =>
  `<script>setTimeout(() => { ${script} }, ${milliseconds} + 800)</script>`;
const SOON = 20;
/** Seconds; what does not end at once goes on for the 30 that are the default. */
const AT_ONCE = 15;

describe('waiting', () => {
  test('for text ends when it shows, and tells the change', async () => {
    const { session, script } = await openPage('<p id="p">Loading</p>');
    await script(`setTimeout(() => { p.textContent = 'All done'; }, 300)`);
    const result = expectSuccess(await session.wait({ for: { text: 'all done' }, timeout: SOON }));
    expect(result.waited).toBeLessThan(SOON);
    expect(result.changes).toContain('All done');
  });

  test('for text that is only hidden goes on', async () => {
    const { session } = await openPage('<p style="display:none">Secret</p>');
    expectFailure(await session.wait({ for: { text: 'Secret' }, timeout: 0.5 }), 'timeout');
  });

  test('for text looks into frames, also into one that comes later', async () => {
    const { session } = await openPage(
      `<p>Page</p>${later(`document.body.insertAdjacentHTML('beforeend', '<iframe srcdoc="<p>From a frame</p>"></iframe>')`)}`,
    );
    expectSuccess(await session.wait({ for: { text: 'From a frame' }, timeout: SOON }));
  });

  test('for text to go ends when it is gone from every frame', async () => {
    const { session } = await openPage(
      `<p>Page</p><iframe srcdoc="<p>Please wait</p>"></iframe>${later(`document.querySelector('iframe').remove()`)}`,
    );
    expectSuccess(await session.wait({ for: { gone: 'Please wait' }, timeout: SOON }));
  });

  test('for text to go that is not there ends at once', async () => {
    const { session } = await openPage('<p>Page</p>');
    expect(expectSuccess(await session.wait({ for: { gone: 'Never' } })).waited).toBeLessThan(AT_ONCE);
  });

  test.each([
    ['enabled', '<button id="b" disabled>B</button>', 'b.disabled = false'],
    ['disabled', '<button id="b">B</button>', 'b.disabled = true'],
    ['hidden', '<button id="b">B</button>', 'b.style.display = "none"'],
    ['hidden', '<button id="b">B</button>', 'b.remove()'],
  ] as const)('for an element to be %s', async (state, html, script) => {
    const { session, ref } = await openPage(`${html}${later(script)}`);
    expectSuccess(await session.wait({ for: { ref: ref('button', 'B'), state }, timeout: SOON }));
  });

  test('for an element that is visible ends at once', async () => {
    const { session, ref } = await openPage('<button>B</button>');
    expect(expectSuccess(await session.wait({ for: { ref: ref('button', 'B') } })).waited).toBeLessThan(AT_ONCE);
  });

  test('for an element that is long gone to be hidden is a success; to be enabled, it is stale', async () => {
    const { session, ref } = await openPage('<button onclick="this.remove()">B</button>');
    const button = ref('button', 'B');
    expectSuccess(await session.click({ ref: button }));
    expectSuccess(await session.wait({ for: { ref: button, state: 'hidden' } }));
    expectFailure(await session.wait({ for: { ref: button, state: 'enabled' } }), 'stale_ref');
  });

  test('for an element that goes meanwhile to be enabled says that it is gone', async () => {
    const { session, ref } = await openPage(`<button id="b" disabled>B</button>${later('b.remove()')}`);
    const result = await session.wait({ for: { ref: ref('button', 'B'), state: 'enabled' }, timeout: SOON });
    expectFailure(result, 'stale_ref');
  });

  test.each(['/route/42', '*/route/*', '127.0.0.1*route'])('for the url %s', async url => {
    const { session, site } = await openPage(`<p>Page</p>${later(`history.pushState({}, '', '/route/42?x=1')`)}`);
    const result = expectSuccess(await session.wait({ for: { url }, timeout: SOON }));
    expect(result.url).toBe(site.url('/route/42?x=1'));
  });

  test('for a page to load', async () => {
    const { session, ref } = await openPage({
      '/': '<a href="/slow">Slow</a>',
      '/slow': '<img src="/image"><p>Text</p>',
      '/image': (_, response) => void setTimeout(() => response.end(), 900),
    });
    await session.click({ ref: ref('link', 'Slow') });
    expect(expectSuccess(await session.wait({ for: { load: 'load' } })).waited).toBeGreaterThan(0);
  });

  test('for seconds takes so long', async () => {
    const { session } = await openPage('<p>Page</p>');
    expect(expectSuccess(await session.wait({ for: { seconds: 0.5 } })).waited).toBeGreaterThanOrEqual(0.49);
  });
});

describe('a wait that comes to nothing', () => {
  test.each([
    [{ text: 'Never' }, 'Timed out after 0.5 s waiting for text "Never".'],
    [{ gone: 'Page' }, 'Timed out after 0.5 s waiting for gone "Page".'],
    [{ url: '/never' }, 'waiting for url "/never"'],
    [{ url: '*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*b' }, 'Timed out after'],
  ])('says so in time: %j', async (goal, message) => {
    const { session } = await openPage('<p>Page</p>');
    const result = expectFailure(await session.wait({ for: goal, timeout: 0.5 }), 'timeout');
    expect(result.message).toContain(message);
  });

  test('for the state of an element says which state', async () => {
    const { session, ref } = await openPage('<button disabled>B</button>');
    const goal = { ref: ref('button', 'B'), state: 'enabled' } as const;
    const result = expectFailure(await session.wait({ for: goal, timeout: 0.5 }), 'timeout');
    expect(result.message).toContain(`waiting for ref "${goal.ref}" enabled`);
  });

  test('with a timeout of 0 looks once', async () => {
    const { session } = await openPage('<p>Page</p>');
    expectFailure(await session.wait({ for: { text: 'Never' }, timeout: 0 }), 'timeout');
  });

  test.each([{}, { text: 'a', gone: 'b' }, { state: 'hidden' as const }, { text: 'a', state: 'hidden' as const }])(
    'is refused when it is not clear what for: %j',
    async goal => {
      const { session } = await openPage('<p>Page</p>');
      const result = expectFailure(await session.wait({ for: goal }), 'invalid_input');
      expect(result.message).toContain('for: give exactly one of');
    },
  );

  test('ends when it is cancelled', async () => {
    const { session, site } = await openPage('<p>Page</p>');
    const controller = new AbortController();
    const waiting = session.wait({ for: { text: 'Never' }, timeout: 60 }, { signal: controller.signal });
    setTimeout(() => controller.abort(), 200);
    expect(expectFailure(await waiting, 'aborted').url).toBe(site.url());
    expectSuccess(await session.snapshot());
  });
});
