import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BrowserToolsetLike } from '@browser-toolset/core';
import type { ActionDefinition } from '../actions/action.js';
import { RunFiles } from '../actions/run-files.js';
import { searchAction } from '../actions/search.js';
import { toolActions } from '../actions/tool-actions.js';
import { type BrowserTool, BrowserTools } from '../browser/browser-tools.js';
import { ModelClient } from '../model/model-client.js';
import { parseOptions } from '../options.js';
import type { RunContext } from '../run/run-context.js';
import { WAITS } from './waits.js';

interface Recorded {
  browser: BrowserToolsetLike<unknown>;
  threadId: string;
  /** Own actions of the agent. */
  own: readonly ActionDefinition[];
  /** Where the record searches. */
  searchUrl: string | undefined;
}

/** The context for recorded actions without an agent: no model is ever asked. */
export function recordedContext({ browser, threadId, own, searchUrl }: Recorded): RunContext {
  const tools = browser.tools as Readonly<Record<string, BrowserTool>>;
  const options = parseOptions({ searchUrl });
  const actions = [...toolActions(tools), searchAction(options.searchUrl)].filter(
    ({ name }) => !own.some(each => each.name === name),
  );
  const nobody = new ModelClient([], { maxRetries: 0, timeout: 1_000, backoff: 0 });
  return {
    tools: new BrowserTools(browser, threadId, 'recorded-task'),
    options,
    actions: [...actions, ...own],
    offered: [],
    models: nobody,
    extractor: nobody,
    files: new RunFiles(join(tmpdir(), 'browser-agent', threadId)),
    boundary: '',
    system: '',
    inPrompt: { system: '', schema: {}, isShorter: true },
    waits: WAITS,
    emit: () => undefined,
    hears: () => false,
  };
}
