import { isMastraStorage, type MastraStorageLike } from '@browser-toolset/core';
import { z } from 'zod/v4';
import type { RemoteEndpoint } from './browser/chromium/endpoint.js';
import { isRecordStore, type RecordStore } from './browser/storage/record-store.js';

/** What a resolver of DevTools endpoints is given. */
export interface ThreadRef {
  threadId: string;
  /** Where the thread's browser was the last time, here or in another process; it may be gone. */
  endpoint?: string;
}

type Endpoint = string | RemoteEndpoint;

export const endpoint = z
  .custom<string | ((thread: ThreadRef) => Endpoint | Promise<Endpoint>)>(
    value => (typeof value === 'string' && value !== '') || typeof value === 'function',
    'a url, or a function of { threadId } that answers with one',
  )
  .meta({ typeText: 'string | (({ threadId, endpoint }) => string | { url, headers?, release? })' });

export const records = z
  .custom<RecordStore | MastraStorageLike>(
    value => typeof value === 'object' && value !== null && (isRecordStore(value) || isMastraStorage(value)),
    "Mastra's storage, or an object with get, set and delete",
  )
  .meta({ typeText: 'MastraStorage | { get, set, delete, replace? }' });
