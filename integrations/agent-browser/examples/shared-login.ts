// A login that lasts: a profile folder keeps cookies and storage, and whoever uses it next is signed in.
// With `headless: false` a person can sign in by hand the first time.
//   node examples/shared-login.ts
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BrowserToolset } from '@browser-toolset/agent-browser';
import { demoShop } from './demo-shop.ts';

const url = await demoShop();
const profile = await mkdtemp(join(tmpdir(), 'shared-login-'));

const first = new BrowserToolset({ profile });
const session = first.session();
await session.navigate({ url: `${url}sign-in` });
const { refs = {} } = await session.snapshot();
const refOf = (role: string) => Object.keys(refs).find(ref => refs[ref]?.role === role) ?? '';
await session.fillForm({ fields: [{ ref: refOf('textbox'), value: 'Ann' }], submit: refOf('button') });
await first.close();

// With a profile all threads share one browser context, so every agent of this toolset is Ann.
const second = new BrowserToolset({ profile });
const visitor = second.session('another-thread');
await visitor.navigate({ url });
const { matches = [] } = await visitor.find({ text: 'Signed in as' });
console.log(matches[0]?.text);
await second.close();
await rm(profile, { recursive: true });
