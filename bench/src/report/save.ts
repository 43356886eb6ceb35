import { mkdirSync, writeFileSync } from 'node:fs';

const folder = new URL('../../results/', import.meta.url);

/** Keeps a run under its name. */
export function save(run: object, name: string): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(new URL(`${name}.json`, folder), `${JSON.stringify(run, null, 2)}\n`);
}
