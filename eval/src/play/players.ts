import {
  createScriptedAgentModel,
  createScriptedModel,
  type TaskScript,
} from '@browser-toolset/playground/dist/scripted-model/index.js';
import type { MastraModelConfig } from '@mastra/core/llm';
import type { EvalTask } from '../suite/task.ts';
import { playBrowser } from './browser-player.ts';
import { FaultyModel } from './faulty-model.ts';
import { playPlain } from './plain-player.ts';
import type { Player } from './player.ts';

export const AGENTS = ['browser', 'plain'] as const;
export type AgentName = (typeof AGENTS)[number];

export const PLAYERS: Readonly<Record<AgentName, Player>> = { browser: playBrowser, plain: playPlain };

/** The model that follows the script of a task, in the way in which an agent asks. */
export function scriptedModelFor(agent: AgentName, task: EvalTask): MastraModelConfig {
  const script = scriptOf(task);
  return agent === 'browser' ? createScriptedAgentModel(script) : createScriptedModel(script);
}

/** The same model for the browser agent, as it errs in this repeat. */
export function faultyModelFor(task: EvalTask, repeat: number): FaultyModel {
  return new FaultyModel(scriptOf(task), repeat);
}

function scriptOf({ id, script }: EvalTask): TaskScript {
  if (script === undefined) throw new Error(`The task ${id} has no script.`);
  return script;
}
