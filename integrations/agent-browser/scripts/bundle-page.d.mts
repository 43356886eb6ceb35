import type { SourceMapPayload } from 'node:module';

export function bundlePage(): Promise<void>;
export function pageBundles(): Promise<{ code: string; map: SourceMapPayload }[]>;
