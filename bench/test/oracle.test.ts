import { type Browser, chromium } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { chromiumPath } from '../src/chromium.ts';
import { oracleExpression } from '../src/page-code/load-oracle.ts';
import type { Judgement } from '../src/page-code/oracle.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await chromium.launch({ executablePath: chromiumPath() });
});
afterAll(() => browser.close());

async function owed(html: string): Promise<string[]> {
  const page = await browser.newPage();
  await page.setContent(html);
  const judgements = await page.evaluate<Judgement[]>(oracleExpression());
  await page.close();
  return judgements.filter(({ verdict }) => verdict === 'target').map(({ what }) => what.replace(/ <.*> /, ' '));
}

test('controls, widget roles, focus stops, editable and pointer areas are owed a ref', async () => {
  const html = `<a href=#>link</a><a>no link</a><div role=button>role</div><div tabindex=0>stop</div><p contenteditable>edit</p>
    <div style="cursor:pointer">pointer <span>inside</span></div><p>text</p>`;
  expect(await owed(html)).toEqual([
    'native link',
    'role role',
    'focusable stop',
    'focusable edit',
    'pointer pointer inside',
  ]);
});

test('what a person cannot see or use is owed none', async () => {
  const html = `<button hidden>a</button><button style="visibility:hidden">b</button><button disabled>c</button><button inert>d</button>
    <button style="opacity:0">e</button><div style="height:0;overflow:hidden"><button>f</button></div><button aria-hidden=true>g</button>`;
  expect(await owed(html)).toEqual([]);
});

test('an element far below the fold is owed one, an element under an overlay is not', async () => {
  const html = `<button style="position:absolute;top:5000px">below</button>`;
  expect(await owed(html)).toEqual(['native below']);
  expect(await owed(`${html}<div style="position:fixed;inset:0;background:#fff"></div>`)).toEqual([]);
});

test('a transparent radio over its styled label is owed one', async () => {
  const html = `<label style="position:relative;display:block"><input type=radio style="opacity:0;position:absolute;inset:0;margin:0;width:100%;height:100%"><b>Red</b></label>`;
  expect(await owed(html)).toHaveLength(1);
});

test('open shadow roots are looked into', async () => {
  const html = `<x-box><template shadowrootmode=open><button>inner</button></template></x-box>`;
  const page = await browser.newPage();
  await page.evaluate(markup => document.body.setHTMLUnsafe(markup), html);
  const judgements = await page.evaluate<Judgement[]>(oracleExpression());
  await page.close();
  expect(judgements.map(({ what }) => what)).toEqual(['native <button> inner']);
});
