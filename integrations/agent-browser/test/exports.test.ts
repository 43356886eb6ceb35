import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, it } from 'vitest';

const read = (path: string) => readFileSync(resolve(import.meta.dirname, '../src', path), 'utf8');

/** The names that a file has from elsewhere in the workspace. */
function importedInto(text: string): Set<string> {
  const statements = text.matchAll(/^import\s+(?:type\s+)?\{([^}]*)\}\s+from\s+'(?:\.|@browser-toolset\/)/gm);
  return new Set(
    [...statements].flatMap(([, names = '']) => names.split(',').map(name => name.replace('type', '').trim())),
  );
}

/** What a class shows of its members to those who use it: private and protected ones are none of theirs. */
function publicMembers(text: string): string[] {
  const members = /^ {2}(?!protected|private|#|\/|\}|static)(?:[a-z]+ )*[a-zA-Z]\w*(?:\([^{]*\)?: [^{;]*|[:(][^;{]*)/gm;
  return [...text.matchAll(members)].map(([member]) => member);
}

const exported = new Set(read('index.ts').match(/\b\w+\b/g));

it.each(['toolset.ts', 'viewers/live-browser.ts'])('all types that the members of %s name are exported', path => {
  const text = read(path);
  const imported = importedInto(text);
  const members = publicMembers(text);
  expect(members.length).toBeGreaterThan(15);
  const named = new Set(
    members.flatMap(member => member.match(/\b[A-Z]\w*[a-z]\w*/g) ?? []).filter(name => imported.has(name)),
  );
  expect(named.size).toBeGreaterThan(3);
  expect([...named].filter(name => !exported.has(name))).toEqual([]);
});

it('all types that the public types of files name are exported', () => {
  const files = [...read('index.ts').matchAll(/from '(\.\/[^']+)\.js'/g)].map(([, path = '']) => `${path}.ts`);
  const missing = files.flatMap(path => {
    const declarations = [...read(path).matchAll(/^export (?:interface|type) (\w+)[\s\S]*?(?=^\}|;\n)/gm)];
    const own = new Set(declarations.map(([, name = '']) => name));
    return declarations
      .filter(([, name = '']) => exported.has(name))
      .flatMap(([text]) => text.match(/\b[A-Z]\w+\b/g) ?? [])
      .filter(name => own.has(name) && !exported.has(name))
      .map(name => `${path}: ${name}`);
  });
  expect(missing).toEqual([]);
});

it('installs few packages: each that it depends on has no dependencies and runs no script', () => {
  const manifestOf = (path: string): Record<string, Record<string, string> | undefined> =>
    JSON.parse(readFileSync(path, 'utf8'));
  const { dependencies = {} } = manifestOf(resolve(import.meta.dirname, '../package.json'));
  expect(Object.keys(dependencies).length).toBeLessThanOrEqual(5);
  for (const name of Object.keys(dependencies)) {
    const manifest = manifestOf(resolve(import.meta.dirname, `../node_modules/${name}/package.json`));
    expect([name, Object.keys(manifest.dependencies ?? {})]).toEqual([name, []]);
    const { preinstall, install, postinstall } = manifest.scripts ?? {};
    expect([name, preinstall, install, postinstall]).toEqual([name, undefined, undefined, undefined]);
  }
});
