#!/usr/bin/env node
import { enableCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';

// Clients wait for the start, and most of it is reading code. Where the folder of the package cannot be written, it takes longer.
enableCompileCache(fileURLToPath(new URL('../../.compile-cache', import.meta.url)));
await import('./command.js');
