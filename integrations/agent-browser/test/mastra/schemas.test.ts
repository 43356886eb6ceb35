import { Agent } from '@mastra/core/agent';
import { describe, expect, it } from 'vitest';
import { scriptedModel } from '../../examples/scripted-model.ts';
import { testToolset } from '../fixtures.js';
import { act, keptBy, refsOf, serveEverything, type ToolName } from './tool-results.js';

const SCHEMA_LIMIT = 12 * 1024;
const site = await serveEverything();

async function toolsAsSent(provider: string, modelId: string) {
  const model = scriptedModel(['Hello.'], { provider, modelId });
  const agent = new Agent({ id: 'a', name: 'A', instructions: '', model, tools: testToolset().tools });
  await agent.generate('Hello');
  return model.calls[0]?.tools ?? expect.fail('no tools were sent');
}

describe('the tools as a model gets them', () => {
  it.each([
    ['any', 'any-model'],
    ['anthropic', 'claude-sonnet'],
    ['google', 'gemini-pro'],
  ])('take at most 12 KB for %s', async (provider, modelId) => {
    expect(JSON.stringify(await toolsAsSent(provider, modelId)).length).toBeLessThanOrEqual(SCHEMA_LIMIT);
  });

  it('are plain objects at the top, which every model API takes', async () => {
    for (const tool of await toolsAsSent('any', 'any-model')) {
      expect(tool).toMatchObject({ type: 'function', inputSchema: { type: 'object', additionalProperties: false } });
      const keys = Object.keys((tool as { inputSchema: object }).inputSchema);
      expect(keys).not.toEqual(expect.arrayContaining([expect.stringMatching(/^(oneOf|anyOf|allOf)$/)]));
    }
  });

  it('have names that Mastra Studio opens its live view for', async () => {
    for (const { name } of await toolsAsSent('any', 'any-model')) expect(name).toMatch(/^browser_/);
  });
});

describe('the output schema of a tool', () => {
  it('is one object that needs nothing but `success`', () => {
    for (const { outputSchema } of Object.values(testToolset().tools)) {
      const schema = outputSchema?.['~standard'].jsonSchema.output({ target: 'draft-07' });
      expect(schema).toMatchObject({ type: 'object', required: ['success'] });
    }
  });
});

describe('the output schema of a tool that is opted into', () => {
  it('keeps every field of its results', async () => {
    const also = ['browser_console', 'browser_network', 'browser_emulate'];
    const toolset = testToolset({ tools: { also }, allowEvaluate: true, uploadRoots: [import.meta.dirname] });
    const session = toolset.session();
    const refs = await refsOf(session, site);
    const calls: [ToolName, object][] = [
      ['browser_upload', { ref: refs[0], paths: ['schemas.test.ts'] }],
      ['browser_upload', { ref: refs.at(-1), paths: ['schemas.test.ts'] }],
      [
        'browser_evaluate',
        { expression: 'console.error("e"); setTimeout(() => { throw new Error("u") }); [{ a: undefined }]' },
      ],
      ['browser_evaluate', { expression: '"x ".repeat(1e5)' }],
      ['browser_console', {}],
      ['browser_network', {}],
      ['browser_network', { id: 'r1' }],
      ['browser_emulate', { colorScheme: 'dark', geolocation: { latitude: 1, longitude: 2 } }],
    ];
    for (const [tool, input] of calls) {
      const result = await act(session, tool, input);
      expect(keptBy(toolset.tools[tool], result)).toEqual(result);
    }
  });
});
