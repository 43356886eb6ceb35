import { describe, expect, test } from 'vitest';
import { casePage } from '../case-page.js';
import { expectSuccess } from '../fixtures.js';
import { pageOpener } from '../tools/open-page.js';

const { openPage, toolset } = pageOpener();
const page = casePage(toolset);

const read = (html: string): Promise<string> => page.read(html, { interactiveOnly: false });

/** Text that a page gives to machines alone. */
const UNSEEN: Record<string, string> = {
  transparent: '<p style="color:transparent">Secret</p>',
  'of no opacity': '<p style="opacity:0">Secret</p>',
  'inside something of no opacity': '<div style="opacity:0"><p>Secret</p></div>',
  'off the page': '<p style="position:absolute;left:-9999px">Secret</p>',
  'above the page': '<p style="position:absolute;top:-999px">Secret</p>',
  'of one pixel': '<p style="position:absolute;width:1px;height:1px;overflow:hidden">Secret</p>',
  'without a size of letters': '<p style="font-size:0">Secret</p>',
  'of tiny letters': '<p style="font-size:1px">Secret</p>',
  'of an alpha of nothing': '<p style="color:rgb(0 0 0 / 0)">Secret</p>',
  'clipped away':
    '<p style="position:absolute;clip:rect(0,0,0,0);clip-path:inset(50%);width:1px;height:1px;overflow:hidden">Secret</p>',
  'in a box whose content is not drawn': '<div style="content-visibility:hidden;height:50px">Secret</div>',
  'in a heading nobody sees': '<h2 style="position:absolute;left:-9999px">Secret</h2>',
};

describe('text is marked as hidden when it is', () => {
  for (const [what, html] of Object.entries(UNSEEN)) {
    test(what, async () => {
      const tree = await read(`<p>Seen</p>${html}<p>Seen too</p>`);
      expect(tree).toMatch(/"Secret"( level=2)? hidden-text/);
      expect(tree).toMatch(/"Seen"$/m);
      expect(tree).toMatch(/"Seen too"$/m);
    });
  }
});

/** Text that is not there for anybody. */
const GONE: Record<string, string> = {
  'not displayed': '<p style="display:none">Secret</p>',
  'not visible': '<p style="visibility:hidden">Secret</p>',
  'hidden from assistive technology': '<p aria-hidden="true">Secret</p>',
  inert: '<p inert>Secret</p>',
  'in a template': '<template><p>Secret</p></template>',
  'in a comment': '<!-- Secret -->',
  'in a script': '<script type="application/json">"Secret"</script>',
  'in closed details': '<details><summary>More</summary>Secret <b>Secret</b></details>',
};

describe('text is left out when it is', () => {
  for (const [what, html] of Object.entries(GONE)) {
    test(what, async () => {
      const tree = await read(`<p>Seen</p>${html}`);
      expect(tree).toContain('"Seen"');
      expect(tree).not.toContain('Secret');
    });
  }
});

test('text that comes into sight is not called hidden any more', async () => {
  const { session, ref, text } = await openPage(
    `<p id="a" style="color:transparent">Now you see me</p><button onclick="a.style.color = 'black'">Show</button>`,
  );
  expect(await text()).toContain('"Now you see me" hidden-text');
  expectSuccess(await session.click({ ref: ref('button', 'Show') }));
  expect(await text()).toMatch(/"Now you see me"$/m);
});
