import { readFile } from 'node:fs/promises';
import type { ScreencastFrame } from '@browser-toolset/core';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { expectSuccess, pageOf, refOf, servePages, sharingToolset } from '../fixtures.js';
import { countColour } from './pictures.js';

const VALUE = 'swordfish-7';
const drawing = (text: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="300" height="60"><text x="5" y="40" fill="red" font-size="24" font-weight="bold">${text}</text></svg>`;
const RED = 'color: red; font: bold 24px monospace';

interface Way {
  html: string;
  /** A script that shows `value`. */
  show: string;
}

const text: Way['show'] = `place.textContent = value`;

/** Ways in which a page shows a text elsewhere than in the box of it, or by no text at all. */
const ways: Record<string, Way> = {
  'in a choice of a list box': {
    html: `<select size="4" style="${RED}"><option>One<option id="place"><option>Three</select>`,
    show: text,
  },
  'as the label of a choice of a list box': {
    html: `<select multiple style="${RED}"><option>One<option id="place">Two</select>`,
    show: `place.label = value`,
  },
  'as the label of a group of choices': {
    html: `<select size="4" style="${RED}"><optgroup id="place"><option>One<option>Two</optgroup></select>`,
    show: `place.label = value`,
  },
  'reflected below itself': {
    html: `<p style="width: 300px; ${RED}; -webkit-box-reflect: below 40px" id="place"></p>`,
    show: text,
  },
  'reflected beside what it is in': {
    html: `<div style="width: 300px; -webkit-box-reflect: right 20px"><p style="${RED}" id="place"></p></div>`,
    show: text,
  },
  'moved by a filter of the page': {
    html: `<svg width="0" height="0"><filter id="f" x="-1" y="-1" width="4" height="4"><feOffset dx="90" dy="30"/></filter></svg>
      <p style="width: 300px; ${RED}; filter: url(#f)" id="place"></p>`,
    show: text,
  },
  'drawn once more by a use': {
    html: `<svg width="600" height="60"><defs><text id="place" x="5" y="40" style="fill: red; font: bold 24px monospace"></text></defs><use href="#place" x="200"/></svg>`,
    show: text,
  },
  'in a foreign object': {
    html: `<svg width="600" height="60"><foreignObject x="100" width="400" height="60"><p style="${RED}" id="place"></p></foreignObject></svg>`,
    show: text,
  },
  'as the content of an attribute': {
    html: `<style>#place::after { content: attr(data-text); ${RED} }</style><p id="place">Key: </p>`,
    show: `place.dataset.text = value`,
  },
  'as the content that a style sheet gives': {
    html: `<style id="sheet"></style><p class="key">Key: </p>`,
    show: `sheet.textContent = '.key::before { content: "' + value + '"; ${RED} }'`,
  },
  'as the content that a rule gives which came by a script': {
    html: `<style id="sheet">p { margin: 9px }</style><p class="key">Key: </p>`,
    show: `sheet.sheet.insertRule('@media all { p.key::before { content: "' + value + '"; ${RED} } }')`,
  },
  'as the marker of a list': {
    html: `<ul style="padding-left: 300px"><li id="place" style="${RED}">.</li></ul>`,
    show: `place.style.listStyleType = '"' + value + '"'`,
  },
  'as quotes': {
    html: `<style>q { ${RED} }</style><p><q id="place">.</q></p>`,
    show: `place.style.quotes = '"' + value + '" "."'`,
  },
  'as a picture behind a box': {
    html: `<div id="place" style="width: 300px; height: 60px"></div>`,
    show: `place.style.backgroundImage = 'url("data:image/svg+xml,' + encodeURIComponent(drawing) + '")'`,
  },
  'as a picture of its own': {
    html: `<img id="place" alt="" width="300" height="60">`,
    show: `place.src = 'data:image/svg+xml;base64,' + btoa(drawing)`,
  },
  'as a picture in a drawing': {
    html: `<svg width="300" height="60"><image id="place" width="300" height="60"/></svg>`,
    show: `place.setAttribute('href', 'data:image/svg+xml,' + encodeURIComponent(drawing))`,
  },
  'in a text that runs': {
    html: `<marquee style="width: 400px; ${RED}" scrollamount="60" id="place"></marquee>`,
    show: text,
  },
  'in a script that is displayed': {
    html: `<script type="text/plain" style="display: block; ${RED}" id="place"></script>`,
    show: text,
  },
  'over its base, in small': {
    html: `<p><ruby>Key<rt style="${RED}" id="place"></rt></ruby></p>`,
    show: text,
  },
  'behind a summary': {
    html: `<details open><summary style="list-style: none; ${RED}" id="place"></summary>More</details>`,
    show: text,
  },
  'as an alternative to a picture': {
    html: `<input type="image" style="width: 300px; height: 40px; ${RED}" src="/none.png" id="place">`,
    show: `place.alt = value`,
  },
};

const page = ({
  html,
  show,
}: Way) => `<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,"><title>Echo</title>
  <style>body { margin: 0; font: 20px monospace; background: white }</style>
  <input aria-label="Password" id="field"><div style="padding: 150px 320px 300px; width: 600px">${html}</div>
  <script>field.addEventListener('input', () => {
    const { value } = field;
    const drawing = ${JSON.stringify(drawing('VALUE'))}.replace('VALUE', value);
    const place = document.getElementById('place');
    ${show};
  })</script>`;

const cases = Object.keys(ways).map((how, index) => [how, `/${index}`] as const);
const site = await servePages(Object.fromEntries(Object.values(ways).map((way, index) => [`/${index}`, page(way)])));
const toolset = sharingToolset({ secrets: { PW: { value: VALUE, domains: ['127.0.0.1'] } } });
afterAll(() => toolset.close());

async function shown(path: string) {
  const session = toolset.session('a');
  onTestFinished(async () => void (await session.close()));
  expectSuccess(await session.navigate({ url: site.url(path) }));
  const browserPage = await pageOf(toolset, 'a');
  const ref = refOf(expectSuccess(await session.snapshot()), 'textbox', 'Password');
  expectSuccess(await session.type({ ref, text: '<secret>PW</secret>' }));
  const decoder = await toolset
    .session('decoder')
    .navigate({ url: 'about:blank' })
    .then(() => pageOf(toolset, 'decoder'));
  const red = async () => countColour(decoder, (await browserPage.screenshot()).toString('base64'), 'red');
  await expect.poll(red, { timeout: 20_000 }).toBeGreaterThan(60);
  return { session, decoder };
}

describe('a picture shows nothing of a secret', () => {
  it.each(cases)('%s', async (_, path) => {
    const { session, decoder } = await shown(path);
    const { path: picture = '' } = expectSuccess(await session.screenshot({ format: 'png' }));
    const covered = await readFile(picture, 'base64');
    expect(await countColour(decoder, covered, 'red')).toBe(0);
    // What is not near it is left as it is.
    expect(await countColour(decoder, covered, 'grey')).toBeLessThan(700_000);
  });

  it.each(cases.slice(0, 4))('in the live view either: %s', async (_, path) => {
    const { decoder } = await shown(path);
    const frames: ScreencastFrame[] = [];
    const stream = await toolset.startScreencast({ threadId: 'a', format: 'png' });
    stream.on('frame', frame => frames.push(frame));
    const covered = () => countColour(decoder, frames.at(-1)?.data ?? '', 'grey');
    await expect.poll(async () => frames.length > 0 && (await covered()), { timeout: 20_000 }).toBeGreaterThan(1_000);
    await stream.stop();
    for (const { data } of frames) expect(await countColour(decoder, data, 'red')).toBe(0);
  });
});
