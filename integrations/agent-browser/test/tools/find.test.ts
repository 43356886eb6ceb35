import { setImmediate } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { matchTexts } from '../../src/actions/text-match.js';
import { expectFailure, expectSuccess } from '../fixtures.js';
import { pageOpener } from './open-page.js';

const { openPage } = pageOpener();

describe('finding', () => {
  test('text in any case, with refs for what can be acted on', async () => {
    const { session, ref } = await openPage('<p>Our TERMS apply</p><a href="#">terms</a>');
    const result = expectSuccess(await session.find({ text: 'Terms' }));
    const place = { where: 'in view', x: expect.any(Number), y: expect.any(Number) };
    expect(result.matches).toEqual([
      { ref: ref('link', 'terms'), role: 'link', text: 'terms', ...place },
      { ref: expect.stringMatching(/^@e\d+$/), role: 'text', text: 'Our TERMS apply', ...place },
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

  test('an expression that would take for ever holds nobody up', async () => {
    const found = matchTexts([`${'a'.repeat(60)}!`], { regex: '^(a+)+$' });
    const held = found.then(
      () => true,
      () => true,
    );
    expect(await Promise.race([held, setImmediate(false)])).toBe(false);
    await expect(found).rejects.toThrow('takes too long');
  });

  test('gives up an expression that would take for ever', async () => {
    const { session } = await openPage(`<p>${'a'.repeat(60)}!</p>`);
    const result = expectFailure(await session.find({ regex: '^(a+)+$' }), 'invalid_input');
    expect(result.message).toContain('takes too long');
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

  const bar = (left: number, text: string, tag = 'div'): string =>
    `<${tag} style="position: absolute; left: ${left}px; top: 10px; width: 80px; height: 20px">${text}</${tag}>`;
  test.each([
    ['bars of a plan', `${bar(0, 'Design')}${bar(200, 'Review')}${bar(400, 'Launch', 'p')}`],
    [
      'things in groups',
      `<div>${bar(0, 'Design')}<div><div>${bar(200, 'Review')}</div></div></div><div>${bar(400, 'Launch')}</div>`,
    ],
    [
      'cells of a board',
      `<section>${bar(0, 'Design', 'b')}</section>${bar(200, '<span>Review</span>')}${bar(400, 'Launch')}`,
    ],
  ])('what stands in a box that listens as a whole, at its own place: %s', async (_, html) => {
    const { session, evaluate } =
      await openPage(`<div id="plan" style="position: relative; height: 60px; width: 600px">${html}</div>
      <script>plan.addEventListener('pointerdown', ({ target }) => { document.title = target.textContent })</script>`);
    const { matches = [] } = expectSuccess(await session.find({ text: 'Review' }));
    expect(matches[0]).toMatchObject({ text: 'Review', where: 'in view' });
    const left = Number(await evaluate('plan.getBoundingClientRect().left'));
    const x = (matches[0]?.x ?? 0) - left;
    expect([x > 200, x < 280]).toEqual([true, true]);
    expectSuccess(await session.click({ ref: matches[0]?.ref ?? '' }));
    expect(await evaluate('document.title')).toBe('Review');
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

describe('every match can be acted on', () => {
  const page = `<h2 onclick="document.title = 'heading'">Needle one</h2><table><tr><td>Needle two</td><td>5</td></tr></table>
    <ul><li>Needle three</li></ul><p>Needle four</p><div><b>Needle</b> five</div>
    <script>document.addEventListener('click', event => { document.title = event.target.textContent })</script>`;

  test.each(['one', 'two', 'three', 'four', 'Needle five'])('%s', async text => {
    const { session } = await openPage(page);
    const found = expectSuccess(await session.find({ text }));
    const clicked = expectSuccess(await session.click({ ref: found.matches?.[0]?.ref ?? '' }));
    expect(clicked.title).toContain(text.slice(0, 6) === 'Needle' ? 'Needle' : text);
  });

  test('also after the page was read again', async () => {
    const { session, read } = await openPage(page);
    const { matches } = expectSuccess(await session.find({ text: 'Needle four' }));
    await read();
    expect(expectSuccess(await session.click({ ref: matches?.[0]?.ref ?? '' })).title).toBe('Needle four');
  });

  test('but not once it says something else', async () => {
    const { session } = await openPage(
      `${page}<button onclick="document.querySelector('p').textContent = 'Hay'">Go</button>`,
    );
    const { matches } = expectSuccess(await session.find({ text: 'Needle four' }));
    const { matches: button } = expectSuccess(await session.find({ text: 'Go' }));
    expectSuccess(await session.click({ ref: button?.[0]?.ref ?? '' }));
    expectFailure(await session.click({ ref: matches?.[0]?.ref ?? '' }), 'ref_changed');
  });

  test('and not once its document is gone', async () => {
    const { session, site } = await openPage({ '/': page, '/other': '<p>Needle four</p>' });
    const { matches } = expectSuccess(await session.find({ text: 'Needle four' }));
    expectSuccess(await session.navigate({ url: site.url('/other') }));
    expectFailure(await session.click({ ref: matches?.[0]?.ref ?? '' }), 'stale_ref');
  });

  test('at the point that is told, in a frame as well', async () => {
    const { session } = await openPage(
      `<div style="height:120px"></div><iframe style="margin-left:90px" srcdoc="<p>Needle</p><script>document.onclick = event => { parent.document.title = event.target.textContent }</script>"></iframe>`,
    );
    const { matches } = expectSuccess(await session.find({ text: 'Needle' }));
    const { x = 0, y = 0 } = matches?.[0] ?? {};
    expect(expectSuccess(await session.click({ x, y })).title).toBe('Needle');
  });
});

test('where each match is', async () => {
  const gap = '<div style="height:2500px"></div>';
  const { session } = await openPage(`<p>Needle above</p>${gap}<p>Needle</p>${gap}<p>Needle below</p>`);
  const { matches } = expectSuccess(await session.find({ text: 'needle' }));
  expect(matches).toMatchObject([
    { text: 'Needle', where: 'in view', x: expect.any(Number), y: expect.any(Number) },
    { text: 'Needle above', where: 'above' },
    { text: 'Needle below', where: 'below' },
  ]);
  expect(matches?.[1]).not.toHaveProperty('x');
});

test('an exact match before whole words, and these before parts of words', async () => {
  const { session } = await openPage('<p>Redder</p><p>Not red at all</p><button>Red</button><p>Coloured</p>');
  const { matches } = expectSuccess(await session.find({ text: 'red' }));
  expect(matches?.map(({ text }) => text)).toEqual(['Red', 'Not red at all', 'Redder', 'Coloured']);
});

test('list items by their text', async () => {
  const { session } = await openPage('<ul><li>Blue <b>mug</b></li><li>Red cup</li></ul>');
  const { matches } = expectSuccess(await session.find({ role: 'listitem' }));
  expect(matches?.map(({ text }) => text)).toEqual(['Blue mug', 'Red cup']);
  expect(expectSuccess(await session.find({ role: 'listitem', text: 'cup' })).matches).toHaveLength(1);
});

describe('the best match is scrolled to', () => {
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
  const { session, ref, script } = await openPage(
    '<ul><li><span id="s">Alpha</span> <button>Delete</button></li><li><span>Beta</span> <button>Delete</button></li></ul><p>Other</p>',
  );
  const stale = ref('button', 'Delete');
  await script('s.textContent = "Gamma"');
  expectSuccess(await session.find({ text: 'Other' }));
  expectFailure(await session.click({ ref: stale }), 'ref_changed');
});

test('finds what stands behind all that a snapshot lists of a very large page', async () => {
  const { session } = await openPage(
    `<script>document.write('<a href="#">Link</a> '.repeat(20_500) + '<button onclick="this.textContent = \\'Heard\\'">Needle</button>')</script>`,
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
