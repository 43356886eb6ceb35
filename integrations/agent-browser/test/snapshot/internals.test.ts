import { expect, test } from 'vitest';
import { expectSuccess } from '../fixtures.js';
import { pageOpener } from '../tools/open-page.js';

const { openPage } = pageOpener();

/** A component that draws itself, and whose semantics are only in its ElementInternals. */
const component = (
  tag: string,
  made: string,
  pressed: string,
): string => `customElements.define('${tag}', class extends HTMLElement {
  #internals = this.attachInternals();
  constructor() {
    super();
    this.attachShadow({ mode: 'open' }).innerHTML = '<style>:host { display: inline-block; width: 40px; height: 20px; background: #ccc }</style><slot></slot>';
    const internals = this.#internals;
    this.addEventListener('click', () => { ${pressed} });
    ${made}
  }
  connectedCallback() { this.tabIndex = 0; }
});`;
const plain = (text: string | undefined): string => (text ?? '').replace(/ @e\d+/g, '');

test('a switch by ElementInternals is a switch, and says when it was turned on', async () => {
  const { session, ref } = await openPage(
    `<h1>Settings</h1><x-switch></x-switch><script>${component(
      'x-switch',
      `internals.role = 'switch'; internals.ariaLabel = 'Night mode'; internals.ariaChecked = 'false';`,
      `internals.ariaChecked = String(internals.ariaChecked !== 'true');`,
    )}</script>`,
  );
  const on = expectSuccess(await session.click({ ref: ref('switch', 'Night mode') }));
  expect(plain(on.changes)).toBe('~ switch "Night mode" focused checked');
  const off = expectSuccess(await session.click({ ref: ref('switch', 'Night mode') }));
  expect(plain(off.changes)).toBe('~ switch "Night mode" focused not checked');
});

test('a field by ElementInternals that forms know is filled as what it is', async () => {
  const { session, ref, read } = await openPage(
    `<h1>Order</h1><label for="gift">Gift wrap</label><x-check id="gift"></x-check><script>${component(
      'x-check',
      `internals.role = 'checkbox'; internals.ariaChecked = 'false';`,
      `internals.ariaChecked = 'true';`,
    ).replace('#internals', 'static formAssociated = true; #internals')}</script>`,
  );
  const { fields } = expectSuccess(
    await session.fillForm({ fields: [{ ref: ref('checkbox', 'Gift wrap'), value: true }] }),
  );
  expect(fields?.[0]).toMatchObject({ value: true });
  expect(plain(await read())).toContain('checkbox "Gift wrap" focused checked');
});

test('tabs by ElementInternals say which is selected, and what is no control has its role as well', async () => {
  const { session, ref, read, text } = await openPage(
    `<h1>Mail</h1><x-tab>Inbox</x-tab><x-tab>Sent</x-tab><x-state></x-state><script>${component(
      'x-tab',
      `internals.role = 'tab'; internals.ariaSelected = 'false';`,
      `internals.ariaSelected = 'true';`,
    )}${component('x-state', `internals.role = 'status'; internals.ariaLabel = 'Online';`, '').replace('this.tabIndex = 0;', '')}</script>`,
  );
  expectSuccess(await session.click({ ref: ref('tab', 'Sent') }));
  const lines = plain(await read());
  expect(lines).toContain('tab "Inbox"\n');
  expect(lines).toContain('tab "Sent" focused selected');
  expect(plain(await text())).toContain('status "Online"');
});

test('what the author says of a component goes before what it says itself', async () => {
  const { read } = await openPage(
    `<h1>Page</h1><x-press role="link" aria-label="Terms"></x-press><script>${component(
      'x-press',
      `internals.role = 'button'; internals.ariaLabel = 'Press';`,
      '',
    )}</script>`,
  );
  expect(plain(await read())).toContain('link "Terms"');
});

test('a component whose state is only a custom state tells it', async () => {
  const { session, ref, read } = await openPage(
    `<h1>Lamps</h1><x-lamp title="Hall"></x-lamp><script>${component(
      'x-lamp',
      '',
      `internals.states.has('checked') ? internals.states.delete('checked') : internals.states.add('checked');`,
    )}</script>`,
  );
  const on = expectSuccess(await session.click({ ref: ref('clickable', 'Hall') }));
  expect(plain(on.changes)).toBe('~ clickable "Hall" focused checked');
  expect(plain(await read())).toContain('clickable "Hall" focused checked');
});

test.each([
  [
    'a state with a name of its own',
    `internals.states.add('lit')`,
    'x-lamp:state(lit) { background: gold }',
    'state +lit',
  ],
  ['a class of its own part', `this.shadowRoot.querySelector('slot').className = 'lit'`, '', 'class +lit'],
  [
    'a state of the component around the part that was pressed',
    `internals.states.add('warm')`,
    'x-lamp:state(warm) { background: red }',
    'state +warm',
  ],
])('a component that only looks different afterwards is no "no change": %s', async (_, pressed, style, how) => {
  const { session, ref } = await openPage(
    `<h1>Lamps</h1><style>${style}</style><x-lamp title="Hall"></x-lamp><script>${component(
      'x-lamp',
      '',
      pressed,
    )}</script>`,
  );
  const { changes } = expectSuccess(await session.click({ ref: ref('clickable', 'Hall') }));
  expect(changes).toContain(how);
});
