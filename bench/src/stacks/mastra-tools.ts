import { Agent, type AgentConfig } from '@mastra/core/agent';
import type { ToolSchema } from './stack.ts';

interface ModelCall {
  tools?: readonly { name: string; description?: string; inputSchema: unknown }[];
}

/** Tool definitions exactly as Mastra's agent loop hands them to a model: read from the call a model receives. */
export async function schemasAsSent(tools: AgentConfig['tools']): Promise<readonly ToolSchema[]> {
  let received: ModelCall = {};
  const doGenerate = async (call: ModelCall) => {
    received = call;
    const usage = { inputTokens: 1, outputTokens: 1, totalTokens: 2 };
    return { content: [{ type: 'text', text: 'done' }], finishReason: 'stop', usage, warnings: [] };
  };
  const model = {
    specificationVersion: 'v2',
    provider: 'bench',
    modelId: 'bench',
    supportedUrls: {},
    doGenerate,
    doStream: doGenerate,
  };
  const agent = new Agent({
    id: 'bench',
    name: 'bench',
    instructions: 'none',
    model: model as unknown as AgentConfig['model'],
    tools,
  });
  await agent.generate('hello');
  return (received.tools ?? []).map(({ name, description, inputSchema }) => ({
    name,
    description: description ?? '',
    inputSchema,
  }));
}
