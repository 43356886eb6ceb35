import { describe, expect, test } from 'vitest';
import { z } from 'zod/v4';
import { BrowserAgent, defineAction } from '../src/index.js';
import { stage } from './fixtures.js';

const { browser, agent } = stage();

describe('a wrong configuration', () => {
  test.each([
    [{ browser: undefined }, /browser must be a toolset/],
    [{ model: undefined }, /model is missing/],
    [{ model: [] }, /model is missing/],
    [{ maxSteps: 0 }, /maxSteps/],
    [{ maxStep: 5 }, /maxStep/],
    [{ except: ['clik'] }, /there is no action clik/],
    [{ searchUrl: 'https://example.com' }, /in place of the query/],
    [{ browser: { tools: {} } }, /browser has no tool browser_snapshot/],
    [{ model: 42 }, /model must be what a Mastra agent takes/],
    [{ model: {} }, /model must be/],
    [{ model: 'gpt-5' }, /model must be/],
    [{ model: ['openai/gpt-5', 'gpt-5'] }, /model must be/],
    [{ judge: [] }, /judge is missing/],
    [{ judge: null }, /judge must be/],
    [{ extractModel: {} }, /extractModel must be/],
    [{ actions: {} }, /expected a list.*actions/s],
    [{ actions: [{}] }, /actions\[0\]\.name/],
  ])('%j is told with the name of the option', (wrong, message) => {
    expect(() => new BrowserAgent({ browser, model: 'openai/gpt-5-mini', ...wrong } as never)).toThrow(message);
  });

  test.each([
    [{ task: undefined }, /task/],
    [{ task: ' ' }, /task is empty/],
    [{ maxSteps: 0 }, /maxSteps/],
    [{ maxSteps: 'x' }, /maxSteps/],
    [{ output: { type: 'object' } }, /schema of zod.*output/s],
    [{ additionalInfos: 'x' }, /additionalInfos/],
    [{ onStep: 'x' }, /onStep/],
    [{ initialActions: [{ clik: {} }] }, /initialActions: there is no action "clik"/],
    [{ initialActions: [{}] }, /initialActions: an action has 0 names/],
    [{ initialActions: [{ click: { ref: 5 } }] }, /initialActions: click/],
  ])('of a run, %j is told with the name of the option', (wrong, message) => {
    expect(() => agent(() => '').run({ task: 'x', ...wrong } as never)).toThrow(message);
  });

  test('an own action needs a proper name', () => {
    expect(() =>
      defineAction({ name: 'My Action', description: '', input: z.object({}), run: async () => '' }),
    ).toThrow(/My Action/);
  });
});
