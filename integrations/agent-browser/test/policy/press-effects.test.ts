import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import type { BrowserAction } from '../../src/index.js';
import type { CommonResult } from '../../src/results/result.js';
import { expectFailure, expectSuccess, pageOf, refOf, servePages, sharingToolset } from '../fixtures.js';

/** Requests that a press made by sending a form or downloading a file. */
let made: string[] = [];

const site = await servePages({
  '/sent': (request, response) => {
    made.push(`${request.method} sent`);
    response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>Sent</title>Sent');
  },
  '/file': (_, response) => {
    made.push('file');
    response.writeHead(200, { 'content-disposition': 'attachment; filename=a.txt' }).end('text');
  },
  '/report.zip': (_, response) => {
    made.push('archive');
    response.writeHead(200, { 'content-type': 'application/zip' }).end('PK');
  },
  '/page': (request, response) => {
    const html = decodeURIComponent(request.url?.split('?')[1] ?? '');
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
    response.end(
      `<!doctype html><title>Page</title><link rel="icon" href="data:,"><style>button, a { padding: 8px }</style>${html}`,
    );
  },
});

const toolset = sharingToolset({ approval: ['submit', 'pay', 'delete', 'download'] });
const { tools } = toolset;
afterAll(() => toolset.close());
beforeEach(() => {
  made = [];
});

/** Opens a page, and returns what finds refs on it. */
async function open(html: string, of = toolset): Promise<(role: string, name: string) => string> {
  expectSuccess(await of.session('default').navigate({ url: site.url(`/page?${encodeURIComponent(html)}`) }));
  const read = expectSuccess(await of.session('default').snapshot({ interactiveOnly: false }));
  return (role, name) => refOf(read, role, name);
}

/** The middle of the element with the id `at`. */
async function pointOf(of = toolset): Promise<{ x: number; y: number }> {
  const page = await pageOf(of, 'default');
  return page.evaluate(
    '(({ x, y, width, height }) => ({ x: x + width / 2, y: y + height / 2 }))(at.getBoundingClientRect())',
  );
}

/** Whatever the page began has arrived once it has answered another request. */
async function arrived(of = toolset): Promise<string[]> {
  const page = await pageOf(of, 'default');
  await page.waitForLoadState();
  await page.evaluate(() => new Promise(resolve => requestAnimationFrame(() => setTimeout(resolve))));
  return made;
}

async function expectAsked(result: Promise<CommonResult>): Promise<void> {
  expectFailure(await result, 'approval_required');
  expect(await arrived()).toEqual([]);
}

const form = (inner: string): string =>
  `<form action="/sent" method="post"><input name="a" value="1" aria-label="Field">${inner}</form>`;

const SENDERS: [role: string, name: string, html: string][] = [
  ...['combobox', 'slider', 'textbox', 'listbox', 'spinbutton', 'searchbox', 'switch', 'option', 'tab', 'checkbox'].map(
    (role): [string, string, string] => [
      role,
      'Next',
      form(`<button id="at" role="${role}" aria-label="Next">Next</button>`),
    ],
  ),
  ['combobox', 'Next', form('<input id="at" type="submit" role="combobox" aria-label="Next" value="Next">')],
  ['link', 'Next', form('<button id="at" role="link">Next</button>')],
  ['combobox', 'Next', '<a id="at" href="/file" download role="combobox" aria-label="Next">Next</a>'],
  ['textbox', 'Next', '<a id="at" href="/report.zip" role="textbox" aria-label="Next">Next</a>'],
  ['button', 'Next', form('<button><span id="at" role="button" tabindex="0">Next</span></button>')],
  [
    'link',
    'Next',
    '<svg width="200" height="40"><a href="/report.zip"><text id="at" x="10" y="20">Next</text></a></svg>',
  ],
  [
    'link',
    'Next',
    '<img id="at" usemap="#m" width="80" height="80" alt="Map" src="data:image/gif;base64,R0lGODlhAQABAAAAACw="><map name="m"><area shape="rect" coords="0,0,80,80" alt="Next" href="/file" download></map>',
  ],
];

describe('what a press does decides, whatever the role', () => {
  it.each(SENDERS)('%s "%s" of %s', async (role, name, html) => {
    const ref = (await open(html))(role, name);
    await expectAsked(tools.browser_click.execute({ ref }));
    await expectAsked(tools.browser_click.execute(await pointOf()));
    await expectAsked(tools.browser_select.execute({ ref }));
    await expectAsked(tools.browser_select.execute({ ref, labels: ['Next'] }));
    for (const value of [true, 'true', 'Next', ['Next']])
      await expectAsked(tools.browser_fill_form.execute({ fields: [{ ref, value }] }));
    await expectAsked(tools.browser_press.execute({ ref, keys: 'Enter' }));
    expectSuccess(await tools.browser_snapshot.execute({}));
  });

  it('is judged at the part of it that is hit', async () => {
    await open(form('<label for="s" id="at">Label of what sends</label><input type="submit" id="s" hidden>'));
    await expectAsked(tools.browser_click.execute(await pointOf()));
    const slotted = `<script>customElements.define('x-send', class extends HTMLElement {
      constructor() {
        super();
        this.attachShadow({ mode: 'closed' }).innerHTML = '<form action="/sent"><button><slot></slot></button></form>';
      }
    })</script>`;
    for (const inner of ['Send it off', '<span>Next one</span>']) {
      const find = await open(`${slotted}<x-send id="at" style="display: inline-block">${inner}</x-send>`);
      await expectAsked(tools.browser_click.execute(await pointOf()));
      await expectAsked(tools.browser_click.execute({ ref: find('button', inner.replace(/<.*?>/g, '')) }));
    }
  });
});

describe('other ways to the same effect', () => {
  it.each(['Alt+s', 'Alt+S', 'AltLeft+KeyS', 'Shift+Alt+s', ['a', 'Alt+s']])('the access key %j', async keys => {
    const ref = (await open(form('<button accesskey="s">Next</button>')))('textbox', 'Field');
    await expectAsked(tools.browser_press.execute({ ref, keys }));
    await expectAsked(tools.browser_press.execute({ keys }));
  });

  it('an access key that is not an ASCII letter', async () => {
    const ref = (await open(form('<button accesskey="é">Next</button>')))('textbox', 'Field');
    await expectAsked(tools.browser_press.execute({ ref, keys: 'Alt+é' }));
  });

  it.each([
    ['its own target', 'formtarget="_blank"'],
    ['a named target', 'formtarget="pay"'],
    ['another address', 'formtarget="_blank" formaction="/sent?more"'],
  ])('a reload of a tab that a form has opened: %s', async (_, attributes) => {
    const ref = (await open(form(`<button ${attributes}>Next</button>`)))('button', 'Next');
    const { newTab } = expectSuccess(await toolset.session('default').click({ ref }));
    expect(made).toEqual(['POST sent']);
    expectSuccess(await tools.browser_tabs.execute({ action: 'switch', tab: newTab?.tab }));
    expectFailure(await tools.browser_history.execute({ direction: 'reload' }), 'approval_required');
    expect(made).toEqual(['POST sent']);
    expectSuccess(await tools.browser_tabs.execute({ action: 'close', tab: newTab?.tab }));
  });
});

describe('a field of a form is judged by what is done to it', () => {
  it.each([
    [
      'switch',
      'Delete account',
      '<div role="switch" aria-checked="false" tabindex="0" onclick="done.value = 1">Delete account</div>',
      'true',
    ],
    [
      'checkbox',
      'Delete account',
      '<label><input type="checkbox" onclick="done.value = 1">Delete account</label>',
      'true',
    ],
    [
      'combobox',
      'What next',
      `<div role="combobox" aria-label="What next" aria-expanded="false" aria-controls="l" tabindex="0" onclick="l.hidden = false">Choose</div>
       <div role="listbox" id="l" hidden><div role="option" onclick="done.value = 1">Delete account</div></div>`,
      'Delete account',
    ],
    [
      'combobox',
      'What next',
      `<div role="combobox" aria-label="What next" aria-expanded="false" aria-controls="l" tabindex="0" onclick="l.hidden = false">Choose</div>
       <div role="listbox" id="l" hidden><button role="option" form="f" onclick="done.value = 1">Plain</button></div><form id="f" action="/sent"></form>`,
      'Plain',
    ],
  ])('%s "%s"', async (role, name, html, value) => {
    const ref = (await open(`${html}<output id="done"></output>`))(role, name);
    const calls = [() => tools.browser_fill_form.execute({ fields: [{ ref, value }] })];
    if (role === 'combobox') calls.push(() => tools.browser_select.execute({ ref, labels: [value] }));
    for (const call of calls) {
      await expectAsked(call());
      await expectAsked(call());
    }
    expect(await (await pageOf(toolset, 'default')).evaluate('done.value')).toBe('');
  });
});

/** Pages whose control does something else by the time that it is pressed, under the same name. */
const CHANGING: [what: string, html: string][] = [
  [
    'a type that becomes submit at mouseenter',
    form('<button type="button" id="at" onmouseenter="this.type = \'submit\'">Next</button>'),
  ],
  [
    'a type that becomes submit at focus',
    form('<button type="button" id="at" onfocus="this.type = \'submit\'">Next</button>'),
  ],
  [
    'a type that becomes submit at mousedown',
    form('<button type="button" id="at" onmousedown="this.type = \'submit\'">Next</button>'),
  ],
  [
    'a type that becomes submit at click',
    form('<button type="button" id="at" onclick="this.type = \'submit\'">Next</button>'),
  ],
  [
    'a button that is moved into a form',
    `${form('')}<button id="at" onmouseenter="this.form ?? document.forms[0].append(this)" style="position: fixed; top: 200px; left: 10px">Next</button>`,
  ],
  [
    'a button that gets a form',
    `${form('').replace('<form', '<form id="f"')}<button id="at" onpointerdown="this.setAttribute('form', 'f')">Next</button>`,
  ],
  [
    'a script that sends the form',
    form('<button type="button" id="at" onclick="this.form.requestSubmit()">Next</button>'),
  ],
  [
    'a script that sends the form without events',
    form('<button type="button" id="at" onclick="this.form.submit()">Next</button>'),
  ],
  [
    'a script that sends the form and keeps the page busy',
    form(
      '<button type="button" id="at" onclick="this.form.submit(); for (const end = performance.now() + 1500; performance.now() < end; );">Next</button>',
    ),
  ],
  ['a link that gets download', '<a id="at" href="/file" onmousedown="this.download = \'a\'">Next</a>'],
  [
    'a link that gets download at its click',
    '<a id="at" href="/page?" onclick="this.href = \'/file\'; this.download = \'a\'">Next</a>',
  ],
  [
    "a link that gets an archive's address",
    '<a id="at" href="/page?" onmouseenter="this.href = \'/report.zip\'">Next</a>',
  ],
];

describe('a press that does more than was read is kept from the page', () => {
  it.each(CHANGING)('%s', async (_, html) => {
    const find = await open(html);
    const ref = html.includes('<button') ? find('button', 'Next') : find('link', 'Next');
    await expectAsked(tools.browser_click.execute({ ref }));
    await open(html);
    await expectAsked(tools.browser_click.execute(await pointOf()));
  });

  it.each(CHANGING.filter(([, html]) => html.includes('<form')))(
    'and made once it is approved: %s',
    async (_, html) => {
      const ref = (await open(html))('button', 'Next');
      const asked: BrowserAction[] = [];
      const suspend = async ({ approval }: { approval: BrowserAction }) => void asked.push(approval);
      const call = async (resumeData?: object) => {
        const result = await tools.browser_click.execute({ ref }, { suspend, resumeData } as never);
        expect(await arrived()).toEqual(asked.length === 0 ? [] : made);
        return result as CommonResult | undefined;
      };
      // Once the page has received a part, the call has to be made again.
      if ((await call())?.code === 'approval_required') await call();
      expect(asked).toMatchObject([{ element: { name: 'Next' }, classes: ['submit'] }]);
      expect(made).toEqual([]);
      expectSuccess((await call({ approved: true })) as CommonResult);
      await expect.poll(() => made).toEqual(['POST sent']);
      expect(asked).toHaveLength(1);
    },
  );

  it.each([
    ['the third of three clicks', { clickCount: 5 }],
    ['one click', {}],
  ])('on a control that is drawn anew to send: %s', async (_, input) => {
    const html = form(`<span id="place"></span><script>
      let clicks = 0;
      const draw = () => {
        place.innerHTML = '<button id="at" type="' + (clicks < 2 ? 'button' : 'submit') + '">Next</button>';
        at.onclick = () => { clicks++; draw(); };
      };
      draw();</script>`);
    const ref = (await open(html))('button', 'Next');
    const page = await pageOf(toolset, 'default');
    if ('clickCount' in input) {
      const { message } = expectFailure(await tools.browser_click.execute({ ref, ...input }), 'approval_required');
      expect(message).toContain('2 of 5 clicks were made before that.');
    } else {
      await page.evaluate('clicks = 2; draw()');
      await tools.browser_click.execute({ ref });
    }
    expect(await page.evaluate('clicks')).toBe(2);
    expect(await arrived()).toEqual([]);
  });

  it('at a point where what sends comes and goes', async () => {
    await open(
      form(`<div id="at" style="width: 100px; height: 40px; cursor: pointer">Next</div><script>
      const sender = Object.assign(document.createElement('button'), { textContent: 'Next' });
      sender.style = 'position: absolute; inset: 0; width: 400px; height: 200px';
      let shown = 0;
      (function flicker() { shown++ % 2 ? sender.remove() : document.forms[0].append(sender); requestAnimationFrame(flicker); })();
      </script>`),
    );
    const at = await pointOf();
    for (let tries = 0; tries < 12; tries++) await tools.browser_click.execute(at);
    expect(made).toEqual([]);
  });

  it('goes on at once where nobody has to be asked, and only once', async () => {
    const asked: string[][] = [];
    const lenient = sharingToolset({
      approval: ({ classes }) => {
        asked.push([...classes]);
        return classes.includes('delete');
      },
    });
    try {
      for (const [what, html] of CHANGING.filter(
        ([, page]) => page.includes('<form') && !page.includes('performance'),
      )) {
        made = [];
        const ref = (await open(html, lenient))('button', 'Next');
        const page = await pageOf(lenient, 'default');
        await page.evaluate("sessionStorage.clicks = 0; at.addEventListener('click', () => sessionStorage.clicks++)");
        const result = await lenient.tools.browser_click.execute({ ref });
        // A click that was kept halfway through cannot go on; the call made again is known for what it does.
        if (!result.success) expectSuccess(await lenient.tools.browser_click.execute({ ref }));
        await expect.poll(() => made, { message: what }).toEqual(['POST sent']);
        expect(await (await pageOf(lenient, 'default')).evaluate('sessionStorage.clicks'), what).toBe('1');
      }
      expect(asked).toContainEqual(['submit']);
    } finally {
      await lenient.close();
    }
  });
});
