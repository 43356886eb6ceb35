import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { plainChromium } from './chromium.js';
import {
  contentNames,
  embeddedNames,
  GENERATED_CSS,
  generatedNames,
  hiddenNames,
  shadowNames,
} from './content-cases.js';
import { labelNames, nativeNames, referenceNames } from './name-cases.js';
import type { Cases, Told } from './role-and-name-engine.js';
import { ask, askBothWays, askUndrawn, nameWithClosedRoot, tellCases } from './role-and-name-page.js';
import { attributeRoles, contextRoles, elementRoles, explicitRoles } from './role-cases.js';
import { NESTED_CSS, nestedMarkup, shopPage } from './sample-pages.js';

const browser = await plainChromium();
const page = await browser.newPage();
afterAll(() => page.close());

/** Asks for all cases of a table before its first one; what it gives answers for each. */
function asked(cases: readonly (readonly [html: string, told: string])[], options: Partial<Omit<Cases, 'html'>> = {}) {
  let tell: (html: string) => Told;
  beforeAll(async () => {
    tell = await tellCases(
      page,
      cases.map(([html]) => html),
      options,
    );
  });
  return (html: string): Told => tell(html);
}

describe('role', () => {
  const cases = [...elementRoles, ...attributeRoles, ...contextRoles, ...explicitRoles];
  const tell = asked(cases);

  test.each(cases)('of %s is "%s"', (html, role) => {
    expect(tell(html).role).toBe(role);
  });
});

describe('name', () => {
  const cases = [
    ...referenceNames,
    ...labelNames,
    ...nativeNames,
    ...contentNames,
    ...hiddenNames,
    ...embeddedNames,
    ...shadowNames,
  ];
  const tell = asked(cases);
  const tellGenerated = asked(generatedNames, { css: GENERATED_CSS });
  const inCrowd = [...generatedNames, ...shadowNames];
  const tellInCrowd = asked(inCrowd, { css: GENERATED_CSS, crowd: 60 });

  test.each(cases)('of %s is "%s"', (html, name) => {
    expect(tell(html).name).toBe(name);
  });

  test.each(generatedNames)('of %s with generated text is "%s"', (html, name) => {
    expect(tellGenerated(html).name).toBe(name);
  });

  test.each(inCrowd)('of %s is still "%s" on a page with many names', (html, name) => {
    expect(tellInCrowd(html).name).toBe(name);
  });

  test('reads closed shadow roots that somebody hands over', async () => {
    await page.setContent('<p>x</p>');
    expect(await nameWithClosedRoot(page, '<b>inside</b>')).toBe('inside');
  });

  test('takes labels and references that scripts set on the element itself', async () => {
    await page.setContent('<b id="a">x</b><button data-n="1">y</button>');
    await page.evaluate(() => {
      const button = document.querySelector('button') as HTMLButtonElement;
      button.ariaLabelledByElements = [document.querySelector('b') as Element];
    });
    expect(await ask(page, '[data-n]')).toEqual([{ n: '1', role: 'button', name: 'x' }]);
  });

  test('takes what a person typed, not what the markup said', async () => {
    await page.setContent(
      '<label for="c">Every <input value="3" id="v"> days</label><input type="checkbox" id="c" data-n="1">',
    );
    await page.fill('#v', '12');
    expect((await ask(page, '[data-n]'))[0]?.name).toBe('Every 12 days');
  });
});

describe('style sheets that cannot be read', () => {
  test('still give their generated text', async () => {
    await page.route('https://other.test/style.css', route =>
      route.fulfill({ contentType: 'text/css', body: '.new::after { content: " (new)" }' }),
    );
    const crowd = '<button>one of many</button>'.repeat(60);
    const html = `<link rel="stylesheet" href="https://other.test/style.css">${crowd}<button class="new" data-n="1">x</button>`;
    await page.route('https://page.test/', route => route.fulfill({ contentType: 'text/html', body: html }));
    await page.goto('https://page.test/');
    expect((await ask(page, 'button')).at(-1)?.name).toBe('x (new)');
  });

  test('in quirks mode match classes in any case', async () => {
    const crowd = '<button>one of many</button>'.repeat(60);
    await page.setContent(`<style>.NEW::after { content: "!" }</style>${crowd}<button class="new">x</button>`);
    expect(await page.evaluate(() => document.compatMode)).toBe('BackCompat');
    expect((await ask(page, 'button')).at(-1)?.name).toBe('x!');
  });

  test('adopted by script count like any other', async () => {
    await page.setContent(`<!doctype html>${'<button>one of many</button>'.repeat(60)}<button class="new">x</button>`);
    await page.evaluate(() => {
      const sheet = new CSSStyleSheet();
      sheet.replaceSync('.new::after { content: "!" }');
      document.adoptedStyleSheets.push(sheet);
    });
    expect((await ask(page, 'button')).at(-1)?.name).toBe('x!');
  });
});

describe('a pass', () => {
  test('forgets everything at its end', async () => {
    await page.setContent('<label for="i">before</label><input id="i"><section data-n="1">x</section>');
    expect((await ask(page, 'input'))[0]?.name).toBe('before');
    await page.evaluate(() => {
      (document.querySelector('label') as HTMLElement).textContent = 'after';
      document.querySelector('section')?.setAttribute('aria-label', 'named');
    });
    expect((await ask(page, 'input'))[0]?.name).toBe('after');
    expect((await ask(page, '[data-n]'))[0]?.role).toBe('region');
  });

  test('changes no answer: without one, roles and names are the same', async () => {
    await page.setContent(shopPage(10));
    expect(await ask(page, 'body *', { inPass: false })).toEqual(await ask(page, 'body *'));
  });

  test('names what is in a name as if it had not been read with it', async () => {
    const markups = Array.from({ length: 60 }, (_, index) => nestedMarkup(index + 1));
    await page.setContent('');
    const answers = await askBothWays(page, markups, NESTED_CSS);
    for (const [index, { inPass, alone }] of answers.entries()) expect(inPass, `seed ${index + 1}`).toEqual(alone);
    expect(answers.flatMap(({ inPass }) => inPass).length).toBeGreaterThan(1_000);
  });
});

describe('a hostile page', () => {
  const CLOBBERED = `getAttribute hasAttribute getAttributeNames hasAttributes localName namespaceURI tagName nodeType
    firstChild nextSibling parentNode children id role matches closest getRootNode shadowRoot assignedSlot
    checkVisibility textContent firstElementChild nextElementSibling querySelectorAll attributes`.split(/\s+/);

  test('cannot hide what a form is behind inputs named like its accessors', async () => {
    const inputs = CLOBBERED.map(name => `<input name="${name}">`).join('');
    await page.setContent(`<form data-n="1" aria-label="Pay">${inputs}<button data-n="2"><b>Go</b></button></form>
      <h2 data-n="3">Title <form>${inputs} inside</form></h2><div role="list"><form>${inputs}<li data-n="4">item</li></form></div>`);
    expect(await ask(page, '[data-n]')).toMatchObject([
      { n: '1', role: 'form', name: 'Pay' },
      { n: '2', role: 'button', name: 'Go' },
      { n: '3', role: 'heading', name: 'Title inside' },
      { n: '4', role: 'listitem' },
    ]);
  });

  test('cannot hide the document behind images named like its accessors', async () => {
    const names = [
      'getElementById',
      'querySelectorAll',
      'styleSheets',
      'adoptedStyleSheets',
      'nodeType',
      'getRootNode',
    ];
    const images = names.map(name => `<img name="${name}" alt="">`).join('');
    await page.setContent(`${images}<style>.new::after { content: "!" }</style>${'<button>x</button>'.repeat(60)}
      <b id="a">named</b><button data-n="1" aria-labelledby="a">y</button><button data-n="2" class="new">z</button>`);
    expect((await ask(page, 'button')).filter(told => told.n).map(told => told.name)).toEqual(['named', 'z!']);
  });

  test('cannot reach in by breaking built-ins', async () => {
    const broken = await browser.newPage();
    await broken.setContent('<a href="#" data-n="1"><b>x</b></a>');
    await broken.evaluate(() => {
      Object.assign(Element.prototype, { getAttribute: () => 'evil', checkVisibility: () => false });
      Object.assign(globalThis, { Map: undefined, Set: undefined, getComputedStyle: undefined });
    });
    expect(await ask(broken, '[data-n]')).toEqual([{ n: '1', role: 'link', name: 'x' }]);
    await broken.close();
  });

  test('cannot fool it with elements of other namespaces', async () => {
    await page.setContent('<p>x</p>');
    await page.evaluate(() => {
      for (const name of [
        'button',
        'input',
        'select',
        'slot',
        'label',
        'details',
        'table',
        'th',
        'option',
        'meter',
        'img',
      ]) {
        const fake = document.createElementNS('urn:example', name);
        fake.textContent = 'x';
        const heading = document.body.appendChild(document.createElement('h2'));
        heading.append(fake);
      }
    });
    expect(new Set((await ask(page, 'h2 > *')).map(told => told.role))).toEqual(new Set(['']));
    expect(new Set((await ask(page, 'h2')).map(told => told.name))).toEqual(new Set(['x']));
  });
});

describe('a huge page', () => {
  /** Runs in the page and answers within seconds, or the test fails by its time limit. */
  async function askHuge(selector: string, build: () => void) {
    await page.setContent('<!doctype html><body></body>');
    return askUndrawn(page, selector, build);
  }

  test('of 5,000 levels is read to the end', async () => {
    const told = await askHuge('button', () => {
      let parent: Element = document.body;
      // Spans, because Chromium itself ends on that many nested blocks.
      for (let level = 0; level < 5000; level++) parent = parent.appendChild(document.createElement('span'));
      parent.append(Object.assign(document.createElement('button'), { textContent: 'deep' }));
    });
    expect(told).toMatchObject([{ role: 'button', name: 'deep' }]);
  });

  test('of 5,000 nested links and list items does not cost their square', async () => {
    const told = await askHuge('[role]', () => {
      let parent: Element = document.body;
      for (let level = 0; level < 5000; level++) {
        parent = parent.appendChild(document.createElement('span'));
        parent.setAttribute('role', level % 2 ? 'listitem' : 'link');
        parent.append('text ');
      }
    });
    expect(told).toHaveLength(5000);
  });

  test('with a text of 1 MB in a button cuts its name', async () => {
    const told = await askHuge('button, a', () => {
      document.body.innerHTML = `<button>${'word '.repeat(200_000)}</button><a href="#"><b>${'😀'.repeat(250_000)}</b></a>`;
    });
    for (const { name } of told) {
      expect(name.length).toBeGreaterThan(9_990);
      expect(name.length).toBeLessThanOrEqual(10_000);
      expect(Buffer.from(name).toString()).toBe(name);
    }
  });

  test('with 10,000 labels and as many fields names each by its own', async () => {
    const told = await askHuge('input', () => {
      const field = (_: unknown, i: number) => `<label for="f${i}">label ${i}</label><input id="f${i}">`;
      document.body.innerHTML = Array.from({ length: 10_000 }, field).join('');
    });
    expect(told.at(-1)?.name).toBe('label 9999');
  });

  test('with 10,000 labels for one field ends', async () => {
    const told = await askHuge('input', () => {
      document.body.innerHTML = `<input id="f">${'<label for="f">a label of it</label>'.repeat(10_000)}`;
    });
    expect(told[0]?.name.startsWith('a label of it a label of it')).toBe(true);
  });

  test('of references in circles and to one big text ends', async () => {
    const told = await askHuge('button', () => {
      const button = (_: unknown, i: number) =>
        `<button id="b${i}" aria-labelledby="b${(i + 1) % 2000} big b${i} ${'x '.repeat(50)}" aria-owns="b${(i + 2) % 2000}">${i}</button>`;
      document.body.innerHTML = `<div id="big">${'<p>a paragraph of text</p>'.repeat(2000)}</div>${Array.from({ length: 2000 }, button).join('')}`;
    });
    expect(told[0]?.name.startsWith('1 3 5')).toBe(true);
  });
});
