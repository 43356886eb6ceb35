import { fileURLToPath } from 'node:url';
import { PageBundles } from '../../../scripts/packaging/page-bundles.mjs';

/** What encodes pictures in pages: each entry becomes the source text of one expression, a constant in src/generated. */
export const bundles = new PageBundles(fileURLToPath(new URL('..', import.meta.url)), [
  {
    entry: 'src/page/video-encoder.ts',
    file: 'page-video-encoder',
    constant: 'VIDEO_ENCODER_SOURCE',
    expression: 'page.createVideoEncoder',
  },
  {
    entry: 'src/page/live-encoder.ts',
    file: 'page-live-encoder',
    constant: 'LIVE_ENCODER_SOURCE',
    expression: 'page.createLiveEncoder',
  },
]);

if (process.argv[1] === fileURLToPath(import.meta.url)) await bundles.write();
