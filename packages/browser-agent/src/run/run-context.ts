import type { z } from 'zod/v4';
import type { ActionDefinition } from '../actions/action.js';
import type { RunFiles } from '../actions/run-files.js';
import type { BrowserTools } from '../browser/browser-tools.js';
import type { FormInPrompt, ModelClient } from '../model/model-client.js';
import type { AgentOptions } from '../options.js';
import type { Waits } from '../rerun/waits.js';
import type { AgentEvent } from './events.js';

/** The parts of a run besides its state. */
export interface RunContext {
  tools: BrowserTools;
  options: AgentOptions;
  /** All actions: those of a caller or a record may be others than the model has. */
  actions: readonly ActionDefinition[];
  /** The actions that the model has. */
  offered: readonly ActionDefinition[];
  models: ModelClient;
  /** The model that extracts. */
  extractor: ModelClient;
  judge?: ModelClient;
  /** The schema of the data that the caller wants. */
  output?: z.ZodType;
  files: RunFiles;
  /** Key of the numbers in the lines around page text that prompts repeat; no page knows it. */
  boundary: string;
  system: string;
  /** The same with the list of actions, for models that no schema tells of them. */
  inPrompt: FormInPrompt;
  /** For reruns. */
  waits: Waits;
  emit(event: AgentEvent): void;
  /** Whether somebody listens to events of this type. */
  hears(type: AgentEvent['type']): boolean;
}
