import { Agent } from '@mastra/core/agent';
import { isValidationError } from '@mastra/core/tools';
import { describe, expect, it } from 'vitest';
import { scriptedModel, textsRead } from '../../examples/scripted-model.ts';
import type { MastraTool } from '../../src/index.js';
import { testToolset } from '../fixtures.js';

/** What does not fit, and the words that must tell so. */
const cases = [
  { name: 'a required field left out', tool: 'browser_navigate', input: {}, tells: ['url', 'expected string'] },
  { name: 'the wrong type', tool: 'browser_click', input: { x: 'left', y: 1 }, tells: ['x', 'expected number'] },
  { name: 'a value that is no option', tool: 'browser_history', input: { direction: 'up' }, tells: ['"back"'] },
  { name: 'a number out of bounds', tool: 'browser_click', input: { ref: '@e1', clickCount: 21 }, tells: ['<=20'] },
  { name: 'a key that does not exist', tool: 'browser_snapshot', input: { depth: 3 }, tells: ['"depth"'] },
  { name: 'fields that contradict', tool: 'browser_click', input: { ref: '@e1', x: 1, y: 1 }, tells: ['either ref'] },
  { name: 'a wrong field inside another', tool: 'browser_wait', input: { for: { text: 5 } }, tells: ['for.text'] },
  { name: 'something that is no object', tool: 'browser_find', input: 'mugs', tells: ['expected object'] },
  { name: 'nothing', tool: 'browser_type', input: undefined, tells: ['ref', 'text'] },
] as const;

describe.each(cases)('$name', ({ tool, input, tells }) => {
  it("is told in Mastra's shape and ours at once", async () => {
    const toolset = testToolset();
    const { execute } = toolset.tools[tool] as MastraTool;
    const result = await execute(input);
    expect(isValidationError(result)).toBe(true);
    expect(result).toMatchObject({ success: false, code: 'invalid_input', canRetry: true });
    for (const words of tells) expect(result).toMatchObject({ message: expect.stringContaining(words) });
    expect(toolset.isBrowserRunning()).toBe(false);
  });

  it('is told to plain code with the same code', async () => {
    const session = testToolset().session() as unknown as Record<string, (given: unknown) => Promise<object>>;
    const result = await session[tool.replace('browser_', '')]?.(input);
    expect(result).toMatchObject({ success: false, code: 'invalid_input' });
    for (const words of tells) expect(result).toMatchObject({ message: expect.stringContaining(words) });
  });
});

describe('an agent whose model calls a tool with input that does not fit', () => {
  it('reads which field and what is expected; the program gets both shapes', async () => {
    const model = scriptedModel([{ tool: 'browser_history', input: { direction: 'up' } }, 'I see.']);
    const { tools } = testToolset();
    const agent = new Agent({ id: 'a', name: 'A', instructions: '', model, tools });
    const { toolResults } = await agent.generate('Go up');
    const result = toolResults[0]?.payload.result;
    expect(isValidationError(result)).toBe(true);
    expect(result).toMatchObject({ success: false, code: 'invalid_input' });
    const [text = ''] = textsRead(model.calls.at(-1)?.prompt ?? []);
    expect(text).toMatch(/^invalid_input: /);
    expect(text).toContain('- direction: Invalid option: expected one of "back"|"forward"|"reload"');
    expect(text).not.toContain('Provided arguments');
  });
});

describe('what models often get wrong and Mastra repairs', () => {
  it.each([
    ['null for fields that are left out', { ref: null, maxDepth: null, interactiveOnly: false }],
    ['undefined for fields that are left out', { ref: undefined }],
    ['no input at all', undefined],
  ])('takes %s', async (_, input) => {
    const { tools } = testToolset();
    expect(await tools.browser_snapshot.execute(input as never)).toMatchObject({ success: true, url: 'about:blank' });
  });

  it('takes JSON in a string', async () => {
    const { tools } = testToolset();
    const result = await tools.browser_wait.execute({ for: '{"seconds":0}' } as never);
    expect(result).toMatchObject({ success: true });
  });
});
