import { cp, rm } from 'node:fs/promises';

const source = new URL('../src/demo-site/assets/', import.meta.url);
const target = new URL('../dist/demo-site/assets/', import.meta.url);
// An asset that was deleted must not live on in the build.
await rm(target, { recursive: true, force: true });
await cp(source, target, { recursive: true });
