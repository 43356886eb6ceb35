import { Agent } from '@mastra/core/agent';
import { Mastra } from '@mastra/core/mastra';
import { MockMemory } from '@mastra/core/memory';
import { InMemoryStore } from '@mastra/core/storage';
import { createStep, createWorkflow } from '@mastra/core/workflows';
import { describe, expect, it } from 'vitest';
import { z } from 'zod/v4';
import { refIn, type Script, scriptedModel, textsRead } from '../../examples/scripted-model.ts';
import { MOST_APPROVALS } from '../../src/call/approvals.js';
import { approvalFor, type BrowserAction, type BrowserToolsetConfig, type PreviewOptions } from '../../src/index.js';
import { expectFailure, expectSuccess, pageOf, refOf, servePages, testToolset } from '../fixtures.js';

const site = await servePages({
  '/': `<!doctype html><title>Shop</title><link rel="icon" href="data:,">
    <button onclick="out.textContent += ' paid'">Pay now</button>
    <ul><li>Blue mug <button onclick="out.textContent += ' removed'" id="delete-blue">×</button><li>Red pot <button>×</button></ul>
    <a href="/" id="home">Home</a> <a href="/file.zip">File</a>
    <form onsubmit="out.textContent += ' sent'; return false"><label>Name <input></label><button>Go</button></form>
    <button onclick="confirm('Delete all?') && (out.textContent += ' all')">Clear</button>
    <output id="out"></output>`,
});

/** A toolset, an agent that plays a script, and what the page says in the end. */
async function shop(script: Script, approval: BrowserToolsetConfig['approval'] = ['pay', 'delete']) {
  const toolset = testToolset({ approval });
  const model = scriptedModel([{ tool: 'browser_navigate', input: { url: site.url() } }, ...script, 'Done.']);
  const agent = new Agent({
    id: 'a',
    name: 'A',
    instructions: '',
    model,
    tools: toolset.tools,
    memory: new MockMemory(),
  });
  new Mastra({ agents: { agent }, storage: new InMemoryStore() });
  const memory = { thread: 'ann', resource: 'ann' };
  const said = async () => (await pageOf(toolset, 'ann')).evaluate<string>('out.textContent');
  const read = () => textsRead(model.calls.at(-1)?.prompt ?? []);
  return { toolset, agent, memory, said, read };
}

const pay = (read: string[]) => ({ tool: 'browser_click', input: { ref: refIn(read.slice(0, 1), '"Pay now"') } });

describe('the agent loop', () => {
  it('asks before it pays, and pays once it is approved', async () => {
    const { agent, memory, said } = await shop([pay]);
    const first = await agent.generate('Pay', { memory });
    expect(first.finishReason).toBe('suspended');
    expect(await said()).toBe('');
    const second = await agent.approveToolCallGenerate({ runId: first.runId ?? '' });
    expect(second.text).toBe('Done.');
    expect(await said()).toBe(' paid');
  });

  it('does nothing when it is declined, and asks again the next time', async () => {
    const { agent, memory, said, read } = await shop([pay, pay]);
    const first = await agent.generate('Pay', { memory });
    const second = await agent.declineToolCallGenerate({ runId: first.runId ?? '' });
    expect(read().at(-1)).toMatch(/not approved/);
    expect(second.finishReason).toBe('suspended');
    expect(await said()).toBe('');
  });

  it('asks nothing about what is of no such class', async () => {
    const { agent, memory, said } = await shop([
      read => ({ tool: 'browser_click', input: { ref: refIn(read, '"Go"') } }),
    ]);
    expect((await agent.generate('Go', { memory })).finishReason).toBe('stop');
    expect(await said()).toBe(' sent');
  });

  it('asks when the call is known for what it is only once it runs', async () => {
    const model = scriptedModel([
      [
        { tool: 'browser_navigate', input: { url: site.url() } },
        { tool: 'browser_click', input: { ref: '@e1' } },
      ],
      'Done.',
    ]);
    const toolset = testToolset({ approval: approvalFor('pay') });
    const eager = new Agent({
      id: 'e',
      name: 'E',
      instructions: '',
      model,
      tools: toolset.tools,
      memory: new MockMemory(),
    });
    new Mastra({ agents: { eager }, storage: new InMemoryStore() });
    const first = await eager.generate('Pay', { memory: { thread: 'ann', resource: 'ann' } });
    expect(first.finishReason).toBe('suspended');
    const page = await pageOf(toolset, 'ann');
    expect(await page.evaluate('out.textContent')).toBe('');
    const second = await eager.approveToolCallGenerate({ runId: first.runId ?? '' });
    expect(second.text).toBe('Done.');
    expect(await page.evaluate('out.textContent')).toBe(' paid');
  });

  it('is not fooled by a call that brings its own approval', async () => {
    const { agent, memory, said } = await shop([
      read => ({ ...pay(read), input: { ...pay(read).input, resumeData: { approved: true } } }),
    ]);
    expect((await agent.generate('Pay', { memory })).finishReason).toBe('suspended');
    expect(await said()).toBe('');
  });

  it('asks when the approval itself fails', async () => {
    const { agent, memory } = await shop([pay], () => {
      throw new Error('no');
    });
    expect((await agent.generate('Pay', { memory })).finishReason).toBe('suspended');
  });
});

describe('what is judged', () => {
  it('says what is acted on and what it looks like, and no values', async () => {
    const seen: BrowserAction[] = [];
    const toolset = testToolset({
      approval: action => {
        seen.push(action);
        return false;
      },
      secrets: { PW: { value: 'swordfish', domains: ['127.0.0.1'] } },
    });
    const context = { agent: { threadId: 'ann', toolCallId: '1', messages: [] } } as never;
    const { tools } = toolset;
    expectSuccess(await tools.browser_navigate.execute({ url: site.url() }, context));
    const read = expectSuccess(await tools.browser_snapshot.execute({}, context));
    const ref = (role: string, name: string) => refOf(read, role, name);
    await tools.browser_click.execute({ ref: ref('button', '×') }, context);
    await tools.browser_type.execute(
      { ref: ref('textbox', 'Name'), text: 'x<secret>PW</secret>', submit: true },
      context,
    );
    await tools.browser_fill_form.execute(
      { fields: [{ ref: ref('textbox', 'Name'), value: 'Ann' }], submit: ref('button', 'Go') },
      context,
    );
    await tools.browser_press.execute({ keys: 'Enter' }, context);
    const box = await (await pageOf(toolset, 'ann')).locator('button').first().boundingBox();
    await tools.browser_click.execute({ x: (box?.x ?? 0) + 5, y: (box?.y ?? 0) + 5 }, context);
    await tools.browser_click.execute({ ref: ref('button', 'Clear') }, context);
    await tools.browser_dialog.execute({ action: 'accept' }, context);
    const judged = seen.map(({ tool, classes, element, values }) => [tool, classes, element?.name, values]);
    expect(judged).toEqual([
      ['browser_navigate', [], undefined, []],
      ['browser_click', ['delete'], '×', []],
      ['browser_type', ['submit'], 'Name', ['secret']],
      ['browser_fill_form', ['submit'], 'Go', ['text']],
      ['browser_press', ['submit'], 'Go', ['keys']],
      ['browser_click', ['pay'], 'Pay now', []],
      ['browser_click', [], 'Clear', []],
      ['browser_dialog', ['delete'], undefined, []],
    ]);
    expect(seen[1]).toEqual({
      tool: 'browser_click',
      threadId: 'ann',
      url: site.url(),
      ref: ref('button', '×'),
      element: { role: 'button', name: '×', row: expect.stringContaining('Blue mug'), tag: 'button' },
      values: [],
      classes: ['delete'],
      isUncertain: false,
    });
    expect(JSON.stringify(seen)).not.toContain('swordfish');
  });
});

describe('without an agent loop', () => {
  it('a step of a workflow waits, acts when it is resumed with approval, and fails without', async () => {
    const toolset = testToolset({ approval: ['pay'], sessionKey: () => 'ann' });
    const session = toolset.session('ann');
    await session.navigate({ url: site.url() });
    const ref = refOf(expectSuccess(await session.snapshot()), 'button', 'Pay now');
    const step = createStep(toolset.tools.browser_click as never);
    const workflow = createWorkflow({ id: 'w', inputSchema: z.any(), outputSchema: z.any() })
      .then(step as never)
      .commit();
    new Mastra({ workflows: { workflow }, storage: new InMemoryStore() });
    for (const approved of [false, true]) {
      const run = await workflow.createRun();
      const first = await run.start({ inputData: { ref } });
      expect(first.status).toBe('suspended');
      const page = await pageOf(toolset, 'ann');
      expect(await page.evaluate('out.textContent')).toBe('');
      const second = await run.resume({ step: 'browser_click', resumeData: { approved } });
      expect(second.status).toBe(approved ? 'success' : 'failed');
      expect(await page.evaluate('out.textContent')).toBe(approved ? ' paid' : '');
    }
  });

  it('tool.execute is refused, and what needs no approval acts', async () => {
    const toolset = testToolset({ approval: ['pay'] });
    const { tools } = toolset;
    await tools.browser_navigate.execute({ url: site.url() });
    const read = expectSuccess(await tools.browser_snapshot.execute({}));
    const refused = expectFailure(
      await tools.browser_click.execute({ ref: refOf(read, 'button', 'Pay now') }),
      'approval_required',
    );
    expect(refused.message).toMatch(
      /browser_click on button "Pay now" \(pay\) needs approval\. Nobody can be asked here/,
    );
    expectSuccess(await tools.browser_click.execute({ ref: refOf(read, 'button', 'Go') }));
    expect(await (await pageOf(toolset, 'default')).evaluate('out.textContent')).toBe(' sent');
  });

  it('is needed however a press is written or made', async () => {
    const { tools } = testToolset({ approval: ['submit', 'delete', 'pay'] });
    await tools.browser_navigate.execute({ url: site.url() });
    const read = expectSuccess(await tools.browser_snapshot.execute({}));
    const [name, home] = [refOf(read, 'textbox', 'Name'), refOf(read, 'link', 'Home')];
    const go = expectSuccess(await tools.browser_type.execute({ ref: name, text: 'Ann' }));
    for (const keys of ['Enter ', ' enter', 'Return', 'spacebar', 'Shift+Enter', ['Tab', 'Enter']])
      expectFailure(await tools.browser_press.execute({ keys, ref: home }), 'approval_required');
    const pay = { ref: refOf(read, 'button', 'Pay now') };
    expectFailure(await tools.browser_upload.execute({ ...pay, paths: ['/none'] }), 'approval_required');
    expectFailure(
      await tools.browser_click.execute({ ref: refOf(read, 'button', 'Clear'), onDialog: { accept: true } }),
      'approval_required',
    );
    expectFailure(
      await tools.browser_select.execute({ ref: refOf(read, 'button', 'Clear'), labels: ['Delete project'] }),
      'approval_required',
    );
    expectFailure(
      await tools.browser_fill_form.execute({ fields: [{ ref: pay.ref, value: true }] }),
      'approval_required',
    );
    const at = { x: Number(go.x), y: Number(go.y) };
    expectSuccess(await tools.browser_click.execute(at));
    expectSuccess(await tools.browser_press.execute({ keys: 'ArrowDown', ref: home }));
  });

  it('a session of the program acts: the program is the one who would be asked', async () => {
    const toolset = testToolset({ approval: ['pay'] });
    const session = toolset.session();
    await session.navigate({ url: site.url() });
    const ref = refOf(expectSuccess(await session.snapshot()), 'button', 'Pay now');
    expectSuccess(await session.click({ ref }));
  });

  it('is needed to open a file, and to send a form again by way of the history', async () => {
    const sent: string[] = [];
    const forms = await servePages({
      '/': '<!doctype html><title>Form</title><link rel="icon" href="data:,"><form method="post" action="/order"><button>Order</button></form>',
      '/order': (request, response) => {
        sent.push(String(request.method));
        response.setHeader('content-type', 'text/html');
        response.end('<!doctype html><title>Ordered</title><a href="/">Back to the shop</a>');
      },
    });
    const toolset = testToolset({ approval: ['submit', 'download'] });
    const { tools } = toolset;
    const file = forms.url('/report.zip?x=1');
    expectFailure(await tools.browser_navigate.execute({ url: file }), 'approval_required');
    expectFailure(await tools.browser_tabs.execute({ action: 'new', url: file }), 'approval_required');
    expectSuccess(await tools.browser_navigate.execute({ url: forms.url() }));
    expectSuccess(await tools.browser_history.execute({ direction: 'reload' }));
    const order = refOf(expectSuccess(await tools.browser_snapshot.execute({})), 'button', 'Order');
    expectSuccess(await toolset.session('default').click({ ref: order }));
    expectFailure(await tools.browser_history.execute({ direction: 'reload' }), 'approval_required');
    expectSuccess(await tools.browser_history.execute({ direction: 'back' }));
    expectFailure(await tools.browser_history.execute({ direction: 'forward' }), 'approval_required');
    expect(sent).toEqual(['POST']);
  });

  it('is asked for again once too many other calls have waited', async () => {
    const { browser_press: press } = testToolset({ approval: () => true, sessionKey: () => 'ann' }).tools;
    const asked: unknown[] = [];
    const suspend = async (payload: unknown) => void asked.push(payload);
    const call = (keys: string, resumeData?: object) => press.execute({ keys }, { suspend, resumeData } as never);
    for (const count of Array(MOST_APPROVALS + 1).keys()) await call(`F${count}`);
    expect(asked).toHaveLength(MOST_APPROVALS + 1);
    await call('F0', { approved: true });
    expect(asked).toHaveLength(MOST_APPROVALS + 2);
    expectSuccess(await call('F2', { approved: true }));
    expect(asked).toHaveLength(MOST_APPROVALS + 2);
  });

  it.each([null, undefined, 'yes', 'no', 1, {}, { approved: null }, { approved: 'true' }])(
    'is not given by a call of an agent that is resumed with %j',
    async resumeData => {
      const toolset = testToolset({ approval: ['pay'], sessionKey: () => 'ann' });
      const { browser_click: click, browser_navigate: navigate, browser_snapshot: look } = toolset.tools;
      await navigate.execute({ url: site.url() });
      const ref = refOf(expectSuccess(await look.execute({})), 'button', 'Pay now');
      const asked: object[] = [];
      const suspend = async (payload: object) => void asked.push(payload);
      const call = (data?: unknown) =>
        click.execute({ ref }, { agent: { toolCallId: 'c1', messages: [], suspend, resumeData: data } } as never);
      await call();
      await call(resumeData);
      expect(await (await pageOf(toolset, 'ann')).evaluate('out.textContent')).toBe('');
      await call({ approved: true });
      expect(await (await pageOf(toolset, 'ann')).evaluate('out.textContent')).toBe(' paid');
    },
  );

  it('for a point is asked for again where another element is at it by now', async () => {
    const toolset = testToolset({ approval: ['pay'], sessionKey: () => 'ann' });
    const { browser_click: click, browser_navigate: navigate } = toolset.tools;
    await navigate.execute({ url: site.url() });
    const page = await pageOf(toolset, 'ann');
    const { x, y } = await page.evaluate<{ x: number; y: number }>(
      "document.querySelector('button').getBoundingClientRect().toJSON()",
    );
    const at = { x: x + 10, y: y + 5 };
    const asked: { approval?: BrowserAction }[] = [];
    const suspend = async (payload: object) => void asked.push(payload);
    const call = (resumeData?: object) => click.execute(at, { suspend, resumeData } as never);
    await call();
    await page.evaluate("document.querySelector('button').textContent = 'Pay all now'");
    await call({ approved: true });
    expect(asked.map(({ approval }) => approval?.element?.name)).toEqual(['Pay now', 'Pay all now']);
    expect(await page.evaluate('out.textContent')).toBe('');
    expectSuccess(await call({ approved: true }));
    expect(await page.evaluate('out.textContent')).toBe(' paid');
  });

  it('nothing is asked without the option', () => {
    const { browser_click: click } = testToolset().tools;
    expect(click.requireApproval).toBe(false);
    expect(click.suspendSchema).toBeUndefined();
  });
});

describe('a link', () => {
  const links = servePages({
    '/': `<!doctype html><title>Cart</title><link rel="icon" href="data:,">
      <a href="/checkout">Go to checkout</a> <a href="/login">Log in</a> <a href="/pay.zip">Pay by invoice</a>
      <a href="/checkout" onclick="">Buy at once</a> <a href="javascript:void 0">Pay now</a>
      <div id="around"><a href="/pay">Pay later</a></div> <a href="/buy"><b id="within">Buy</b> it</a>
      <button>Checkout</button> <form><button formaction="/x">Order now</button></form> <a href="/remove?id=3">Remove</a>
      <script>for (const at of [around, within]) at.addEventListener('click', () => {});</script>`,
    '/heard': `<!doctype html><title>Heard</title><link rel="icon" href="data:,"><a href="/checkout">Go to checkout</a>
      <script>document.addEventListener('pointerdown', () => {});</script>`,
  });

  it('pays and sends nothing where no script hears its press', async () => {
    const toolset = testToolset();
    const session = toolset.session('links');
    const classesOf = async (path: string) => {
      expectSuccess(await session.navigate({ url: (await links).url(path) }));
      const read = expectSuccess(await session.snapshot());
      const found = [...(read.tree ?? '').matchAll(/(?:link|button) "([^"]+)" (@e\d+)/g)];
      const previews = found.map(async ([, name = '', ref = '']) => {
        const preview = await toolset.previewAction('browser_click', { ref }, 'links');
        return [name, preview?.classes] as const;
      });
      return Object.fromEntries(await Promise.all(previews));
    };
    expect(await classesOf('/')).toEqual({
      'Go to checkout': [],
      'Log in': [],
      'Pay by invoice': ['download'],
      'Buy at once': ['pay'],
      'Pay now': ['pay'],
      'Pay later': ['pay'],
      'Buy it': ['pay'],
      Checkout: ['pay'],
      'Order now': ['submit', 'pay'],
      Remove: ['delete'],
    });
    expect(await classesOf('/heard')).toEqual({ 'Go to checkout': ['pay'] });
  });
});

describe('a preview of an action', () => {
  it('names the element, its row and its classes, and where it is, without a browser too', async () => {
    const orders = await servePages({
      '/': `<!doctype html><link rel="icon" href="data:,"><title>Orders</title><table>
        <tr><td>Order 7<td><button style="width: 80px; height: 30px">Pay now</button><tr><td>Order 8<td><button>Pay now</button></table><p>`,
    });
    const toolset = testToolset();
    const session = toolset.session('preview');
    expectSuccess(await session.navigate({ url: orders.url() }));
    const ref = refOf(expectSuccess(await session.snapshot()), 'button', 'Pay now');
    const preview = await toolset.previewAction('browser_click', { ref }, 'preview');
    expect(preview).toMatchObject({
      tool: 'browser_click',
      ref,
      element: { role: 'button', name: 'Pay now', row: expect.stringContaining('Order 7') },
      classes: ['pay'],
      elements: [{ ref, name: 'Pay now', box: { width: 80, height: 30 } }],
    });
    expect(await toolset.previewAction('browser_click', { ref: '@e99' }, 'preview')).toMatchObject({ elements: [] });
    expect(await toolset.previewAction('browser_click', { reference: 5 }, 'preview')).toBeUndefined();
    expect(await toolset.previewAction('browser_navigate', { url: orders.url() }, 'not begun')).toMatchObject({
      classes: [],
    });
    expect(toolset.isBrowserRunning('not begun')).toBe(false);
  });

  const forms = servePages({
    '/': `<!doctype html><link rel="icon" href="data:,"><title>Pay</title><style>input, select, button { height: 30px }</style>
      <form action="/paid"><label>Name on card <input></label> <label>Security code <input autocomplete="cc-csc"></label>
      <label>Password <input type="password"></label> <label>PIN <input style="-webkit-text-security: disc"></label>
      <label>Token <input type="password"></label>
      <label>Country <select><option>Norway<option>Iceland</select></label> <label><input type="checkbox">Terms</label>
      <p style="height: 3000px"></p><button>Confirm card</button></form>`,
  });

  it('says what each field of a form gets, without passwords and codes, and shows where it is', async () => {
    const toolset = testToolset({ secrets: { TOKEN: { value: 'swordfish', domains: ['127.0.0.1'] } } });
    const session = toolset.session('form');
    expectSuccess(await session.navigate({ url: (await forms).url() }));
    const read = expectSuccess(await session.snapshot());
    const field = (name: string, value: string | boolean | string[], role = 'textbox') => ({
      ref: refOf(read, role, name),
      value,
    });
    const fields = [
      field('Name on card', 'Ann swordfish'),
      field('Security code', '123'),
      field('Password', 'hunter2'),
      field('PIN', '9876'),
      field('Token', '<secret>TOKEN</secret>'),
      field('Country', ['Iceland'], 'combobox'),
      field('Terms', true, 'checkbox'),
    ];
    const submit = refOf(read, 'button', 'Confirm card');
    const describe = (more?: PreviewOptions) =>
      toolset.previewAction('browser_fill_form', { fields, submit }, 'form', more);
    const preview = await describe();
    expect(preview?.fields?.map(({ name, value }) => [name, value])).toEqual([
      ['Name on card', 'Ann <secret>TOKEN</secret>'],
      ['Security code', '••••••••'],
      ['Password', '••••••••'],
      ['PIN', '••••••••'],
      ['Token', '<secret>TOKEN</secret>'],
      ['Country', 'Iceland'],
      ['Terms', 'checked'],
    ]);
    const names = [...fields.map(({ ref }) => ref), submit];
    expect(preview?.elements.map(({ ref }) => ref)).toEqual(names);
    const button = (shown: typeof preview) => shown?.elements.at(-1)?.box?.y ?? expect.fail('it has a place');
    expect(button(preview)).toBeGreaterThan(2000);
    expect(button(await describe({ show: 'all' }))).toBeLessThan(720);
    const [first] = names;
    const again = await describe({ show: first as `@${string}` });
    expect(again?.elements[0]?.box?.y).toBeGreaterThanOrEqual(0);
    expect(button(again)).toBeGreaterThan(2000);
    await toolset.takeControl('form');
    expect(button(await describe({ show: 'all' }))).toBeGreaterThan(2000);

    for (const [tool, input, value] of [
      ['browser_type', { ref: fields[2]?.ref, text: 'hunter2' }, '••••••••'],
      ['browser_select', { ref: fields[5]?.ref, indexes: [1] }, 'option 2'],
      ['browser_upload', { ref: fields[0]?.ref, paths: ['a.txt', 'b.txt'] }, 'a.txt, b.txt'],
    ] as const)
      expect((await toolset.previewAction(tool, input, 'form'))?.fields?.map(each => each.value)).toEqual([value]);
    const drag = await toolset.previewAction('browser_drag', { from: fields[0]?.ref, to: submit }, 'form');
    expect(drag?.elements.map(({ name }) => name)).toEqual(['Name on card', 'Confirm card']);
  });
});
