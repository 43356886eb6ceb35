// Several threads at once: one Chromium, and for each thread a context of its own with its own tabs, cookies and storage.
//   node examples/parallel-threads.ts
import { BrowserToolset } from '@browser-toolset/agent-browser';
import { demoShop } from './demo-shop.ts';

const url = await demoShop();
const browser = new BrowserToolset();

async function signIn(name: string): Promise<void> {
  const session = browser.session(name);
  await session.navigate({ url: `${url}sign-in` });
  const { matches = [] } = await session.find({ role: 'textbox' });
  await session.type({ ref: matches[0]?.ref ?? '', text: name, submit: true });
  const { matches: greetings = [] } = await session.find({ text: 'Signed in as' });
  console.log(`${name} reads: ${greetings[0]?.text}`);
}

await Promise.all(['Ann', 'Bob', 'Cleo'].map(signIn));
await browser.close();
