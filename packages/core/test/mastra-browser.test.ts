import type { MastraBrowser, ScreencastStream as MastraScreencastStream } from '@mastra/core/browser';
import { expectTypeOf, test } from 'vitest';
import type { BrowserLiveSource, ScreencastStream } from '../src/index.js';

test('every MastraBrowser is a live source, as far as the type checker can tell', () => {
  expectTypeOf<MastraBrowser>().toExtend<BrowserLiveSource>();
});

test("Mastra's screencast stream is a stream of ours", () => {
  expectTypeOf<MastraScreencastStream>().toExtend<ScreencastStream>();
});
