import { readFile } from 'node:fs/promises';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { expectSuccess, pageOf, refOf, servePages, sharingToolset } from '../fixtures.js';
import { overhangingFont } from './overhanging-font.js';
import { countColour } from './pictures.js';

const VALUE = 'swordfish-7';
const wide = overhangingFont({ left: -400, right: 1300, bottom: -900, top: 1900 });
const small = overhangingFont({ left: 100, right: 500, bottom: 0, top: 700 });

/** Ways in which ink stands out of the boxes of a text. */
const styles: Record<string, string> = {
  'overhangs on all sides': 'font: 24px Wide',
  'is large': 'font: 90px Wide',
  'is tiny': 'font: 9px Wide',
  'has hardly any line': 'font: 30px/0.1 Wide',
  'is slanted and bold': 'font: italic bold 40px Wide',
  'is spaced and in capitals': 'font: 24px Wide; letter-spacing: 9px; text-transform: uppercase',
  'has shadows': 'font: 24px Small; text-shadow: 30px -25px red, 2px 60px 4px red',
  'has a stroke': 'font: 24px Small; -webkit-text-stroke: 16px red',
  'has a filter': 'font: 24px Small; filter: drop-shadow(45px 50px 0 red)',
  'is enlarged': 'font: 12px Wide; transform: scale(3)',
  'is drawn out': 'font: 24px Wide; transform: scaleY(4)',
  'is turned': 'font: 24px Wide; transform: rotate(30deg) scale(2)',
  'is zoomed': 'font: 12px Wide; zoom: 3',
  'runs downwards': 'font: 20px Wide; writing-mode: vertical-rl',
  'is broken in lines': 'font: 20px Wide; width: 60px; word-break: break-all',
};
const page = (
  body: string,
) => `<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,"><title>Ink</title><style>
    @font-face { font-family: Wide; src: url(${wide}) } @font-face { font-family: Small; src: url(${small}) }
    body { margin: 0; background: white; color: black } #place { padding: 180px 260px }
    .large::first-letter { font-size: 400% }
  </style><input aria-label="Password" id="field" style="font: 10px Small"><div id="place" class="around">${body}</div>
  <script>field.oninput = () => { for (const element of document.querySelectorAll('.echo'))
    element.value === undefined ? element.textContent = field.value : element.value = field.value; }</script>`;
const shown: Record<string, string> = {
  ...Object.fromEntries(
    Object.entries(styles).map(([how, style]) => [
      how,
      `<div class="echo" style="display: inline-block; color: red; ${style}"></div>`,
    ]),
  ),
  'has a filter far around it':
    '<section style="filter: drop-shadow(50px 40px 2px red)"><p><b class="echo" style="color: red; font: 20px Small"></b></p></section>',
  'begins with a large letter': '<p class="echo large" style="color: red; font: 20px Wide"></p>',
  'is drawn':
    '<svg width="600" height="300" viewBox="0 0 200 100"><text class="echo" x="20" y="50" style="fill: red; font: 10px Wide"></text></svg>',
  'is in a field':
    '<input class="echo" style="color: red; font: 24px Wide; text-shadow: 9px 9px red; filter: drop-shadow(60px 30px red)">',
  'is on a button':
    '<input type="button" class="echo" style="color: red; border: 0; font: 24px Wide; line-height: 10px; padding: 0">',
  'is in a text area':
    '<textarea class="echo" style="color: red; font: 24px/10px Wide; transform: scale(2)"></textarea>',
};
const cases = Object.entries(shown).map(([how], index) => [how, `/${index}`] as const);
const site = await servePages(Object.fromEntries(Object.values(shown).map((body, index) => [`/${index}`, page(body)])));
const toolset = sharingToolset({ secrets: { PW: { value: VALUE, domains: ['127.0.0.1'] } } });
afterAll(() => toolset.close());

describe('a picture shows nothing of a secret', () => {
  it.each(cases)('that %s', async (_, path) => {
    const session = toolset.session('a');
    onTestFinished(async () => void (await session.close()));
    expectSuccess(await session.navigate({ url: site.url(path) }));
    const browserPage = await pageOf(toolset, 'a');
    const ref = refOf(expectSuccess(await session.snapshot()), 'textbox', 'Password');
    expectSuccess(await session.type({ ref, text: '<secret>PW</secret>' }));
    await browserPage.evaluate('document.fonts.ready');
    const decoder = await toolset
      .session('decoder')
      .navigate({ url: 'about:blank' })
      .then(() => pageOf(toolset, 'decoder'));
    const bare = (await browserPage.screenshot()).toString('base64');
    expect(await countColour(decoder, bare, 'red')).toBeGreaterThan(100);
    const { path: picture = '' } = expectSuccess(await session.screenshot({ format: 'png' }));
    const covered = await readFile(picture, 'base64');
    expect(await countColour(decoder, covered, 'red')).toBe(0);
    // What is not near it is left as it is.
    const grey = await countColour(decoder, covered, 'grey');
    expect(grey).toBeLessThan(600_000);
  });
});
