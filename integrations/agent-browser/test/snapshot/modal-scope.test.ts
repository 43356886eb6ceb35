import { afterAll, describe, expect, test } from 'vitest';
import { casePage } from '../case-page.js';
import { expectFailure, expectSuccess, sharingToolset } from '../fixtures.js';

const toolset = sharingToolset();
const { session, show } = casePage(toolset);
afterAll(() => toolset.close());

const PAGE = `<style>body{margin:0} .back{position:fixed;inset:0;background:#0008} .box{position:fixed;top:30%;left:30%;width:40%;height:40%;background:#fff}
  .flex{display:flex;align-items:center;justify-content:center} .card{width:400px;background:#fff}</style>
  <header><a href="#">Home</a></header><main><button>Buy</button>${'<p>Some words</p>'.repeat(60)}</main>`;
const INSIDE = `<div>Delete the file?</div><button onclick="textContent = 'Deleted'">Yes</button><button>No</button>`;

async function modalOf(html: string) {
  await show(html);
  const all = expectSuccess(await session.snapshot());
  return { all, modal: await session.snapshot({ scope: 'modal', interactiveOnly: false }) };
}

describe('a box that nothing calls a dialog, over a page that takes no press', () => {
  test.each([
    ['beside its backdrop', `${PAGE}<div class="back"></div><div class="box">${INSIDE}</div>`],
    [
      'beside its backdrop, each in a root of its own',
      `${PAGE}<div><div class="back"></div></div><div><section><div class="box">${INSIDE}</div></section></div>`,
    ],
    ['inside its backdrop', `${PAGE}<div class="back flex"><div class="card">${INSIDE}</div></div>`],
    [
      'deep inside, in a wrapper as large',
      `${PAGE}<div class="back"><div class="flex" style="height:100%"><div class="card">${INSIDE}</div></div></div>`,
    ],
    [
      'in the middle of the page',
      `<div>${PAGE}<div class="back"></div><main><div class="box">${INSIDE}</div><p>More</p></main></div>`,
    ],
    ['near the top', `${PAGE}<div class="back"></div><div class="box" style="top:5%;height:25%">${INSIDE}</div>`],
    [
      'under a bar that stays',
      `${PAGE}<div class="back"></div><div class="box">${INSIDE}</div><div style="position:fixed;top:0;left:0;right:0;height:50px;background:#eee">Bar</div>`,
    ],
    [
      'in a component',
      `${PAGE}<x-modal><template shadowrootmode="open"><style>.back{position:fixed;inset:0}.box{position:fixed;top:30%;left:30%;width:40%;height:40%}</style><div class="back"></div><div class="box"><slot></slot></div></template>${INSIDE}</x-modal>`,
    ],
  ])('is the modal part of it: %s', async (_what, html) => {
    const { all, modal } = await modalOf(html);
    const { tree = '', refs = {} } = expectSuccess(modal);
    expect(
      tree
        .split('\n')
        .slice(1)
        .map(line => line.replace(/ @e\d+/, '')),
    ).toEqual(['text "Delete the file?"', 'button "Yes"', 'button "No"']);
    for (const [ref, told] of Object.entries(refs)) expect(all.refs?.[ref]).toEqual(told);
    const [ref = ''] = Object.keys(refs);
    expect(expectSuccess(await session.click({ ref })).changes).toContain('button "Deleted"');
  });

  test('tells what it says, as a dialog does', async () => {
    await show(
      `${PAGE}<div class="back"></div><div class="box"><h2>Are you sure?</h2><p>All is lost.</p><span>Yes</span><span>No</span></div>`,
    );
    const { tree } = expectSuccess(await session.snapshot({ scope: 'modal' }));
    expect(tree?.split('\n').slice(1)).toEqual([
      'heading "Are you sure?" level=2',
      'text "All is lost."',
      'text "YesNo"',
    ]);
  });

  test.each([
    ['a page like any other', PAGE],
    ['a banner at its bottom', `${PAGE}<div class="box" style="top:80%;left:0;width:100%;height:20%">${INSIDE}</div>`],
    [
      'a box beside a page that is alive',
      `${PAGE}<div class="back" style="pointer-events:none"></div><div class="box">${INSIDE}</div>`,
    ],
    [
      'an app that fills the viewport',
      `<style>body{margin:0}</style><div style="position:fixed;inset:0"><div style="width:300px;margin:200px auto">${INSIDE}</div></div>`,
    ],
    ['a backdrop alone', `${PAGE}<div class="back"></div>`],
    ['a box that is hidden', `${PAGE}<div class="back" hidden></div><div class="box" hidden>${INSIDE}</div>`],
  ])('is not seen in %s', async (_what, html) => {
    const { modal } = await modalOf(html);
    expect(expectFailure(modal, 'element_not_found').message).toBe('No modal dialog is open.');
  });
});
