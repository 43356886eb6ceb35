// One process of a durable run: starts it, or goes on with it after another process has died.
import { BrowserToolset } from '@browser-toolset/agent-browser';
import { BrowserAgent } from '@browser-toolset/browser-agent';
import { Mastra } from '@mastra/core/mastra';
import { LibSQLStore } from '@mastra/libsql';
import { PostgresStore } from '@mastra/pg';

const { mode, database, model, task, runId, threadId, ahead = 0 } = JSON.parse(process.argv[2]);
const now = Date.now;
Date.now = () => now() + ahead;
const storage = database.startsWith('postgresql:')
  ? new PostgresStore({ id: 'durable', connectionString: database })
  : new LibSQLStore({ id: 'durable', url: database });
const browser = new BrowserToolset({ records: storage });
const agent = new BrowserAgent({ browser, model, vision: false });
const mastra = new Mastra({ workflows: { agent: agent.workflow }, storage, logger: false });
const run = await mastra.getWorkflow('agent').createRun({ runId });
process.send?.('ready');
const result = mode === 'start' ? await run.start({ inputData: { task, threadId } }) : await run.restart();
console.log(JSON.stringify({ status: result.status, ...(result.status === 'success' && { result: result.result }) }));
await browser.close();
process.exit(0);
