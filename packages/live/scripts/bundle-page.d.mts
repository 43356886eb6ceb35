import type { SourceMapPayload } from 'node:module';

export const bundles: {
  write(): Promise<void>;
  read(): Promise<{ code: string; map: SourceMapPayload }[]>;
};
