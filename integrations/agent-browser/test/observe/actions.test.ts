import { Agent } from '@mastra/core/agent';
import { MastraLogger } from '@mastra/core/logger';
import { Mastra } from '@mastra/core/mastra';
import { type AnyExportedSpan, TracingEventType } from '@mastra/core/observability';
import { InMemoryStore } from '@mastra/core/storage';
import { createStep, createWorkflow } from '@mastra/core/workflows';
import { BaseExporter, Observability } from '@mastra/observability';
import { afterAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { refIn, scriptedModel } from '../../examples/scripted-model.ts';
import { expectFailure, expectSuccess, refOf, servePages, sharingToolset } from '../fixtures.js';

const head = '<!doctype html><link rel="icon" href="data:,">';
const site = await servePages({
  '/': `${head}<title>Sign in</title><label>Password <input type="password"></label><a href="/in">Enter</a>`,
  '/in': `${head}<title>In</title><h1>Welcome</h1>`,
  '/slow': (_, response) => {
    setTimeout(() => response.setHeader('content-type', 'text/html').end(`${head}<title>Slow</title>`), 300);
  },
});
const toolset = sharingToolset();
afterAll(() => toolset.close());

class Kept extends BaseExporter {
  readonly name = 'kept';
  readonly spans: AnyExportedSpan[] = [];

  protected async _exportTracingEvent({ type, exportedSpan }: Parameters<BaseExporter['_exportTracingEvent']>[0]) {
    if (type === TracingEventType.SPAN_ENDED) this.spans.push(exportedSpan);
  }
}

class KeptLines extends MastraLogger {
  constructor(readonly lines: string[]) {
    super({ level: 'debug' });
  }

  child() {
    return this;
  }

  debug(message: string) {
    this.lines.push(message);
  }

  info() {}
  warn() {}
  error() {}
}

/** A Mastra that traces, and what it traced of a browser. */
function traced(parts: Pick<NonNullable<ConstructorParameters<typeof Mastra>[0]>, 'agents' | 'workflows'>) {
  const exporter = new Kept();
  const observability = new Observability({ configs: { test: { serviceName: 'test', exporters: [exporter] } } });
  const mastra = new Mastra({ ...parts, observability, storage: new InMemoryStore(), logger: false });
  const actions = () => exporter.spans.filter(({ name }) => name.startsWith('browser action'));
  return { mastra, exporter, actions };
}

describe('the span of an action', () => {
  it('stands in the span of the call of an agent, and says what it did and how long each part took', async () => {
    const model = scriptedModel([
      { tool: 'browser_navigate', input: { url: site.url() } },
      read => ({ tool: 'browser_type', input: { ref: refIn(read, 'textbox "Password"'), text: 'hunter2' } }),
      read => ({ tool: 'browser_click', input: { ref: refIn(read, 'link "Enter"') } }),
      { tool: 'browser_click', input: { ref: '@e1' } },
      'Done.',
    ]);
    const agent = new Agent({ id: 'web', name: 'Web', instructions: 'Browse.', model, browser: toolset });
    const { mastra, exporter, actions } = traced({ agents: { agent } });
    await mastra.getAgent('agent').generate('Go');
    const [open, type, click, stale] = actions();
    expect(open).toMatchObject({
      attributes: { tool: 'browser_navigate', threadId: 'default', effects: ['navigated'] },
    });
    expect(type?.attributes).toMatchObject({ outcome: 'ok', 'element.role': 'textbox', 'element.name': 'Password' });
    expect(click?.attributes).toMatchObject({
      outcome: 'ok',
      'element.role': 'link',
      'element.name': 'Enter',
      url: site.url('/in'),
      effects: ['navigated'],
    });
    expect(stale).toMatchObject({ attributes: { outcome: 'stale_ref' }, errorInfo: { message: 'stale_ref' } });
    const attributes = (click?.attributes ?? {}) as Record<string, number>;
    const times = ['queued', 'starting', 'acting', 'settling', 'reading', 'total'].map(
      phase => attributes[`ms.${phase}`] ?? Number.NaN,
    );
    const total = times.pop() ?? 0;
    expect(total).toBeGreaterThan(0);
    expect(times.reduce((sum, ms) => sum + ms, 0)).toBeLessThanOrEqual(total + 1);
    const call = exporter.spans.find(({ id }) => id === click?.parentSpanId);
    expect(call?.name).toBe("tool: 'browser_click'");
    expect(JSON.stringify(actions())).not.toContain('hunter2');
  });

  it('stands in the span of the step of a workflow, a failure as well', async () => {
    const step = createStep(toolset.tools.browser_navigate);
    const inputSchema = z.object({ url: z.string() });
    const workflow = createWorkflow({ id: 'open', inputSchema, outputSchema: z.any() }).then(step).commit();
    const { mastra, exporter, actions } = traced({ workflows: { workflow } });
    for (const url of [site.url(), 'file:///etc/passwd'])
      await (await mastra.getWorkflow('workflow').createRun()).start({ inputData: { url } });
    expect(actions().map(({ attributes }) => (attributes as { outcome: string }).outcome)).toEqual([
      'ok',
      'url_blocked',
    ]);
    for (const { parentSpanId } of actions())
      expect(exporter.spans.find(({ id }) => id === parentSpanId)?.name).toBe("workflow step: 'browser_navigate'");
  });
});

describe('the debug log', () => {
  it('has one line an action, without what was typed', async () => {
    const lines: string[] = [];
    toolset.__setLogger(new KeptLines(lines));
    const session = toolset.session('logged');
    await session.navigate({ url: site.url() });
    const snapshot = await session.snapshot();
    await session.type({ ref: refOf(snapshot, 'textbox', 'Password'), text: 'hunter2' });
    await session.click({ ref: '@e9999' });
    const told = lines
      .filter(line => line.startsWith('[logged] browser_'))
      .map(line => line.replace(/\d+(?= ms)/, '_').replace(/ \(.*?\)/, ''));
    expect(told).toEqual([
      `[logged] browser_navigate ok in _ ms: navigated at ${site.url()}`,
      `[logged] browser_snapshot ok in _ ms at ${site.url()}`,
      `[logged] browser_type on textbox "Password" ok in _ ms at ${site.url()}`,
      `[logged] browser_click invalid_ref in _ ms at ${site.url()}`,
    ]);
    expect(lines.join()).not.toContain('hunter2');
  });
});

describe('metrics', () => {
  it('count what was done, how it ended and what it cost', async () => {
    await using browser = sharingToolset({ sessions: { max: 1 } });
    const [ann, bob] = [browser.session('ann'), browser.session('bob')];
    expect(browser.metrics()).toMatchObject({
      sessions: { open: 0, opened: 0 },
      actions: {},
      browsers: { started: 0 },
    });
    expectSuccess(await ann.navigate({ url: site.url() }));
    expectFailure(await ann.click({ ref: '@e9999' }), 'invalid_ref');
    expectSuccess(await ann.snapshot());
    const before = browser.metrics();
    expect(before).toMatchObject({
      sessions: { open: 1, asleep: 0, opened: 1, hibernated: 0, recovered: 0 },
      browsers: { started: 1 },
      actions: {
        browser_navigate: { outcomes: { ok: 1 }, latency: { count: 1 } },
        browser_click: { outcomes: { invalid_ref: 1 } },
        browser_snapshot: { outcomes: { ok: 1 } },
      },
      queue: { waiting: 0, latency: { count: 3 } },
      crashes: { pages: 0, browsers: 0 },
      viewers: 0,
    });
    expect(before.snapshots).toEqual({ count: 3, tokens: expect.any(Number) });
    const { p50, p95, p99, max } = before.actions.browser_navigate?.latency ?? expect.fail('nothing was measured');
    expect([0, p50, p95, p99, max]).toEqual([0, p50, p95, p99, max].toSorted((a, b) => a - b));
    expectSuccess(await bob.navigate({ url: site.url() }));
    expect(browser.metrics().sessions).toMatchObject({ open: 1, asleep: 1, opened: 2, hibernated: 1 });
    expectSuccess(await ann.snapshot());
    expect(browser.metrics().sessions).toMatchObject({ opened: 3, recovered: 1 });
  });

  it('tell who waits for their turn, and who watches', async () => {
    const session = toolset.session('busy');
    expectSuccess(await session.navigate({ url: site.url() }));
    const stream = await toolset.startScreencast({ threadId: 'busy' });
    expect(toolset.metrics().viewers).toBe(1);
    await stream.stop();
    expect(toolset.metrics().viewers).toBe(0);
    const [slow, queued] = [session.navigate({ url: site.url('/slow') }), session.snapshot()];
    await expect.poll(() => toolset.metrics().queue.waiting).toBe(1);
    await Promise.all([slow, queued]);
    const { waiting, latency } = toolset.metrics().queue;
    expect(waiting).toBe(0);
    expect(latency.max).toBeGreaterThan(100);
  });

  it('do not count what was refused before it waited as waiting for ever', async () => {
    const abort = new AbortController();
    const session = toolset.session('aborted');
    const calls = [
      session.wait({ for: { seconds: 30 } }, { signal: abort.signal }),
      session.snapshot({}, { signal: abort.signal }),
    ];
    setImmediate(() => abort.abort());
    await Promise.all(calls);
    expect(toolset.metrics().queue.waiting).toBe(0);
    expect(toolset.metrics().actions.browser_wait?.outcomes).toEqual({ aborted: 1 });
  });
});
