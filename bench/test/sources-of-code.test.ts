import { expect, test } from 'vitest';
import { nameOf, repository, Sources } from '../src/walks/sources.ts';

const a = 'function a(){return 1}';
const b = 'function b(){return ()=>2}';
const code = `(()=>{${a}${b}a()})()`;
// Segments: where `a` begins, its return, where `b` begins, its return, the call of `a`, which is of the first file again.
const map = { version: 3, file: '', sources: ['/one.ts', '/two.ts'], sourcesContent: [], names: [], sourceRoot: '' };
const sources = new Sources(code, { ...map, mappings: 'MAAA,aAAA,SCAA,aAAA,aDAA' });

const rangeOf = (part: string) => ({ start: code.indexOf(part), end: code.indexOf(part) + part.length });

test('a function is of the file that it was written in, the last of the one before as well as the first of the next', () => {
  expect(sources.fileOf(rangeOf(a))).toBe('/one.ts');
  expect(sources.fileOf(rangeOf(b))).toBe('/two.ts');
});

test('what a bundler puts around the modules, and a script as a whole, are of no file', () => {
  expect(sources.fileOf({ start: 1, end: code.length - 3 })).toBeUndefined();
  expect(sources.fileOf({ start: 0, end: code.length })).toBeUndefined();
});

test('a function of which the map knows nothing is not taken for one of the file before it', () => {
  expect(sources.fileOf(rangeOf('()=>2'))).toBeUndefined();
});

test('files of the toolset are named from its sources on, those of the server from the repository on, others not at all', () => {
  expect(nameOf(`${repository}integrations/agent-browser/src/some/file.ts`)).toBe('some/file.ts');
  expect(nameOf(`${repository}packages/server/src/file.ts`)).toBe('packages/server/src/file.ts');
  expect(nameOf(`${repository}packages/core/src/file.ts`)).toBeUndefined();
});
