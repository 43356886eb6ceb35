import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const checkout = fileURLToPath(new URL('../../../', import.meta.url));
const packedFolder = join(checkout, 'output/packages');

/** What `npm run pack` has written. */
export function tarballs(): string[] {
  return readdirSync(packedFolder).map(name => join(packedFolder, name));
}

/** Of those, the ones that a package needs: its own last. */
export function tarballsOf(all: readonly string[], names: readonly string[]): string[] {
  return names.map(name => {
    const found = all.find(path => new RegExp(`/browser-toolset-${name}-\\d[^/]*\\.tgz$`).test(path));
    if (found === undefined) throw new Error(`There is no tarball of ${name} in ${packedFolder}.`);
    return found;
  });
}

/** A package as it is pinned here, for npm. */
export function pinned(name: string): string {
  const manifest = JSON.parse(readFileSync(join(checkout, 'bench/package.json'), 'utf8')) as {
    devDependencies: Record<string, string>;
  };
  const version = manifest.devDependencies[name];
  if (version === undefined) throw new Error(`bench does not have ${name}.`);
  return `${name}@${version}`;
}
