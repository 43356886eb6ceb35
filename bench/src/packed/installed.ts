import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

/** What a node_modules has in it. */
export interface Installed {
  packages: number;
  /** Of all files, in 10^6 bytes. */
  megabytes: number;
  /** Packages whose scripts run when they are installed. */
  scripts: number;
}

const lockfile = z.object({ packages: z.record(z.string(), z.object({ hasInstallScript: z.boolean().optional() })) });

/** Of a folder that npm installed into. */
export function installedIn(project: string): Installed {
  const { packages } = lockfile.parse(
    JSON.parse(readFileSync(join(project, 'node_modules/.package-lock.json'), 'utf8')),
  );
  // A package's own files only: those in it are packages of their own.
  const bytes = Object.keys(packages).map(path => bytesInstalled(join(project, path)));
  return {
    packages: Object.keys(packages).length,
    megabytes: bytes.reduce((sum, each) => sum + each, 0) / 1e6,
    scripts: Object.values(packages).filter(({ hasInstallScript }) => hasInstallScript).length,
  };
}

export function difference(all: Installed, without: Installed): Installed {
  return {
    packages: all.packages - without.packages,
    megabytes: all.megabytes - without.megabytes,
    scripts: all.scripts - without.scripts,
  };
}

function bytesInstalled(folder: string): number {
  let bytes = 0;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isFile()) bytes += statSync(path).size;
    else if (entry.isDirectory() && entry.name !== 'node_modules') bytes += bytesInstalled(path);
  }
  return bytes;
}
