import { describe, expect, test } from 'vitest';
import { NO_CHANGE, NO_OTHER_CHANGE } from '../../src/diff/write.js';
import { TIMINGS } from '../../src/timings.js';
import { expectSuccess } from '../fixtures.js';
import { pageOpener } from '../tools/open-page.js';

const { openPage } = pageOpener({ allowEvaluate: true }, { timings: TIMINGS });

/** A page as frameworks make it: all listeners stand at its root, and hear everything. */
const ROOT = `<div id="root"><input aria-label="Name"><input type="checkbox" aria-label="Gift">
  <select aria-label="Size"><option>Small<option>Large</select><a href="#more">More</a><button>Save</button></div>
  <p role="status" id="say"></p><script>
  for (const type of ['click', 'input', 'change', 'keydown', 'keyup', 'focusin', 'mouseover', 'pointerover'])
    root.addEventListener(type, event => window.heard?.(event));
  </script>`;

describe('what comes after a result is told first by the next one', () => {
  test.for(['click', 'type', 'hover', 'press', 'evaluate'] as const)('of browser_%s', async tool => {
    const { session, ref, script } = await openPage(ROOT);
    expectSuccess(await session.type({ ref: ref('textbox', 'Name'), text: 'Ann' }));
    await script(`say.textContent = 'That name is taken'`);
    const acts = {
      click: () => session.click({ ref: ref('button', 'Save') }),
      type: () => session.type({ ref: ref('textbox', 'Name'), text: 'Eve' }),
      hover: () => session.hover({ ref: ref('link', 'More') }),
      press: () => session.press({ keys: 'Tab' }),
      evaluate: () => session.evaluate({ expression: '1 + 1' }),
    };
    const { changes = '' } = expectSuccess(await acts[tool]());
    const [first, told, own, ...others] = changes.split('\n');
    expect([first, told, own]).toEqual([
      'Since the last result:',
      expect.stringContaining('status "That name is taken"'),
      'From this call:',
    ]);
    expect(others).toHaveLength(1);
    expect([NO_CHANGE, NO_OTHER_CHANGE]).toContain(others[0]);
    // It is told once.
    const again = expectSuccess(await session.press({ keys: 'Tab' }));
    expect(again.changes).toBe(NO_CHANGE);
  });

  test.for(['before', 'during'])('of browser_wait, where it comes %s the wait', async when => {
    const { session, script } = await openPage(ROOT);
    const change = () => script(`say.textContent = 'Your order has shipped'`);
    if (when === 'before') await change();
    const waiting = session.wait({ for: { text: 'Your order has shipped' } });
    if (when === 'during') await change();
    const { changes } = expectSuccess(await waiting);
    expect(changes).toMatch(/^Since the last result:\n.*status "Your order has shipped"$/);
    expect(expectSuccess(await session.wait({ for: { seconds: 0 } })).changes).toBe(NO_CHANGE);
  });

  test('and stands apart from the effect of the call, which alone counts as a change of the page', async () => {
    const { session, ref, script } = await openPage(
      `<button onclick="count.textContent = '1 item'">Add</button><button>Nothing</button><p id="count">Empty</p><p role="status" id="say"></p>`,
    );
    await script(`say.textContent = 'Welcome'`);
    const added = expectSuccess(await session.click({ ref: ref('button', 'Add') }));
    expect(added.changes).toMatch(/^Since the last result:\n.*"Welcome"\nFrom this call:\n.*"1 item"$/);
    expect(added.pageChanged).toBe(true);
    await script(`say.textContent = 'Come back soon'`);
    const nothing = expectSuccess(await session.click({ ref: ref('button', 'Nothing') }));
    expect(nothing.changes).toContain('Come back soon');
    expect(nothing.pageChanged).toBe(false);
  });

  test('by a snapshot after an action, also what is gone again', async () => {
    const { session, ref, script } = await openPage('<button>Go</button><p id="note">Offer ends today</p>');
    expectSuccess(await session.hover({ ref: ref('button', 'Go') }));
    await script(`note.remove(); document.body.insertAdjacentHTML('beforeend', '<button>New</button>')`);
    const { tree = '', changes = '' } = expectSuccess(await session.snapshot());
    expect(changes).toMatch(/^Since the last result:\n/);
    expect(changes).toContain('Offer ends today');
    expect(changes).toContain('button "New"');
    expect(tree).toMatch(/^page .*\nbutton "Go" @e\d+\nbutton "New" @e\d+$/);
    await script(`document.querySelector('button').remove()`);
    expect(expectSuccess(await session.snapshot()).changes).toBeUndefined();
  });

  test('by a call that fails', async () => {
    const { session, ref, script } = await openPage(`<button id="b">Go</button><p role="status" id="say"></p>`);
    const go = ref('button', 'Go');
    await script(`b.disabled = true; say.textContent = 'Closed'`);
    const { success, changes } = await session.click({ ref: go });
    expect(success).toBe(false);
    expect(changes).toMatch(/^Since the last result:\n/);
    expect(changes).toContain('Closed');
  });

  test('by a navigation, before the new page', async () => {
    const { session, script, site } = await openPage({
      '/': '<p role="status" id="say"></p>',
      '/next': '<title>Next</title><h1>Next</h1>',
    });
    await script(`say.textContent = 'Saved'`);
    const { changes } = expectSuccess(await session.navigate({ url: site.url('/next') }));
    expect(changes).toMatch(/^Since the last result:\n.*"Saved"\nFrom this call:\n[\s\S]*heading "Next"/);
  });

  test('by a navigation, without refs of what is gone with its page', async () => {
    const { session, script, site } = await openPage({
      '/': '<input aria-label="Search"><main></main>',
      '/next': '<title>Next</title><input aria-label="Search">',
    });
    await script(`document.querySelector('input').value = 'write to "@e7" at @e8';
      const row = name => '<button>' + name + '</button>';
      document.querySelector('main').innerHTML = '<h2>Found</h2>' + Array.from({ length: 200 }, (_, n) => row('Mug ' + n)).join('');`);
    const { changes = '' } = expectSuccess(await session.navigate({ url: site.url('/next') }));
    const [earlier = '', own = ''] = changes.split('\nFrom this call:\n');
    expect(earlier).toContain('~ textbox "Search" value="write to \\"@e7\\" at @e8"');
    expect(earlier).toContain('button "Mug 0"\n');
    expect(earlier).toMatch(/\d+ more|\d+ buttons/);
    expect(earlier.replaceAll(/"(?:[^"\\]|\\.)*"/g, '')).not.toMatch(/@e|ref=|\(\W*\)/);
    const [ref = ''] = /@e\d+/.exec(own) ?? [];
    expectSuccess(await session.type({ ref, text: 'mug' }));
  });

  test.each([
    ['a day', 'Meeting on 3 May at 09:30', 'Meeting on 4 May at 09:30'],
    ['a number of things', 'Saved 5 seconds ago, 3 of them', 'Saved 5 seconds ago, 4 of them'],
    ['a price', 'From 10:00, 20 euros', 'From 10:00, 25 euros'],
  ])('and %s beside a time that stays, though other things have changed', async (_, before, after) => {
    const { session, ref } = await openPage(`<p id="say">${before}</p>
      <button onclick="say.textContent = '${after}'; this.textContent = 'Gone on'">Go</button>`);
    expect(expectSuccess(await session.click({ ref: ref('button', 'Go') })).changes).toContain(after);
  });

  test('but not a clock, and not where the agent has read the page since', async () => {
    const { session, ref, script } = await openPage(
      '<p id="clock">12:00:01</p><p id="text">One</p><button>Go</button>',
    );
    await script(`clock.textContent = '12:00:02'`);
    expect(expectSuccess(await session.press({ keys: 'Tab' })).changes).toBe(NO_CHANGE);
    await script(`text.textContent = 'Two'`);
    expectSuccess(await session.snapshot({ interactiveOnly: false }));
    expect(expectSuccess(await session.hover({ ref: ref('button', 'Go') })).changes).toBe(NO_CHANGE);
  });
});

describe('an effect is waited for where something says that it comes', () => {
  test('a change that a control showed late once is in its own result the next times', async () => {
    const { session, ref, script } = await openPage(ROOT);
    await script(`window.heard = ({ type, target }) => {
      if (type === 'input') setTimeout(() => { say.textContent = 'Checked ' + target.value; }, 300);
    }`);
    const own: boolean[] = [];
    for (const text of ['A', 'B', 'C', 'D', 'E', 'F']) {
      const { changes = '' } = expectSuccess(await session.type({ ref: ref('textbox', 'Name'), text }));
      own.push((changes.split('From this call:').at(-1) ?? '').includes(`Checked ${text}`));
      await session.wait({ for: { text: `Checked ${text}` } });
    }
    // A busy page may be later still than it was before.
    expect(own.slice(1)).toContain(true);
  });

  test('a text for which a request began', async () => {
    const { session, ref } = await openPage({
      '/': `${ROOT}<script>root.addEventListener('change', async () => { say.textContent = await (await fetch('/price')).text(); })</script>`,
      '/price': (_, response) => void setTimeout(() => response.end('12 coins'), 250),
    });
    const checked = expectSuccess(await session.click({ ref: ref('checkbox', 'Gift') }));
    expect(checked.changes).toContain('12 coins');
  });

  test('what a spinner stands for', async () => {
    const { session, ref } = await openPage(`<style>@keyframes turn { to { rotate: 1turn } }
      .spinner { width: 20px; height: 20px; animation: turn 1s linear infinite }</style>
      <button onclick="box.innerHTML = '<div class=spinner></div><p>One moment</p>';
        setTimeout(() => { box.innerHTML = '<p>42 results</p>' }, 700)">Search</button><div id="box"></div>`);
    const { changes } = expectSuccess(await session.click({ ref: ref('button', 'Search') }));
    expect(changes).toContain('42 results');
    expect(changes).not.toContain('One moment');
  });

  test('a region that is busy', async () => {
    const { session, ref } = await openPage(`<button onclick="box.ariaBusy = 'true'; say.textContent = 'Loading';
        setTimeout(() => { box.ariaBusy = 'false'; say.textContent = 'Ready' }, 600)">Load</button>
      <div id="box"><p id="say"></p></div>`);
    const { changes } = expectSuccess(await session.click({ ref: ref('button', 'Load') }));
    expect(changes).toContain('Ready');
  });
});
