import { describe, expect, test } from 'vitest';
import { expectFailure, expectSuccess } from '../fixtures.js';
import { pageOpener } from './open-page.js';

const { openPage } = pageOpener();

describe('finding', () => {
  test('text in any case, with refs for what can be acted on', async () => {
    const { session, ref } = await openPage('<p>Our TERMS apply</p><a href="#">terms</a>');
    const result = expectSuccess(await session.find({ text: 'Terms' }));
    expect(result.matches).toEqual([
      { role: 'text', text: 'Our TERMS apply' },
      { ref: ref('link', 'terms'), role: 'link', text: 'terms' },
    ]);
    expect(result.total).toBe(2);
  });

  test.each(['pay a fee of', 'read the small print before', 'unbelievable'])(
    'text that runs across several elements: %s',
    async text => {
      const { session } = await openPage(
        '<p>You <b>pay</b> a <i>fee</i> of 5. Please read the <a href="#">small print</a> before you go. It is un<a href="#">believ</a>able.</p>',
      );
      const result = expectSuccess(await session.find({ text }));
      expect(result.matches?.[0]?.text.replaceAll(' ', '')).toContain(text.replaceAll(' ', ''));
    },
  );

  test('by a regular expression, also one in loose syntax', async () => {
    const { session } = await openPage('<p>Total: $12.50</p><p>Order no. AB-1234</p>');
    expect(await session.find({ regex: '\\$\\d+\\.\\d{2}' })).toMatchObject({ matches: [{ text: 'Total: $12.50' }] });
    expect(await session.find({ regex: 'ab\\-\\d+' })).toMatchObject({ matches: [{ text: 'Order no. AB-1234' }] });
  });

  test('says what is wrong with an expression', async () => {
    const { session } = await openPage('<p>Page</p>');
    const result = expectFailure(await session.find({ regex: '(' }), 'invalid_input');
    expect(result.message).toMatch(/^regex: .*Unterminated group/);
  });

  test('gives up an expression that would take for ever', async () => {
    const { session } = await openPage(`<p>${'a'.repeat(60)}!</p>`);
    const began = performance.now();
    const result = expectFailure(await session.find({ regex: '^(a+)+$' }), 'invalid_input');
    expect(result.message).toContain('takes too long');
    expect(performance.now() - began).toBeLessThan(4_000);
  });

  test('by role, alone and with text, tells the row of each', async () => {
    const { session } = await openPage(
      '<ul><li>Alpha <button>Edit</button> <button>Delete</button></li><li>Beta <button>Edit</button></li></ul>',
    );
    const edits = expectSuccess(await session.find({ role: 'button', text: 'edit' }));
    expect(edits.matches).toMatchObject([
      { role: 'button', text: 'Edit', row: expect.stringContaining('Alpha') },
      { role: 'button', text: 'Edit', row: expect.stringContaining('Beta') },
    ]);
    expect(expectSuccess(await session.find({ role: 'button' })).total).toBe(3);
  });

  test('nothing says so', async () => {
    const { session } = await openPage('<p>Page</p><p style="display:none">Ghost</p>');
    const nothing = expectFailure(await session.find({ text: 'Ghost' }), 'element_not_found');
    expect(nothing).toMatchObject({ matches: [], total: 0 });
    expectFailure(await session.find({ role: 'slider' }), 'element_not_found');
  });

  test('inside frames, and refs that can be clicked there', async () => {
    const { session } = await openPage(
      `<iframe title="Shop" srcdoc="<button onclick='this.textContent=1'>Buy now</button>"></iframe>`,
    );
    const found = expectSuccess(await session.find({ text: 'buy' }));
    expectSuccess(await session.click({ ref: found.matches?.[0]?.ref ?? '' }));
  });

  test('shows twenty matches and counts the rest', async () => {
    const { session } = await openPage('<p>word</p>'.repeat(50));
    const result = expectSuccess(await session.find({ text: 'word' }));
    expect(result.matches).toHaveLength(20);
    expect(result.total).toBe(50);
  });

  test('cuts a long text around the match', async () => {
    const { session } = await openPage(`<p>${'before '.repeat(60)}needle${' after'.repeat(60)}</p>`);
    const text = expectSuccess(await session.find({ text: 'needle' })).matches?.[0]?.text ?? '';
    expect(text).toContain('needle');
    expect(text.length).toBeLessThanOrEqual(160);
  });
});

describe('the first match is scrolled to', () => {
  test.each([
    ['a text', '<p>Needle</p>'],
    ['a text in the middle of a long one', `<div>${'line<br>'.repeat(80)}Needle<br>${'line<br>'.repeat(80)}</div>`],
    ['a button', '<button>Needle</button>'],
    [
      'something in a scroller',
      '<div style="height:100px; overflow:auto"><div style="height:900px"></div><p>Needle</p></div>',
    ],
    [
      'something in a closed shadow root',
      `<div id="host"></div><script>host.attachShadow({ mode: 'closed' }).innerHTML = '<p>Needle</p>'</script>`,
    ],
    ['something in a frame', '<iframe srcdoc="<div style=height:900px></div><p>Needle</p>"></iframe>'],
  ])('%s', async (_, html) => {
    const { session } = await openPage(
      `<div style="height:3000px">Hay</div>${html}<div style="height:3000px">Hay</div>`,
    );
    expectSuccess(await session.find({ text: 'Needle' }));
    const { tree } = expectSuccess(await session.snapshot({ scope: 'viewport', interactiveOnly: false }));
    expect(tree).toContain('Needle');
  });

  test('but not when it is in sight', async () => {
    const { session } = await openPage(
      '<div style="height:500px"></div><p>Needle</p><div style="height:3000px"></div>',
    );
    expectSuccess(await session.find({ text: 'Needle' }));
    expect(await session.scroll({ direction: 'down', amount: 0 })).toMatchObject({ position: { y: 0 } });
  });
});

test('finding something else does not make the agent know of a row that has changed', async () => {
  const { session, ref } =
    await openPage(`<ul><li><span id="s">Alpha</span> <button>Delete</button></li><li><span>Beta</span> <button>Delete</button></li></ul><p>Other</p>
    <script>setTimeout(() => { s.textContent = 'Gamma' }, 900)</script>`);
  const stale = ref('button', 'Delete');
  await new Promise(resolve => setTimeout(resolve, 1_300));
  expectSuccess(await session.find({ text: 'Other' }));
  expectFailure(await session.click({ ref: stale }), 'ref_changed');
});

test('finds what stands behind all that a snapshot lists of a very large page', async () => {
  const { session } = await openPage(
    `<script>document.write('<a href="#">Link</a> '.repeat(25_000) + '<button onclick="this.textContent = \\'Heard\\'">Needle</button>')</script>`,
  );
  const { refs } = expectSuccess(await session.snapshot());
  expect(JSON.stringify(refs).length).toBeLessThan(150_000);
  const { matches } = expectSuccess(await session.find({ text: 'Needle' }));
  expect(matches).toMatchObject([{ role: 'button', text: 'Needle' }]);
  expectSuccess(await session.click({ ref: matches?.[0]?.ref ?? '' }));
  expect(expectFailure(await session.find({ text: 'Needle' }), 'element_not_found').message).toBe(
    'Nothing on the page matches.',
  );
});
