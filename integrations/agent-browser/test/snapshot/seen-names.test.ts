import { afterAll, describe, expect, it } from 'vitest';
import { expectSuccess, pageOf, servePages, sharingToolset } from '../fixtures.js';

let shown = '';
const site = await servePages({
  '/': (_, response) => {
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
    response.end(`<!doctype html><title>Names</title><link rel="icon" href="data:,">${shown}`);
  },
});
const toolset = sharingToolset();
const session = toolset.session('default');
afterAll(() => toolset.close());

const open = async (html: string) => {
  shown = html;
  expectSuccess(await session.navigate({ url: site.url() }));
};
const read = async (interactiveOnly = true) => expectSuccess(await session.snapshot({ interactiveOnly })).tree;

/** Ways in which a part of an element is not rendered. */
const UNRENDERED: Record<string, string> = {
  'display: none': '<span style="display: none">ORDERS</span>',
  'visibility: hidden': '<span style="visibility: hidden">ORDERS</span>',
  'the attribute hidden': '<span hidden>ORDERS</span>',
  'a closed section': '<details><summary>More</summary>ORDERS</details>',
  'a hidden part of a part': '<b><i style="display: none">ORDERS<em>ORDERS</em></i></b>',
  'a template and a script': '<template>ORDERS</template><script type="text/plain">ORDERS</script>',
};
/** Elements by what names them. */
const PLACES: Record<string, (part: string) => string> = {
  'a clickable': part => `<div style="cursor: pointer" onclick="1">Open ${part}</div>`,
  'a card that can be dragged': part => `<div draggable="true" tabindex="0">Open ${part}</div>`,
  'the label of a hidden check box': part =>
    `<label><input type="checkbox" style="position: absolute; opacity: 0; width: 0; height: 0">Open ${part}</label>`,
  'the label of a check box': part => `<label for="box">Open ${part}</label><input type="checkbox" id="box">`,
  'a row': part =>
    `<ul>${['Open', 'Other', 'Third'].map(name => `<li><span>${name} ${part}</span> <button>Delete</button></li>`).join('')}</ul>`,
  'a row of a table': part =>
    `<table>${['Open', 'Other', 'Third'].map(name => `<tr><td>${name} ${part}<td><a href="/">Edit</a>`).join('')}</table>`,
  'a column': part => `<table><tr><th>Open ${part}<tr><td><input><tr><td><input></table>`,
  'the label beside a field': part => `<div>Open ${part}</div><input>`,
  'an option': part =>
    `<div role="listbox" aria-label="List"><div role="option" tabindex="0">Open ${part}</div><div role="option">Other</div></div>`,
  'a button and a link': part => `<button>Open ${part}</button> <a href="/x">Open ${part}</a>`,
};

describe('the words of a name are those that are rendered', () => {
  it.each(Object.keys(PLACES))('in %s', async place => {
    for (const [how, part] of Object.entries(UNRENDERED)) {
      await open(PLACES[place]?.(part) ?? '');
      const views = [await read(), await read(false)];
      for (const text of ['Open', 'Delete', 'Edit', 'List']) {
        const { matches = [] } = await session.find({ text }).catch(() => ({}) as never);
        views.push(JSON.stringify(matches));
      }
      expect(views.join('\n'), how).not.toContain('ORDERS');
      expect(views.join('\n'), how).toContain('Open');
    }
  });

  it('and a label that is hidden as a whole still names its field (AccName 1.2, 2A)', async () => {
    await open('<div id="l" hidden>Billing <b>address</b></div><input aria-labelledby="l">');
    expect(await read()).toContain('textbox "Billing address"');
  });

  it('and content without a box of its own is there', async () => {
    await open('<div style="cursor: pointer" onclick="1"><span style="display: contents">Open <b>now</b></span></div>');
    expect(await read()).toContain('clickable "Open now"');
  });

  it('and what a style shows is pressed by the ref that was given', async () => {
    await open(`<style>li b { display: none } li:hover b { display: inline }</style>
      <ul>${['Alpha', 'Beta'].map(name => `<li>${name} <b>of the list</b> <button onclick="out.value = '${name}'">Delete</button></li>`).join('')}</ul><output id="out"></output>`);
    const { refs = {} } = expectSuccess(await session.snapshot({}));
    const buttons = Object.keys(refs).filter(ref => refs[ref]?.name === 'Delete');
    for (const [index, name] of ['Alpha', 'Beta'].entries()) {
      expectSuccess(await session.click({ ref: buttons[index] ?? '' }));
      expect(await (await pageOf(toolset, 'default')).evaluate('out.value')).toBe(name);
    }
  });
});
