import type { LiveAction } from '@browser-toolset/core';
import { describe, expect, it } from 'vitest';
import type { BrowserToolset } from '../../src/index.js';
import { expectFailure, expectSuccess, pageOf, refOf, servePages, testToolset } from '../fixtures.js';

const head = '<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,"><style>body{margin:0}</style>';
const box = 'style="position:absolute;left:20px;top:30px;width:100px;height:40px"';
const site = await servePages({
  '/': `${head}<title>Form</title>
    <button ${box}>Go</button>
    <input aria-label="Name" style="position:absolute;left:20px;top:90px">
    <input aria-label="Password" type="password" style="position:absolute;left:20px;top:120px"
      oninput="if (this.value.length > 6) this.remove()">
    <button style="position:absolute;left:10px;top:3000px;width:80px;height:20px">Far</button>
    <div style="position:absolute;left:0;top:4000px">.</div>`,
  '/outer': `${head}<title>Outer</title>
    <div style="height:1500px"></div>
    <iframe src="/" style="border:7px solid;padding:3px;margin-left:50px;width:400px;height:300px;display:block"></iframe>
    <div style="height:3000px"></div>`,
});

async function watched(path = '/') {
  const toolset = testToolset();
  const session = toolset.session('ann');
  expectSuccess(await session.navigate({ url: site.url(path) }));
  const read = expectSuccess(await session.snapshot());
  const told: LiveAction[] = [];
  const stop = toolset.onAction(action => told.push(action), 'ann');
  const ref = (role: string, name: string) => refOf(read, role, name);
  return { toolset, session, told, stop, ref };
}

/** Where an element of the page's frame stands in the viewport of the top page, by the browser's own account. */
async function boxOf(toolset: BrowserToolset, name: string) {
  const page = await pageOf(toolset, 'ann');
  const frame = page.frames().at(-1) ?? expect.fail('there is no frame');
  return frame.getByRole('button', { name }).boundingBox();
}

describe('what viewers are told of an action', () => {
  it('is its start, where it acts, and what came of it', async () => {
    const { session, told, ref } = await watched();
    expectSuccess(await session.click({ ref: ref('button', 'Go') }));
    const common = { id: told[0]?.id, threadId: 'ann', tool: 'browser_click', at: expect.any(Number) };
    const target = { ref: ref('button', 'Go'), target: 'button "Go"' };
    expect(told).toEqual([
      { ...common, phase: 'started', ...target },
      { ...common, phase: 'aimed', ...target, point: { x: 70, y: 50 }, box: { x: 20, y: 30, width: 100, height: 40 } },
      { ...common, phase: 'ended', success: true, summary: 'Clicked button "Go"', duration: expect.any(Number) },
    ]);
  });

  it('is where the element is once it was scrolled into view', async () => {
    const { toolset, session, told, ref } = await watched();
    expectSuccess(await session.click({ ref: ref('button', 'Far') }));
    const aimed = told.find(({ phase }) => phase === 'aimed');
    expect(aimed?.box).toEqual(await boxOf(toolset, 'Far'));
    expect(aimed?.box?.y).toBeLessThan(720);
  });

  it('is in the viewport of the page for what is in a frame', async () => {
    const { toolset, session, told, ref } = await watched('/outer');
    expectSuccess(await session.click({ ref: ref('button', 'Go') }));
    const aimed = told.find(({ phase }) => phase === 'aimed');
    expect(aimed?.box).toEqual(await boxOf(toolset, 'Go'));
    expect(aimed?.box?.x).toBe(50 + 7 + 3 + 20);
  });

  it('is the point of an action that takes one', async () => {
    const { session, told } = await watched();
    expectSuccess(await session.click({ x: 70, y: 50 }));
    expect(told.map(({ phase, point }) => [phase, point])).toEqual([
      ['started', undefined],
      ['aimed', { x: 70, y: 50 }],
      ['ended', undefined],
    ]);
  });

  it('is the code and the first sentence of a failure', async () => {
    const { session, told } = await watched();
    expectFailure(await session.click({ ref: '@e99' }), 'invalid_ref');
    expectFailure(await session.type({ ref: '@e1', text: 1 as never }), 'invalid_input');
    expect(told.map(({ tool, phase, success, code }) => [tool, phase, success, code])).toEqual([
      ['browser_click', 'started', undefined, undefined],
      ['browser_click', 'ended', false, 'invalid_ref'],
      ['browser_type', 'started', undefined, undefined],
      ['browser_type', 'ended', false, 'invalid_input'],
    ]);
    expect(told[1]?.summary).toBe('@e99 does not exist in this session.');
  });

  it('is never what was typed into a field that shows dots', async () => {
    const { session, told, ref } = await watched();
    const fields = [
      { ref: ref('textbox', 'Name'), value: 'Ann' },
      { ref: ref('textbox', 'Password'), value: 'hunter2!' },
    ];
    const result = expectSuccess(await session.fillForm({ fields }));
    expect(result.fields).toHaveLength(2);
    expect(JSON.stringify(told)).not.toContain('hunter2');
  });

  it('is the field that a text went into, and what it holds', async () => {
    const { session, told, ref } = await watched();
    expectSuccess(await session.type({ ref: ref('textbox', 'Name'), text: 'Ann' }));
    expect(told.find(({ phase }) => phase === 'aimed')?.target).toBe('textbox "Name"');
    expect(told.at(-1)?.summary).toBe('The field holds "Ann"');
  });

  it('is refused actions while a person drives', async () => {
    const { toolset, session, told } = await watched();
    await toolset.takeControl('ann');
    const ending = new AbortController();
    const call = session.navigate({ url: site.url() }, { signal: ending.signal });
    ending.abort();
    await call;
    expect(told.map(({ phase, code }) => [phase, code])).toEqual([
      ['started', undefined],
      ['ended', 'aborted'],
    ]);
  });

  it('comes to who asked for that thread or for all, until they stop', async () => {
    const { toolset, session, told, stop } = await watched();
    const all: string[] = [];
    toolset.onAction(({ threadId, phase }) => all.push(`${threadId} ${phase}`));
    expectSuccess(await toolset.session('ben').navigate({ url: site.url() }));
    expect(told).toEqual([]);
    stop();
    expectSuccess(await session.snapshot());
    expect(told).toEqual([]);
    expect(all).toEqual(['ben started', 'ben ended', 'ann started', 'ann ended']);
  });
});
