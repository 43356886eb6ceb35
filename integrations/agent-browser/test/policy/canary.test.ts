import { Agent } from '@mastra/core/agent';
import { MockMemory } from '@mastra/core/memory';
import { expect, it } from 'vitest';
import { CANARY, canaryPages, outside } from '../../../../scripts/testing/canary.ts';
import { type Prompt, type Script, scriptedModel } from '../../examples/scripted-model.ts';
import { type Route, servePages, testToolset } from '../fixtures.js';

const redirect: Route = (_, response) => response.writeHead(302, { location: 'http://canary.invalid:1/' }).end();
const site = await servePages({ ...canaryPages(), '/away': redirect });

const OPTIONAL = [
  'browser_console',
  'browser_network',
  'browser_emulate',
  'browser_extract',
  'browser_clipboard',
  'browser_pdf',
  'browser_storage',
] as const;

type Step = Exclude<Script[number], string>;
/** The call of a tool, which may need the ref of an element of the page, by a word of its name. */
const call = (tool: string, input: object | ((ref: (name: string) => string) => object) = {}): Step => {
  if (typeof input !== 'function') return { tool: `browser_${tool}`, input };
  return read => {
    const ref = (name: string): string => {
      const named = new RegExp(`"CANARY ${name}[^"]*" (@e\\d+)`);
      return (
        named.exec(read.findLast(text => named.test(text)) ?? '')?.[1] ??
        expect.fail(`there is no ${name} in\n${read.slice(-3).join('\n---\n')}`)
      );
    };
    return { tool: `browser_${tool}`, input: input(ref) };
  };
};
const open = [call('navigate', { url: site.url() }), call('snapshot', { interactiveOnly: false })];
const on = (...names: string[]) => names.flatMap(name => call('click', ref => ({ ref: ref(name) })));

const VISITS: Step[][] = [
  [call('find', { text: 'anar' }), call('find', { text: 'not there' }), call('read'), call('read', { format: 'html' })],
  [call('console'), call('network'), call('network', { id: 'r1' }), call('screenshot', { labels: true }), call('pdf')],
  [call('evaluate', { expression: 'document.title' }), call('evaluate', { expression: 'notThere' })],
  [call('evaluate', { expression: 'Promise.reject(new Error(document.title))' })],
  on('press', 'custom', 'break', 'disabled', 'covered'),
  [...on('get'), ...on('file'), call('hover', ref => ({ ref: ref('press') }))],
  [...on('ask'), call('snapshot'), call('dialog', { action: 'accept' })],
  [...on('prompt'), call('click', { ref: '@e1' }), call('dialog', { action: 'dismiss' })],
  [
    ...on('open'),
    call('tabs', { action: 'list' }),
    call('history', { direction: 'reload' }),
    call('tabs', { action: 'close' }),
  ],
  [call('type', ref => ({ ref: ref('field'), text: '<secret>PIN</secret>' }))],
  [call('type', ref => ({ ref: ref('choice'), text: '<secret>PIN</secret>' }))],
  [call('fill_form', ref => ({ fields: [{ ref: ref('choice'), value: '<secret>PIN</secret>' }] }))],
  [call('type', ref => ({ ref: ref('field'), text: 'x', clear: false })), call('press', { keys: 'Tab' })],
  [call('type', ref => ({ ref: ref('mail'), text: 'no mail', submit: true }))],
  [call('type', ref => ({ ref: ref('press'), text: 'x' })), call('snapshot', { ref: '@e9999' })],
  [call('select', ref => ({ ref: ref('choice') })), call('select', ref => ({ ref: ref('choice'), labels: ['none'] }))],
  [call('fill_form', ref => ({ fields: [{ ref: ref('field'), value: 'y' }], submit: ref('send') }))],
  [
    call('clipboard', ref => ({ action: 'copy', ref: ref('field') })),
    call('upload', ref => ({ ref: ref('file'), paths: ['/x'] })),
  ],
  [call('drag', ref => ({ from: ref('press'), to: ref('send') })), call('scroll', { direction: 'down' })],
  [
    call('wait', { for: { text: 'not there' }, timeout: 0.1 }),
    call('wait', { for: { url: '/not-there' }, timeout: 0.1 }),
  ],
  [call('page_tools', { action: 'list' }), call('page_tools', { action: 'call', name: 'no', input: {} })],
  [call('navigate', { url: site.url('/away') }), call('navigate', { url: 'javascript:0' })],
  [call('extract', { schema: { type: 'object', properties: {} } }), call('emulate', { colorScheme: 'dark' })],
  [call('storage', { action: 'save', name: 'here' }), call('close'), call('snapshot')],
];

/** A step that is decided when its turn comes, and not again: what it read is shortened by then. */
function onTurn(step: Step): Step {
  if (typeof step !== 'function') return step;
  let turn: ReturnType<typeof step> | undefined;
  return read => {
    turn ??= step(read);
    return turn;
  };
}

/** Each text that a model was sent, but for what it said itself. */
function textsSent(prompt: Prompt): string[] {
  return prompt.flatMap(message => {
    if (message.role === 'system') return [message.content];
    if (message.role === 'assistant') return [];
    return message.content.flatMap(part => {
      if (part.type === 'text') return [part.text];
      if (part.type !== 'tool-result') return [];
      const { output } = part;
      if (output.type === 'text' || output.type === 'error-text') return [output.value];
      if (output.type !== 'content') return [JSON.stringify(output.value)];
      return output.value.flatMap(each => (each.type === 'text' ? [each.text] : []));
    });
  });
}

it.each([
  ['all at once', 0],
  ['by default', undefined],
])(
  'text of a page stands between lines in all results, shortened %s, and in what is said of the browser',
  async (_, staleTokens) => {
    const toolset = testToolset({
      allowEvaluate: true,
      webMcp: true,
      secrets: { PIN: { value: '4711', domains: ['secret.example'] } },
      tools: { also: [...OPTIONAL] },
      ...(staleTokens !== undefined && { prompt: { staleTokens } }),
    });
    const ids = Object.keys(toolset.tools);
    const half = VISITS.length / 2;
    // What was read of the page is shortened soon: each step that needs a ref reads it anew.
    const script = (visits: Step[][]): Script => [
      ...visits.flatMap(visit =>
        visit.flatMap((step, n) => (n === 0 || typeof step === 'function' ? [...open, onTurn(step)] : [step])),
      ),
      'Seen.',
    ];
    const memory = new MockMemory();
    const prompts: Prompt[] = [];
    for (const visits of [VISITS.slice(0, half), VISITS.slice(half)]) {
      const model = scriptedModel(script(visits));
      const agent = new Agent({ id: 'web', name: 'Web', instructions: 'Browse.', model, memory, browser: toolset });
      const { text } = await agent.generate('See all', {
        maxSteps: 200,
        memory: { thread: 'canary', resource: 'user' },
      });
      prompts.push(...model.calls.map(({ prompt }) => prompt));
      expect(text).toBe('Seen.');
    }
    const texts = prompts.flatMap(textsSent);
    const outsideOf = texts.flatMap(text => outside(text).split('\n'));
    expect([...new Set(outsideOf.filter(line => CANARY.test(line)))]).toEqual([]);
    expect(texts.filter(text => text.startsWith('[shortened]') && CANARY.test(text)).length).toBeGreaterThan(20);
    expect(texts.filter(text => text.startsWith('<state') && CANARY.test(text)).length).toBeGreaterThan(0);
    const called = new Set(
      prompts.flatMap(prompt =>
        prompt.flatMap(({ role, content }) =>
          role === 'tool' ? content.flatMap(part => (part.type === 'tool-result' ? part.toolName : [])) : [],
        ),
      ),
    );
    expect(ids.filter(id => !called.has(id))).toEqual([]);
  },
);
