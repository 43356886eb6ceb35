import { copyFile, writeFile } from 'node:fs/promises';

const target = new URL('../dist/styles.css', import.meta.url);
await copyFile(new URL('../src/styles.css', import.meta.url), target);
// TypeScript asks for types of whatever is imported, for its effects too.
await writeFile(new URL('styles.css.d.ts', target), 'export {};\n');
