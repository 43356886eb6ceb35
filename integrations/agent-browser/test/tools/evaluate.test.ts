import { Agent } from '@mastra/core/agent';
import { createStep, createWorkflow } from '@mastra/core/workflows';
import { describe, expect, it } from 'vitest';
import { scriptedModel, textsRead } from '../../examples/scripted-model.ts';
import { estimateTokens } from '../../src/tokens.js';
import { evaluate } from '../../src/tools/evaluate.js';
import { expectFailure, expectSuccess, servePages, testToolset } from '../fixtures.js';
import { pageOpener } from './open-page.js';

const { openPage } = pageOpener({ allowEvaluate: true });
const hasty = pageOpener({ allowEvaluate: true, timeout: 2_000 });

const PAGE = `<h1>Shop</h1><button id="go" class="big">Go on</button><iframe srcdoc="<button>Inside</button>"></iframe>
  <script>window.answer = 42; class Price { constructor() { this.amount = 3 } toJSON() { return '3 EUR' } }</script>`;

/** What scripts come to: the script, what the result is, and its type. */
const OUTCOMES: [script: string, result: unknown, type: string][] = [
  ['answer', 42, 'number'],
  ['document.title', 'Test page', 'string'],
  ['({ a: 1 })', { a: 1 }, 'Object'],
  ['{ a: 1 }', { a: 1 }, 'Object'],
  ['const a = 20; a + 1;', 21, 'number'],
  ['const a = 20; return a + 2', 22, 'number'],
  ['const a = await Promise.resolve(23); return a', 23, 'number'],
  ['await new Promise(resolve => setTimeout(resolve, 20, "later"))', 'later', 'string'],
  ['Promise.resolve({ deep: Promise.resolve(1) })', { deep: '[Promise]' }, 'Object'],
  ['() => answer', 42, 'number'],
  ['async () => { return answer }', 42, 'number'],
  ['function () { return answer } // done', 42, 'number'],
  ['[1, 2].map((n) => n * 2)', [2, 4], 'Array'],
  ['alert', '[Function alert]', 'function'],
  ['undefined', undefined, 'undefined'],
  ['null', null, 'null'],
  ['[undefined, NaN, -Infinity, 10n, Symbol("s")]', ['[undefined]', 'NaN', '-Infinity', '10n', 'Symbol(s)'], 'Array'],
  ['new Map([["k", new Set([1, "two"])]])', [['k', [1, 'two']]], 'Map'],
  ['new Date(0)', '1970-01-01T00:00:00.000Z', 'Date'],
  ['new Date("never")', 'Invalid Date', 'Date'],
  [
    '[/a+/g, new TypeError("no"), new URL("https://a.example/b")]',
    ['/a+/g', 'TypeError: no', 'https://a.example/b'],
    'Array',
  ],
  ['const a = { n: 1 }; a.self = a; a.list = [a]; a', { n: 1, self: '[Circular]', list: ['[Circular]'] }, 'Object'],
  ['const one = { n: 1 }; ({ a: one, b: one })', { a: { n: 1 }, b: { n: 1 } }, 'Object'],
  ['document.querySelector("#go")', '<button id="go" class="big">Go on', 'HTMLButtonElement'],
  ['document.querySelectorAll("button")', ['<button id="go" class="big">Go on'], 'NodeList'],
  ['[window, document.body.childNodes[0].nodeType]', ['[Window]', 1], 'Array'],
  [
    'const inner = frames[0]; [inner, inner.document.body.firstChild, new inner.Map([[1, new inner.Date(0)]])]',
    ['[Window]', '<button>Inside', [[1, '1970-01-01T00:00:00.000Z']]],
    'Array',
  ],
  ['new DOMRect(1, 2, 3, 4)', { x: 1, y: 2, width: 3, height: 4, top: 2, right: 4, bottom: 6, left: 1 }, 'DOMRect'],
  ['new Uint8Array([1, 2])', [1, 2], 'Uint8Array'],
  ['new ArrayBuffer(7)', '[ArrayBuffer 7 bytes]', 'ArrayBuffer'],
  ['new Price()', '3 EUR', 'Object'],
  ['({ get broken() { throw new Error("no") }, fine: 1 })', { broken: '[Threw Error: no]', fine: 1 }, 'Object'],
  ['new Proxy({}, { ownKeys() { throw new Error("no keys") } })', '[Threw Error: no keys]', 'Object'],
];

describe('a script', () => {
  it('answers with what it came to, made of what JSON knows', async () => {
    const { session } = await openPage(PAGE);
    const seen: typeof OUTCOMES = [];
    for (const [expression] of OUTCOMES) {
      const { result, type = '' } = expectSuccess(await session.evaluate({ expression }));
      seen.push([expression, result, type]);
    }
    expect(seen).toEqual(OUTCOMES);
  });

  it('has the element of a ref, in its frame too, and the argument', async () => {
    const { session, ref } = await openPage(PAGE);
    const arg = { list: [1, 'two', null] };
    const both = await session.evaluate({
      expression: '(button, given) => [button.textContent, given]',
      ref: ref('button', 'Go on'),
      arg,
    });
    expect(both.result).toEqual(['Go on', arg]);
    const named = await session.evaluate({
      expression: '[element.ownerDocument !== top.document, element.textContent, arg]',
      ref: ref('button', 'Inside'),
      arg: 0,
    });
    expect(named.result).toEqual([true, 'Inside', 0]);
    expect(await session.evaluate({ expression: 'given => given * 2', arg: 21 })).toMatchObject({ result: 42 });
    expectFailure(await session.evaluate({ expression: '1', ref: '@e99' }), 'invalid_ref');
  });

  it('that throws says what, and that is no JavaScript says so', async () => {
    const { session } = await openPage(PAGE);
    const thrown = expectFailure(await session.evaluate({ expression: 'nothing.there' }), 'browser_error');
    expect(thrown.message).toBe('The script threw ReferenceError: nothing is not defined');
    const odd = expectFailure(await session.evaluate({ expression: 'Promise.reject({ code: 7 })' }), 'browser_error');
    expect(odd.message).toBe('The script threw {"code":7}');
    const wrong = expectFailure(await session.evaluate({ expression: 'const = 1' }), 'invalid_input');
    expect(wrong.message).toContain("expression: SyntaxError: Unexpected token '='");
  });

  it('works in a page that allows no eval and has broken what scripts need', async () => {
    const { session } = await openPage({
      '/': (_, response) => {
        response.setHeader('content-security-policy', "script-src 'nonce-a'");
        response.end(
          `<!doctype html><script nonce="a">JSON.stringify = () => 'broken'; Array.prototype.toJSON = () => 'broken'</script>`,
        );
      },
    });
    expect(await session.evaluate({ expression: 'const a = [1]; ({ a })' })).toMatchObject({ result: { a: [1] } });
  });

  it('says what it changed, and where it went', async () => {
    const { session, site } = await openPage({ '/': PAGE, '/next': '<h1>Next</h1>' });
    const changed = await session.evaluate({ expression: 'document.querySelector("#go").textContent = "Gone"; 1' });
    expect(changed.changes).toContain('"Gone"');
    const went = expectSuccess(
      await session.evaluate({ expression: 'location.href = "/next"; new Promise(() => {})' }),
    );
    expect(went).toMatchObject({ navigated: true, url: site.url('/next') });
  });

  it.each([
    'ran = (window.ran ?? 0) + 1',
    '() => (ran = (window.ran ?? 0) + 1)',
    'list.push(1)',
    '[...document.querySelectorAll("p")].map(p => p.click()) && ran',
    '(() => { queueMicrotask(() => ran++); return new Promise(resolve => setTimeout(() => resolve(ran))) })()',
    '(async () => { ran += 1; await null; return ran })()',
    'Promise.resolve().then(() => (ran += 1))',
    'counted.once',
    'ran += 1; ran',
  ])('has its effects once: %s', async expression => {
    const { session } = await openPage(`<p onclick="ran++">Count</p><script>
      var ran = 0, list = { push(value) { ran += value; return ran } };
      var counted = { get once() { return ++ran } };
    </script>`);
    expect(await session.evaluate({ expression })).toMatchObject({ result: 1 });
    expect(await session.evaluate({ expression: 'ran' })).toMatchObject({ result: 1 });
  });

  it('that only looks says that nothing changed, and what had changed before it', async () => {
    const { session, script } = await openPage('<h1>Shop</h1><p role="status"></p><button>Go</button>');
    const look = () =>
      session.evaluate({ expression: '[...document.querySelectorAll("button")].map(b => b.innerText)' });
    expect(await look()).toMatchObject({ result: ['Go'], changes: '(no change seen)' });
    await script(`document.querySelector('p').textContent = 'Sold out'`);
    expect((await look()).changes).toMatch(
      /^Since the last result:\n.*"Sold out"\nFrom this call:\n\(no change seen\)$/,
    );
    expect((await look()).changes).toBe('(no change seen)');
    const changed = expectSuccess(
      await session.evaluate({ expression: 'document.querySelector("h1").textContent = "Sale"' }),
    );
    expect(changed.changes).toContain('heading "Sale"');
  });

  it('has its dialogs answered, or leaves them open', async () => {
    const { session } = await openPage(PAGE);
    const answered = await session.evaluate({ expression: 'prompt("Name?")', onDialog: { accept: true, text: 'Ann' } });
    expect(answered).toMatchObject({ result: 'Ann', dialog: { message: 'Name?', answered: 'accepted' } });
    const open = expectSuccess(await session.evaluate({ expression: 'confirm("Sure?")' }));
    expect(open).toMatchObject({ dialog: { message: 'Sure?' } });
    expectSuccess(await session.dialog({ action: 'accept' }));
    expect(await session.evaluate({ expression: '1 + 1' })).toMatchObject({ result: 2 });
  });
});

describe('a script without end', () => {
  it.each([
    ['for (;;);', 'was still running and was stopped'],
    ['() => { while (true) { try { while (true) {} } catch {} } }', 'was still running and was stopped'],
    ['new Promise(() => {})', 'is still waiting for something'],
  ])('is stopped, and the session goes on: %s', async (expression, message) => {
    const { session, ref } = await hasty.openPage('<button onclick="document.title = \'Done\'">Go</button>');
    expect(expectFailure(await session.evaluate({ expression }), 'timeout').message).toContain(message);
    expect(await session.click({ ref: ref('button', 'Go') })).toMatchObject({ success: true, title: 'Done' });
  });

  it('ends when its caller gives up', async () => {
    const { session } = await openPage(PAGE);
    const ending = new AbortController();
    const running = session.evaluate({ expression: 'document.title = "Runs"; for (;;);' }, { signal: ending.signal });
    setTimeout(() => ending.abort(), 200);
    expectFailure(await running, 'aborted');
    expect(await session.evaluate({ expression: 'answer' })).toMatchObject({ result: 42 });
  });
});

describe('a long result', () => {
  it.each([
    ['"x ".repeat(1e6)', /^"(x )+… \d+ more characters"$/],
    ['Array.from({ length: 1e6 }, (_, n) => n)', /"… 99\d{4} more"\]$/],
    ['Object.fromEntries(Array.from({ length: 5e4 }, (_, n) => ["k" + n, { n }]))', /"…":"4\d{4} more"\}$/],
  ])('is cut to its budget and says how much is left out: %s', async (expression, end) => {
    const { session } = await openPage(PAGE);
    const result = expectSuccess(await session.evaluate({ expression }));
    const text = JSON.stringify(result.result);
    expect(text).toMatch(end);
    expect(estimateTokens(text)).toBeLessThanOrEqual(4_000);
    expect(result.truncated?.total).toBeGreaterThan(result.truncated?.shown ?? 0);
    expect(evaluate.headline(result)).toMatch(/\(cut: \d+ of at least \d+ tokens\)$/);
  });
});

describe('the tool', () => {
  it('is off unless the option allows it', async () => {
    expect(testToolset().tools).not.toHaveProperty('browser_evaluate');
    expect(testToolset({ allowEvaluate: true }).tools).toHaveProperty('browser_evaluate');
    const named = testToolset({ tools: { also: ['browser_evaluate'] } });
    const result = await named.tools.browser_evaluate.execute({ expression: '1' });
    expect(expectFailure(result, 'browser_error')).toMatchObject({
      message: expect.stringContaining('allowEvaluate'),
      canRetry: false,
    });
  });

  it('works the same for an agent and as a step of a workflow', async () => {
    const site = await servePages({ '/': `<!doctype html><title>Shop</title>${PAGE}` });
    const toolset = testToolset({ allowEvaluate: true });
    const input = { expression: '({ n: answer + arg })', arg: 1 };
    const model = scriptedModel([
      { tool: 'browser_navigate', input: { url: site.url() } },
      { tool: 'browser_evaluate', input },
      'Done',
    ]);
    const agent = new Agent({ id: 'a', name: 'A', instructions: '', model, tools: toolset.tools });
    await agent.generate('Look');
    expect(textsRead(model.calls.at(-1)?.prompt ?? []).at(-1)).toContain('Result: {"n":43}');
    const step = createStep(toolset.tools.browser_evaluate);
    const workflow = createWorkflow({ id: 'w', inputSchema: step.inputSchema, outputSchema: step.outputSchema })
      .then(step)
      .commit();
    const run = await workflow.createRun();
    await toolset.session(run.runId).navigate({ url: site.url() });
    expect(await run.start({ inputData: input })).toMatchObject({ status: 'success', result: { result: { n: 43 } } });
  });
});
