import { RequestContext } from '@mastra/core/request-context';
import { describe, expect, it } from 'vitest';
import { sessionKeyOf } from '../../src/mastra/mastra-tool.js';
import { expectSuccess, refOf, servePages, sharingToolset, testToolset } from '../fixtures.js';

const head = '<!doctype html><link rel="icon" href="data:,">';
const site = await servePages({
  '/': `${head}<title>Form</title><label>Name <input></label><button>Send</button>`,
});

describe('tool.execute', () => {
  it('needs no context and uses the session "default", as plain code does', async () => {
    const toolset = testToolset();
    expectSuccess(await toolset.tools.browser_navigate.execute({ url: site.url() }));
    const snapshot = expectSuccess(await toolset.session().snapshot());
    const typed = await toolset.tools.browser_type.execute({ ref: refOf(snapshot, 'textbox', 'Name'), text: 'Ann' });
    expect(typed).toMatchObject({ success: true, value: 'Ann' });
  });

  it('uses the MCP session of its caller', async () => {
    const toolset = testToolset();
    const mcp = { extra: { sessionId: 'mcp-1' } };
    expectSuccess(await toolset.tools.browser_navigate.execute({ url: site.url() }, { mcp } as never));
    expect(await toolset.getCurrentUrl('mcp-1')).toBe(site.url());
  });

  it('answers "aborted" at once when its signal fires, and the session stays usable', async () => {
    const toolset = testToolset();
    expectSuccess(await toolset.session().navigate({ url: site.url() }));
    const abort = new AbortController();
    const waiting = toolset.tools.browser_wait.execute({ for: { seconds: 30 } }, { abortSignal: abort.signal });
    const queued = toolset.tools.browser_snapshot.execute({}, { abortSignal: abort.signal });
    setImmediate(() => abort.abort());
    expect(await Promise.all([waiting, queued])).toMatchObject([
      { success: false, code: 'aborted' },
      { success: false, code: 'aborted' },
    ]);
    expectSuccess(await toolset.session().snapshot());
  });
});

describe('plain code', () => {
  it('does what the tools do, with typed results', async () => {
    await using browser = sharingToolset();
    const session = browser.session('thread-1');
    const page = expectSuccess(await session.navigate({ url: site.url() }));
    expect(page.title).toBe('Form');
    const snapshot = expectSuccess(await session.snapshot({ interactiveOnly: true }));
    const filled = await session.fillForm({ fields: [{ ref: refOf(snapshot, 'textbox', 'Name'), value: 'Ann' }] });
    expect(filled.fields).toEqual([{ ref: refOf(snapshot, 'textbox', 'Name'), value: 'Ann' }]);
    expect(await session.click({ ref: '@e99' })).toMatchObject({ success: false, code: 'invalid_ref' });
  });

  it('shares a session with the tools that run for the same thread', async () => {
    const toolset = testToolset();
    const agent = { agentId: 'a', toolCallId: '1', messages: [], threadId: 'thread-1' };
    expectSuccess(await toolset.tools.browser_navigate.execute({ url: site.url() }, { agent } as never));
    expect(await toolset.session('thread-1').snapshot()).toMatchObject({ success: true, url: site.url() });
  });

  it('gets the same handle for the same thread', () => {
    const toolset = testToolset();
    expect(toolset.session('a')).toBe(toolset.session('a'));
    expect(toolset.session('a')).not.toBe(toolset.session());
    expect(toolset.session().threadId).toBe('default');
  });
});

describe('the session of a call', () => {
  const requestContext = new RequestContext([['mastra__threadId', 'request']]);
  const agent = { threadId: 'agent' };
  const workflow = { runId: 'run' };
  const mcp = { extra: { sessionId: 'mcp' } };

  it.each([
    ['the thread of an agent', { agent, requestContext, workflow, mcp }, 'agent'],
    ['the thread id in the request context', { requestContext, workflow, mcp }, 'request'],
    ['the run of a workflow', { workflow, mcp }, 'run'],
    ['the session of an MCP client', { mcp }, 'mcp'],
    ['"default"', {}, 'default'],
    [
      '"default" for an agent without memory',
      { agent: { agentId: 'a' }, requestContext: new RequestContext() },
      'default',
    ],
  ])('is %s', (_, context, key) => {
    expect(sessionKeyOf(context)).toBe(key);
  });

  it('is what the resolver says, unless it says nothing', () => {
    expect(sessionKeyOf({ agent }, ({ agent: caller }) => `of-${caller?.threadId}`)).toBe('of-agent');
    expect(sessionKeyOf({ agent }, () => undefined)).toBe('agent');
    expect(sessionKeyOf({ agent }, () => '')).toBe('agent');
  });
});
