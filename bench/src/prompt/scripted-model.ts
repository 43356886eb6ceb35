import type { MastraModelConfig } from '@mastra/core/llm';

type Generates = { doGenerate(options: never): PromiseLike<{ content: unknown[] }> };
/** Mastra's model interface, version 2. */
type Model = Extract<MastraModelConfig, { specificationVersion: 'v2' } & Generates>;
type Generated = Awaited<ReturnType<Model['doGenerate']>>;
export type Prompt = Parameters<Model['doGenerate']>[0]['prompt'];

/** The next call of a run, from the texts of the results that the prompt still has; undefined ends the run. */
export type NextCall = (step: number, read: readonly string[]) => { tool: string; input: object } | undefined;

/** A model that plays a run, and keeps every prompt that it was sent. */
export function scriptedModel(next: NextCall): Model & { prompts: Prompt[] } {
  const prompts: Prompt[] = [];
  const answer = (prompt: Prompt): Generated => {
    prompts.push(prompt);
    const call = next(prompts.length - 1, resultTexts(prompt));
    const content: Generated['content'] =
      call === undefined
        ? [{ type: 'text', text: 'Done.' }]
        : [
            {
              type: 'tool-call',
              toolCallId: `call-${prompts.length}`,
              toolName: call.tool,
              input: JSON.stringify(call.input),
            },
          ];
    const usage = { inputTokens: 1, outputTokens: 1, totalTokens: 2 };
    return { content, finishReason: call === undefined ? 'stop' : 'tool-calls', usage, warnings: [] };
  };
  return {
    specificationVersion: 'v2',
    provider: 'scripted',
    modelId: 'script',
    supportedUrls: {},
    prompts,
    doGenerate: async ({ prompt }) => answer(prompt),
    doStream: async () => Promise.reject(new Error('The bench does not stream.')),
  };
}

/** The ref in the last line that holds a text. */
export function refIn(read: readonly string[], text: string): string {
  const lines = read.flatMap(result => result.split('\n')).filter(line => line.includes(text));
  const ref = lines.map(line => /@e\d+/.exec(line)?.[0]).findLast(found => found !== undefined);
  if (ref === undefined) throw new Error(`the prompt has no ref for ${text}`);
  return ref;
}

function resultTexts(prompt: Prompt): string[] {
  return prompt.flatMap(message =>
    message.role === 'tool' ? message.content.map(part => outputText(part.output)) : [],
  );
}

export function outputText(output: Extract<Prompt[number], { role: 'tool' }>['content'][number]['output']): string {
  if (output.type === 'text' || output.type === 'error-text') return output.value;
  if (output.type !== 'content') return JSON.stringify(output.value);
  return output.value.map(part => (part.type === 'text' ? part.text : '')).join('\n');
}
