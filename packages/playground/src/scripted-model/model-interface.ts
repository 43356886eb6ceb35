import type { MastraModelConfig } from '@mastra/core/llm';

type Generates = { doGenerate(options: never): PromiseLike<{ content: unknown[] }> };

/** The version 2 model interface, as Mastra itself declares it. */
export type LanguageModel = Extract<MastraModelConfig, { specificationVersion: 'v2' } & Generates>;
export type CallOptions = Parameters<LanguageModel['doStream']>[0];
export type Prompt = CallOptions['prompt'];
export type Generated = Awaited<ReturnType<LanguageModel['doGenerate']>>;
export type Usage = Generated['usage'];
export type StreamPart =
  Awaited<ReturnType<LanguageModel['doStream']>>['stream'] extends ReadableStream<infer Part> ? Part : never;
export type ToolResultOutput = Extract<
  Extract<Prompt[number], { role: 'tool' }>['content'][number],
  { type: 'tool-result' }
>['output'];
