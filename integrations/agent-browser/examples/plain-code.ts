// The tools as methods with typed results, without an agent.
//   node examples/plain-code.ts [url]
import { BrowserToolset } from '@browser-toolset/agent-browser';
import { demoShop } from './demo-shop.ts';

const url = process.argv[2] ?? (await demoShop());
const browser = new BrowserToolset();
const session = browser.session('thread-1');

const opened = await session.navigate({ url });
console.log(opened.success ? `Opened ${opened.title}` : `${opened.code}: ${opened.message}`);

const { tree, refs = {} } = await session.snapshot();
console.log(tree);

const [ref] = Object.entries(refs).find(([, { role }]) => role === 'link') ?? [];
if (ref !== undefined) {
  const clicked = await session.click({ ref });
  console.log(`Clicked ${clicked.element?.name}, in ${clicked.executionTime} s. What changed:\n${clicked.changes}`);
}

// A failure is a result, too: it says what happened and what helps.
const { code, message, recoveryHint } = await session.click({ ref: '@e999' });
console.log(`${code}: ${message} ${recoveryHint}`);
await browser.close();
