import { describe, expect, test } from 'vitest';
import { TIMINGS } from '../../src/timings.js';
import { expectSuccess } from '../fixtures.js';
import { pageOpener } from '../tools/open-page.js';

/** Tests elsewhere wait for shorter or longer. Here the numbers are written out: one of the product that gets much shorter fails. */
const { openPage } = pageOpener({}, { timings: TIMINGS });
/** Without the wait for a first change, in which the end of an animation would be seen as well. */
const faded = pageOpener({}, { timings: { ...TIMINGS, firstChange: 0 } });

const OUT = '<p role="status" id="out"></p>';
const after = (milliseconds: number, script: string) => `setTimeout(() => { ${script} }, ${milliseconds})`;

describe('an action of the product waits as long as it is made to', () => {
  test('for a first change', async () => {
    const { session, ref } = await openPage(
      `<button onclick="${after(250, "out.textContent = 'Late'")}">Go</button>${OUT}`,
    );
    expect(expectSuccess(await session.click({ ref: ref('button', 'Go') })).changes).toContain('status "Late"');
  });

  test('for an animation', async () => {
    const { session, ref } = await faded.openPage(`<style>
      #box { transition: opacity 350ms } #box.closing { opacity: 0 }</style>
      <div role="dialog" aria-label="Sure?" id="box" ontransitionend="this.remove()">
        <button onclick="box.classList.add('closing')">Cancel</button></div>`);
    const { changes } = expectSuccess(await session.click({ ref: ref('button', 'Cancel') }));
    expect(changes).toContain('- dialog "Sure?" closed');
  });

  test('for content that it asked for', async () => {
    const { session, ref } = await openPage({
      '/': `<button onclick="fetch('/text').then(async answer => { out.textContent = await answer.text() })">Go</button>${OUT}`,
      '/text': (_, response) => void setTimeout(() => response.end('Content'), 750),
    });
    expect(expectSuccess(await session.click({ ref: ref('button', 'Go') })).changes).toContain('status "Content"');
  });

  test('for a cover to go, before it asks what is in the way', async () => {
    const { session, ref, script } = await openPage(
      `<button onclick="out.textContent = 'Pressed'">Under</button>${OUT}<div id="cover" style="position: fixed; inset: 0; background: #fff">Cover</div>`,
    );
    const under = ref('button', 'Under');
    await script(after(500, 'cover.remove()'));
    expect(expectSuccess(await session.click({ ref: under })).changes).toContain('status "Pressed"');
  });

  test('for a button to be enabled', async () => {
    const { session, ref } =
      await openPage(`<button id="b" disabled onclick="out.textContent = 'Sent'">Send</button>${OUT}
      <script>addEventListener('mousemove', () => ${after(500, 'b.disabled = false')}, { once: true })</script>`);
    const moved = session.hover({ ref: ref('button', 'Send') });
    const clicked = session.click({ ref: ref('button', 'Send') });
    expectSuccess(await moved);
    expect(expectSuccess(await clicked).changes).toContain('status "Sent"');
  });

  test('for suggestions', async () => {
    const { session, ref } =
      await openPage(`<input role="combobox" aria-label="City" aria-controls="list" aria-expanded="false">
      <div role="listbox" id="list"></div><script>
      document.querySelector('input').oninput = () => ${after(400, `list.innerHTML = '<div role="option" tabindex="0">Oslo</div>'`)}
      </script>`);
    const { suggestions } = expectSuccess(await session.type({ ref: ref('combobox', 'City'), text: 'Os' }));
    expect(suggestions).toMatchObject([{ name: 'Oslo' }]);
  });

  test('for a choice to be shown', async () => {
    const { session, ref } =
      await openPage(`<div role="combobox" tabindex="0" aria-label="Size" aria-expanded="false" aria-controls="list" id="box"
        onclick="list.hidden = false; this.ariaExpanded = 'true'">Small</div>
      <div role="listbox" id="list" hidden><div role="option" onclick="list.hidden = true; box.ariaExpanded = 'false';
        ${after(100, "box.textContent = 'Large'")}">Large</div></div>`);
    const result = expectSuccess(await session.select({ ref: ref('combobox', 'Size'), labels: ['Large'] }));
    expect(result).toMatchObject({ selected: ['Large'] });
    expect(result.mismatch).toBeUndefined();
  });

  test('for a switch to turn', async () => {
    const { session, ref } = await openPage(`<button role="switch" aria-checked="false" aria-label="Alerts"
      onclick="${after(75, "this.ariaChecked = 'true'")}"></button>`);
    const fields = [{ ref: ref('switch', 'Alerts'), value: true }];
    expect(expectSuccess(await session.fillForm({ fields })).fields).toMatchObject([{ value: true }]);
  });
});
