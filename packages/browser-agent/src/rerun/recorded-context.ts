import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BrowserToolsetLike } from '@browser-toolset/core';
import { RunFiles } from '../actions/run-files.js';
import { searchAction } from '../actions/search.js';
import { toolActions } from '../actions/tool-actions.js';
import { type BrowserTool, BrowserTools } from '../browser/browser-tools.js';
import { ModelClient } from '../model/model-client.js';
import { parseOptions } from '../options.js';
import type { RunContext } from '../run/run-context.js';

/** The context for recorded actions without an agent: no model is ever asked. */
export function recordedContext(browser: BrowserToolsetLike<unknown>, threadId: string): RunContext {
  const tools = browser.tools as Readonly<Record<string, BrowserTool>>;
  const options = parseOptions({});
  const nobody = new ModelClient([], { maxRetries: 0, timeout: 1_000, backoff: 0 });
  return {
    tools: new BrowserTools(tools, threadId, 'recorded-task'),
    options,
    actions: [...toolActions(tools), searchAction(options.searchUrl)],
    offered: [],
    models: nobody,
    extractor: nobody,
    files: new RunFiles(join(tmpdir(), 'browser-agent', threadId)),
    boundary: '',
    system: '',
    emit: () => undefined,
  };
}
