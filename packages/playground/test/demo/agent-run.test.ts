import { Writable } from 'node:stream';
import { Mastra } from '@mastra/core';
import { Agent } from '@mastra/core/agent';
import type { MastraModelConfig } from '@mastra/core/llm';
import { createTool } from '@mastra/core/tools';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { type DemoRunEvent, runAgent } from '../../src/demo/agent-run.js';
import { describeEffects } from '../../src/demo/effects.js';
import { Printer } from '../../src/demo/printer.js';
import { countTokens } from '../../src/demo/tokens.js';
import { createScriptedModel, step } from '../../src/scripted-model/index.js';

const CHANGES = '+ status "Added"\n~ link "Cart, 1 item" @e4\n- button "Add" ';

const press = createTool({
  id: 'press',
  description: 'Presses',
  inputSchema: z.object({ key: z.string() }),
  outputSchema: z.object({
    success: z.boolean(),
    url: z.string(),
    navigated: z.boolean(),
    changes: z.string(),
    changeCounts: z.object({ added: z.number(), changed: z.number(), removed: z.number() }),
  }),
  execute: async ({ key }) => {
    if (key === 'Escape') throw new Error('Nothing to escape from.');
    const changeCounts = { added: 1, changed: 1, removed: 1 };
    return { success: true, url: 'https://shop.example/cart', navigated: true, changes: CHANGES, changeCounts };
  },
  toModelOutput: output => ({
    type: 'content',
    value: [
      { type: 'text', text: `Pressed.\n${output.changes}` },
      { type: 'media', mediaType: 'image/png', data: 'iVBORw0KGgo=' },
    ],
  }),
});

const pressTwice = createScriptedModel({
  id: 'press-twice',
  steps: [
    step('First Enter.', 'press', () => ({ key: 'Enter' })),
    step('Then Escape.', 'press', () => ({ key: 'Escape' })),
  ],
});

async function eventsOf(model: MastraModelConfig, signal = new AbortController().signal): Promise<DemoRunEvent[]> {
  const presser = new Agent({ id: 'presser', name: 'Presser', instructions: 'Press keys.', model, tools: { press } });
  const agent = new Mastra({ agents: { presser }, logger: false }).getAgent('presser');
  const events: DemoRunEvent[] = [];
  const run = runAgent(agent, { task: 'Press keys.', threadId: 't', maxSteps: 5, signal });
  for await (const event of run) events.push(event);
  return events;
}

describe('watching an agent', () => {
  test('tells what was said, called and read, to the letter, failures included', async () => {
    const events = await eventsOf(pressTwice);
    expect(events.map(event => event.type)).toEqual([
      'said',
      'called',
      'answered',
      'said',
      'called',
      'answered',
      'said',
      'finished',
    ]);
    expect(events[2]).toMatchObject({
      step: { number: 1, toolName: 'press', args: { key: 'Enter' }, read: `Pressed.\n${CHANGES}`, pictures: 1 },
    });
    expect(events[5]).toMatchObject({
      step: { number: 2, result: { success: false }, read: 'Nothing to escape from.' },
    });
    expect(events[7]).toEqual({ type: 'finished', reason: 'stop' });
  });

  test('ends with the error of a model that fails', async () => {
    const broken = { ...pressTwice, doStream: () => Promise.reject(new Error('The model is asleep.')) };
    await expect(eventsOf(broken)).rejects.toThrow('The model is asleep.');
  });

  test('ends when it is interrupted', async () => {
    const interruption = new AbortController();
    interruption.abort();
    await expect(eventsOf(pressTwice, interruption.signal)).rejects.toThrow('aborted');
  });
});

describe('the printed run', () => {
  test('shows the call, the text, its cost and its effects, and adds them up, without colours where there is no terminal', async () => {
    let written = '';
    const stream = new Writable({
      write(chunk, _encoding, done) {
        written += chunk;
        done();
      },
    });
    const printer = new Printer(stream);
    for (const event of await eventsOf(pressTwice)) {
      if (event.type === 'called') printer.called(event.step);
      if (event.type === 'answered') printer.answered(event.step);
    }
    printer.summary();
    expect(written).toContain(' 1  press  key="Enter"\n    │ Pressed.\n    │ + status "Added"\n');
    expect(written).toMatch(
      /└ \d+ ms, \d+ tokens, a picture {2}went to https:\/\/shop\.example\/cart, 1 added, 1 changed, 1 removed/,
    );
    expect(written).toMatch(/ 2 {2}press +\d+ +\d+ {2}failed/);
    expect(written).toMatch(/total {2}2 steps/);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: terminal colours begin with the escape character
    expect(written).not.toMatch(/\u001b/);
  });

  test('names dialogs, downloads and new tabs, and survives odd results', () => {
    const result = {
      success: true,
      newTab: { tab: 't2', url: 'https://shop.example/terms' },
      dialog: { type: 'confirm', message: 'Sure?' },
      download: { fileName: 'invoice.pdf', fileSize: 1200, state: 'completed' },
      changeCounts: { added: 0, changed: 0, removed: 0 },
    };
    expect(describeEffects(result)).toEqual([
      'opened a tab with https://shop.example/terms',
      'confirm dialog “Sure?”',
      'downloaded invoice.pdf (1200 bytes)',
      'nothing changed',
    ]);
    expect(describeEffects({ success: false, code: 'stale_ref', changeCounts: 7, dialog: 'none' })).toEqual([
      'failed with stale_ref',
    ]);
  });

  test('say what was put into fields where nothing else changed', () => {
    const changeCounts = { added: 0, changed: 0, removed: 0 };
    const form = { success: true, fields: [{ value: 'Ann' }, { error: 'read only' }, { value: 'Oslo' }], changeCounts };
    expect(describeEffects(form)).toEqual(['filled 2 fields']);
    expect(describeEffects({ success: true, value: 'Ann', changeCounts })).toEqual(['filled 1 field']);
    expect(describeEffects({ success: true, value: 'Ann', changeCounts: { ...changeCounts, added: 1 } })).toEqual([
      '1 added',
    ]);
  });

  test('counts the control words of tokenizers as text', () => {
    expect(countTokens('Buy <|endoftext|> now')).toBeGreaterThan(3);
  });
});
