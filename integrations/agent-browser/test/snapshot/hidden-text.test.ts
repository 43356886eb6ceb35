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
  'in a part of a heading that nobody sees': '<h2><span style="opacity:0">Secret</span></h2>',
  'in letters without a size in a heading': '<h2><b style="font-size:0">Secret</b></h2>',

  'cut away by an inset': '<p style="clip-path:inset(100%)">Secret</p>',
  'cut to another part of its box': '<p style="clip-path:inset(0 0 0 95%)">Secret</p>',
  'cut to a circle of nothing': '<p style="clip-path:circle(0)">Secret</p>',
  'cut to an ellipse of nothing': '<p style="clip-path:ellipse(0 50%)">Secret</p>',
  'cut to a point': '<p style="clip-path:polygon(0 0, 0 0, 0 0)">Secret</p>',
  'cut to a line': '<p style="clip-path:polygon(0 0, 50% 50%, 100% 100%)">Secret</p>',
  'inside something that is cut away': '<section style="clip-path:inset(50%)"><div><p>Secret</p></div></section>',
  'clipped to nothing, and of full size': '<p style="position:absolute;clip:rect(0 0 0 0)">Secret</p>',

  'indented off the page': '<p style="text-indent:-9999px">Secret</p>',
  'indented out of its box': '<p style="text-indent:100%;white-space:nowrap;overflow:hidden">Secret</p>',
  'indented out of its box, in a part':
    '<p style="text-indent:101%;white-space:nowrap;overflow:hidden"><b>Secret</b></p>',
  'pushed below a box without a height': '<p style="height:0;padding-top:20px;overflow:hidden">Secret</p>',
  'in a box without a height': '<div style="height:0;overflow:hidden"><p>Secret</p></div>',
  'in a box without a width':
    '<div style="width:0;overflow:hidden;white-space:nowrap"><p style="width:200px">Secret</p></div>',
  'in a box that may have no height': '<div style="max-height:0;overflow:clip"><section><p>Secret</p></section></div>',
  'in a part of a box of one pixel':
    '<span style="position:absolute;width:1px;height:1px;overflow:hidden"><b style="display:block;width:90px">Secret</b></span>',
  'scaled to nothing': '<p style="transform:scale(0)">Secret</p>',
  'turned to its edge': '<p style="transform:rotateY(90deg)">Secret</p>',
  'right of a page that does not scroll there':
    '<style>body { overflow-x: hidden }</style><p style="position:absolute;left:99999px">Secret</p>',

  'of an opacity of nearly nothing': '<p style="opacity:0.01">Secret</p>',
  'of many thin layers':
    '<div style="opacity:0.3"><div style="opacity:0.3"><div style="opacity:0.3"><p>Secret</p></div></div></div>',
  'filtered away': '<p style="filter:opacity(0)">Secret</p>',
  'filtered away around it': '<div style="filter:blur(1px) opacity(1%)"><p>Secret</p></div>',
  'masked away': '<p style="mask:linear-gradient(transparent, transparent)">Secret</p>',
  'masked away by a mask without a size': '<p style="mask:linear-gradient(#000, #000) 0 0/0 0 no-repeat">Secret</p>',
  'masked away by a dark mask': '<p style="mask:linear-gradient(#000, #000) luminance">Secret</p>',

  'of no fill': '<p style="-webkit-text-fill-color:transparent">Secret</p>',
  'of a stroke that is as transparent as its fill':
    '<p style="-webkit-text-fill-color:transparent;-webkit-text-stroke:1px transparent">Secret</p>',
  'of an alpha of one hundredth': '<p style="color:rgb(0 0 0 / 1%)">Secret</p>',
  'of an alpha of one hundredth over a picture':
    '<p style="color:rgb(0 0 0 / 1%);background:linear-gradient(red, blue)">Secret</p>',
  'white on white': '<p style="color:#fff">Secret</p>',
  'nearly white on white': '<p style="color:#f9f9f9">Secret</p>',
  'white on white, with a shadow in white': '<p style="color:#fff;text-shadow:0 0 3px #fff">Secret</p>',
  'black on black': '<div style="background:#000"><div><p style="color:#0a0a0a">Secret</p></div></div>',
  'of the colour that layers around it give':
    '<div style="background:#000"><div style="background:rgb(255 255 255 / 50%)"><p style="color:#808080">Secret</p></div></div>',
  'of the colour of its group': '<div style="opacity:0.5;background:#00f"><p style="color:#00f">Secret</p></div>',
  'of a colour in another space': '<p style="color:oklch(1 0 0)">Secret</p>',
  'white on a white box that lies over the page':
    '<div style="position:relative"><div style="position:absolute;inset:0;background:#fff"></div><p style="position:relative;color:#fff">Secret</p></div>',
  'dark on a dark page': '<style>:root { color-scheme: dark }</style><p style="color:#121212">Secret</p>',
  'white on white in a shadow tree':
    '<div><template shadowrootmode="open"><style>slot { color: white }</style><slot></slot></template>Secret</div>',
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

  test('in the middle of a sentence', async () => {
    const tree = await read(
      '<p>Take <span style="font-size:0">Secret</span><b>care</b> of <i style="color:#fff">it</i></p>',
    );
    expect(tree.split('\n').filter(Boolean)).toEqual([
      'text "Take"',
      'text "Secret" hidden-text',
      'text "care of"',
      'text "it" hidden-text',
    ]);
  });

  test('in the view for acting as well', async () => {
    const tree = await page.read('<div role="alert"><p style="color:#fff">Secret</p></div><button>Go</button>');
    expect(tree).toContain('"Secret" hidden-text');
  });

  test('and names that are for screen readers alone stay names', async () => {
    const alone = 'style="position:absolute;width:1px;height:1px;overflow:hidden;clip:rect(0 0 0 0)"';
    const tree = await page.read(
      `<button><span ${alone}>Close</span>×</button><h1><svg width="20" height="20"><rect width="20" height="20"/></svg><span ${alone}>Home</span></h1>
       <label for="f" ${alone}>Mail</label><input id="f"><a href="#a"><span ${alone}>More on </span>mugs</a>`,
    );
    expect(tree).toContain('button "Close ×"');
    expect(tree).toMatch(/heading "Home".*level=1$/m);
    expect(tree).toContain('textbox "Mail"');
    expect(tree).toContain('link "More on mugs"');
    expect(tree).not.toContain('hidden-text');
  });
});

const PICTURE = `url("data:image/svg+xml,${encodeURIComponent('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="9" height="9"/></svg>')}")`;

/** Text that a person sees, though its colour is that of an element around it or its box tells nothing. */
const SEEN: Record<string, string> = {
  'in white on a picture': `<header style='background-image:${PICTURE}'><p style="color:#fff">Shown</p></header>`,
  'in white inside something that has a picture':
    '<div style="background:linear-gradient(#000, #333)"><div><section><p style="color:#fff">Shown</p></section></div></div>',
  'in white over an image beside it':
    '<div style="position:relative"><img alt="" width="400" height="200" style="background:#000"><p style="position:absolute;top:20px;left:20px;color:#fff">Shown</p></div>',
  'in white over a dark box beside it':
    '<div style="position:relative"><div style="position:absolute;inset:0;background:#222"></div><p style="position:relative;color:#fff">Shown</p></div>',
  'in white over a dark box far below':
    '<div style="height:5000px"></div><div style="position:relative"><div style="position:absolute;inset:0;background:#222"></div><p style="position:relative;color:#fff">Shown</p></div>',
  'in white over what a style sheet draws':
    '<style>.card::before { content: ""; position: absolute; inset: 0; background: #222 }</style><div class="card" style="position:relative"><p style="position:relative;color:#fff">Shown</p></div>',
  'in white over a canvas in the whole page':
    '<canvas width="800" height="600" style="position:fixed;inset:0"></canvas><p style="position:relative;color:#fff">Shown</p>',
  'in white out of its white box, over a dark one':
    '<div style="background:#222;height:200px"><div style="background:#fff;height:40px;position:relative"><p style="position:absolute;top:60px;color:#fff">Shown</p></div></div>',
  'in white on a shadow inside its box': '<p style="box-shadow:inset 0 0 0 100px #000;color:#fff">Shown</p>',
  'in white over a drawing':
    '<div style="position:relative"><svg width="400" height="100" style="position:absolute"><rect width="400" height="100"/></svg><p style="position:relative;color:#fff">Shown</p></div>',
  'in white in a dark table cell': '<table><tr style="background:#123"><td style="color:#fff">Shown</td></tr></table>',
  'in white in a dark column':
    '<table><colgroup><col style="background:#123"></colgroup><tr><td style="color:#fff">Shown</td></tr></table>',
  'in white with a dark shadow': '<p style="color:#fff;text-shadow:0 0 2px #000">Shown</p>',
  'in white with a stroke': '<p style="color:#fff;-webkit-text-stroke:1px #000">Shown</p>',
  'by a difference': '<div style="background:#fff"><p style="color:#fff;mix-blend-mode:difference">Shown</p></div>',
  'with a gradient for its letters':
    '<p style="background:linear-gradient(red, blue);background-clip:text;color:transparent">Shown</p>',
  'with a gradient for its letters, by the older names':
    '<h2 style="background:linear-gradient(red, blue);-webkit-background-clip:text;-webkit-text-fill-color:transparent"><span>Shown</span></h2>',
  'with a stroke and no fill': '<p style="-webkit-text-fill-color:transparent;-webkit-text-stroke:1px #000">Shown</p>',
  'as a shadow alone': '<p style="color:transparent;text-shadow:0 0 1px #000">Shown</p>',
  'in the grey of what is disabled': '<p style="color:#bbb">Shown</p>',
  'in light grey': '<p style="color:#eee">Shown</p>',
  'with half its opacity': '<p style="opacity:0.5">Shown</p>',
  'in light on a dark page': '<style>:root { color-scheme: dark }</style><p>Shown</p>',
  'in light on the dark background of the page':
    '<style>body { background: #111; color: #eee }</style><p style="margin-top:3000px">Shown</p>',
  'in a part of its box that is left': '<p style="width:80px;clip-path:inset(0 10%)">Shown</p>',
  'in a circle': '<p style="width:60px;clip-path:circle(50%)">Shown</p>',
  'in a polygon': '<p style="clip-path:polygon(0 0, 100% 0, 100% 100%, 0 100%)">Shown</p>',
  'in a path': `<p style="clip-path:path('M0 0H900V90H0Z')">Shown</p>`,
  'through a mask that fades': '<p style="mask:linear-gradient(#000 60%, transparent)">Shown</p>',
  'blurred a little': '<p style="filter:blur(0.4px)">Shown</p>',
  'out of a box without a height': '<p style="height:0">Shown</p>',
  'out of a box without a width': '<p style="width:0;white-space:nowrap">Shown</p>',
  'with a hanging indent': '<p style="text-indent:-20px;padding-left:30px">Shown</p>',
  'in a box that scrolls to it':
    '<div style="overflow:auto;height:40px;width:300px"><div style="height:500px;width:900px"></div><p>Shown</p></div>',
  'on a slide that comes next':
    '<div style="overflow:hidden;width:300px"><div style="display:flex;width:900px"><p style="width:300px;flex:none">One</p><p style="width:300px;flex:none">Shown</p></div></div>',
  'after it is opened up': '<div style="height:20px;overflow:hidden">One<br>Two<br>Shown</div>',
  'out of a static box without a height':
    '<div style="height:0;overflow:hidden"><p style="position:absolute">Shown</p></div>',
  'in what stands over the whole page':
    '<div style="opacity:0"><div popover id="over" style="color:#fff;background:#222">Shown</div></div><script>over.showPopover()</script>',
  'where it is drawn as soon as it comes near':
    '<div style="height:9000px"></div><div style="content-visibility:auto"><p>Shown</p></div>',
  'in a slot': '<div><template shadowrootmode="open"><slot></slot></template>Shown</div>',
  'without a box of its own': '<div style="display:contents;opacity:0">Shown</div>',
  'as signs in their own colours': '<p style="color:#fff">🎉</p><p>Shown</p>',
};

describe('text is not marked as hidden when a person sees it', () => {
  for (const [what, html] of Object.entries(SEEN)) {
    test(what, async () => {
      const tree = await read(html);
      expect(tree).toMatch(/(?:text|heading|row) "Shown"/);
      expect(tree).not.toContain('hidden-text');
    });
  }

  test('in a frame that lets the page around it show through', async () => {
    const tree = await read(
      '<div style="background:#000"><iframe srcdoc="<p style=\'color:#fff\'>Shown</p>"></iframe></div>',
    );
    expect(tree).toMatch(/text "Shown"$/m);
  });
});

/** Text that is not there for anybody. */
const GONE: Record<string, string> = {
  'not displayed': '<p style="display:none">Secret</p>',
  'not visible': '<p style="visibility:hidden">Secret</p>',
  'hidden from assistive technology': '<p aria-hidden="true">Secret</p>',
  'of characters without a width': '<p>\u200b</p><div contenteditable>\ufeff</div><span>\u2060</span>Secre\u200d',
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
