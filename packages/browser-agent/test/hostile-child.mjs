// A process that runs an agent, closes its toolset and has nothing left to do: it must end by itself.
import { BrowserToolset } from '@browser-toolset/agent-browser';
import { BrowserAgent } from '@browser-toolset/browser-agent';

const { model, task, modelTimeout, stopAfter } = JSON.parse(process.argv[2]);
const browser = new BrowserToolset();
const agent = new BrowserAgent({ browser, model, vision: false, modelTimeout, modelRetries: 1, modelBackoff: 1 });
const run = agent.run({ task });
if (stopAfter !== undefined) run.on(stopAfter, () => setImmediate(() => run.stop()));
const { stopReason, problem } = await run.result;
await browser.close();
console.log(JSON.stringify({ stopReason, problem }));
