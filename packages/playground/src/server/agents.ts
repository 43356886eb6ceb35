import { Agent } from '@mastra/core/agent';
import type { MastraModelConfig } from '@mastra/core/llm';
import { Memory } from '@mastra/memory';
import { INSTRUCTIONS } from '../demo/instructions.js';
import type { ChosenModel } from '../demo/model-choice.js';
import { createScriptedModel } from '../scripted-model/index.js';
import { demoScripts } from '../tasks/index.js';
import type { StudioAgent } from './api.js';
import { BROWSER_AGENT_ID } from './browser-agent/browser-runs.js';
import type { ChatKey } from './chat-runs.js';
import { KeptTask } from './kept-task.js';
import type { RecordedToolset } from './recorded-toolset.js';

export interface StudioAgents {
  /** Those that are Mastra's. */
  readonly agents: Readonly<Record<string, Agent>>;
  readonly described: readonly StudioAgent[];
}

/**
 * The agent that follows scripts, and before it one on a real model where there is one; the browser agent beside them.
 * @param onRun is told of each run of a chat agent before it begins
 */
export function makeAgents(
  browser: RecordedToolset,
  model: ChosenModel | undefined,
  onRun: (key: ChatKey) => Promise<void>,
): StudioAgents {
  const make = (id: string, name: string, llm: MastraModelConfig) => {
    const memory = new Memory({ options: { lastMessages: 40 } });
    return new Agent({
      id,
      name,
      instructions: INSTRUCTIONS,
      model: llm,
      browser,
      memory,
      // What a run was asked and has done is there when the server ends in the middle of it.
      inputProcessors: [new KeptTask(memory, threadId => onRun({ agentId: id, threadId }))],
      defaultOptions: { savePerStep: true },
    });
  };
  const scripted = make('scripted', 'Scripted shopper', createScriptedModel(demoScripts));
  const kind = 'chat';
  const scriptedInfo = { id: 'scripted', name: 'Scripted shopper', kind } as const;
  const browserInfo = {
    id: BROWSER_AGENT_ID,
    name: 'Browser agent',
    kind: 'browser',
    ...(model && { model: model.id }),
  } as const;
  if (!model) return { agents: { scripted }, described: [scriptedInfo, browserInfo] };
  const web = make('web', 'Web agent', model.config);
  const webInfo = { id: 'web', name: 'Web agent', kind, model: model.id } as const;
  return { agents: { web, scripted }, described: [webInfo, browserInfo, scriptedInfo] };
}
