import { Agent } from '@mastra/core/agent';
import { MockMemory } from '@mastra/core/memory';
import { RequestContext } from '@mastra/core/request-context';
import { describe, expect, it } from 'vitest';
import { type Prompt, refIn, type Script, scriptedModel, textsRead } from '../../examples/scripted-model.ts';
import type { BrowserToolset } from '../../src/index.js';
import { servePages, testToolset, withoutBoundaries } from '../fixtures.js';

const head = '<!doctype html><link rel="icon" href="data:,">';
const site = await servePages({
  '/': `${head}<title>One</title><a href="/two" style="position:absolute;inset:0 auto auto 0;width:200px;height:50px">Next</a>`,
  '/two': `${head}<title>Two</title><h1>Two</h1>`,
});

/** A conversation of one thread, each turn played by a script of its own. */
function conversation(browser: BrowserToolset, thread = 'ann') {
  const memory = new MockMemory();
  return async (...script: Script) => {
    const model = scriptedModel(script);
    const agent = new Agent({ id: 'web', name: 'Web', instructions: 'Browse.', model, browser, memory });
    const requestContext = new RequestContext();
    const output = await agent.generate('Go on', { memory: { thread, resource: 'user' }, requestContext });
    const last = model.calls.at(-1) ?? expect.fail('the model was never asked');
    return { output, prompt: last.prompt, tools: last.tools ?? [], requestContext };
  };
}

/** What the model was told about the browser in the latest turn, with N for the number of the lines around the page. */
function statesIn(prompt: Prompt): string[] {
  const texts = prompt.flatMap(({ role, content }) =>
    role === 'user' ? content.flatMap(part => (part.type === 'text' ? part.text : [])) : [],
  );
  const alike = texts.map(text => text.replace(/(?<=\[(?:page|end) )\d+/g, 'N'));
  return alike.flatMap(text => text.match(/<state type="browser">(.*)<\/state>/s)?.[1] ?? []);
}

const open: Script[number] = { tool: 'browser_navigate', input: { url: site.url() } };
const follow: Script[number] = read => ({ tool: 'browser_click', input: { ref: refIn(read, 'link "Next"') } });

describe("an agent with the toolset in Mastra's browser slot", () => {
  it('has the tools without naming them', async () => {
    const toolset = testToolset({ tools: { only: ['browser_navigate', 'browser_click'] } });
    const { output, prompt, tools } = await conversation(toolset)(open, follow, 'There.');
    expect(output.text).toBe('There.');
    expect(tools.map(({ name }) => name)).toEqual(Object.keys(toolset.getTools()));
    expect(textsRead(prompt).map(withoutBoundaries)).toEqual([
      `page "One" ${site.url()}\nlink "Next" @e1`,
      `Clicked link "Next"\npage "Two" ${site.url('/two')}\nheading "Two" level=1`,
    ]);
  });

  it("keeps the thread's page between turns", async () => {
    const say = conversation(testToolset());
    await say(open, 'Opened.');
    const { prompt } = await say({ tool: 'browser_snapshot', input: {} }, 'Seen.');
    expect(textsRead(prompt).map(withoutBoundaries)).toEqual([`page "One" ${site.url()}\nlink "Next" @e1`]);
  });

  it("finds the browser's state in the request context, fresh whenever it is asked", async () => {
    const toolset = testToolset();
    const say = conversation(toolset);
    await say(open, 'Opened.');
    const { requestContext } = await say('Nothing to do.');
    const state = requestContext.get('browser') as { getState(): Promise<object> };
    expect(state).toMatchObject({
      provider: 'browser-toolset',
      providerType: 'sdk',
      headless: true,
      isOpen: true,
      currentUrl: site.url(),
      pageTitle: 'One',
      tabCount: 1,
      activeUrlChangeSource: 'agent',
    });
    await toolset.session('ann').navigate({ url: site.url('/two') });
    expect(await state.getState()).toMatchObject({ isOpen: true, currentUrl: site.url('/two'), pageTitle: 'Two' });
  });

  it('starts no browser for an agent that does not use it', async () => {
    const toolset = testToolset();
    await conversation(toolset)('Hello.');
    expect(toolset.isBrowserRunning()).toBe(false);
  });
});

describe('what the model is told about the browser', () => {
  it('is where it is, and never that the user went where the agent went itself', async () => {
    const say = conversation(testToolset());
    const turns = [
      await say(open, 'Opened.'),
      await say({ tool: 'browser_snapshot', input: {} }, follow, 'Followed.'),
      await say({ tool: 'browser_history', input: { direction: 'back' } }, 'Back.'),
    ];
    expect(turns.map(({ prompt }) => statesIn(prompt))).toEqual([
      [],
      [`Browser is open. Active tab: t1 of 1. You have control.\n[page N]\nt1 ${site.url()} "One"\n[end N]`],
      [`Browser is open. Active tab: t1 of 1. You have control.\n[page N]\nt1 ${site.url('/two')} "Two"\n[end N]`],
    ]);
  });

  it('says that the user went there after a person clicked in the live view', async () => {
    const toolset = testToolset();
    const say = conversation(toolset);
    await say(open, 'Opened.');
    for (const type of ['mousePressed', 'mouseReleased'] as const)
      await toolset.injectMouseEvent({ type, x: 50, y: 25, button: 'left', clickCount: 1 }, 'ann');
    await expect.poll(() => toolset.getCurrentUrl('ann')).toBe(site.url('/two'));
    const { prompt } = await say('I see.');
    expect(statesIn(prompt).at(-1)).toMatch(new RegExp(`The user went there\\..*t1 ${site.url('/two')} `, 's'));
  });

  it('says so when the user closed it', async () => {
    const toolset = testToolset();
    const say = conversation(toolset);
    await say(open, 'Opened.');
    await toolset.closeThreadSession('ann');
    const { prompt } = await say('I see.');
    expect(statesIn(prompt)).toEqual(['The user closed the browser; the next call opens it again.']);
  });

  it('does not blame the user when the agent closed the browser itself', async () => {
    const say = conversation(testToolset());
    await say(open, { tool: 'browser_close', input: {} }, 'Closed.');
    const { prompt } = await say('I know.');
    expect(statesIn(prompt)).toEqual(['Browser is closed; the next call opens it.']);
  });

  it('is what comes back when the session only sleeps', async () => {
    const toolset = testToolset({ sessions: { max: 1 } });
    const say = conversation(toolset);
    await say(open, 'Opened.');
    await toolset.session('other').navigate({ url: site.url() });
    expect(toolset.isBrowserRunning('ann')).toBe(false);
    const { prompt } = await say('I know.');
    expect(statesIn(prompt)).toEqual([
      `Browser is hibernated; the next call restores its tabs. Active tab: t1 of 1.\n[page N]\nt1 ${site.url()} "One"\n[end N]`,
    ]);
  });
});
