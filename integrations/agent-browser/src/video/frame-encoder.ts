import type { JSHandle, Page } from 'playwright-core';
import { VIDEO_ENCODER_SOURCE } from '../generated/page-video-encoder.js';
import type { PageVideoEncoder } from '../page/video-encoder.js';
import type { Drawing, Encoded, Size, VideoSettings } from '../page/video-protocol.js';

/** VP9, which every browser plays, with 8 bits a colour; the level allows all sizes that a screencast can have. */
export const CODEC = 'vp09.00.51.08';
/** Text stays sharp, and a change of a few letters takes some hundred bytes. */
const QUANTIZER = 28;

/** The encoder in a page. */
export class FrameEncoder {
  private constructor(readonly encoder: JSHandle<PageVideoEncoder>) {}

  /**
   * @param page One in a secure context: others have no WebCodecs.
   * @param of `size` is that of a video that has begun.
   */
  static async open(page: Page, { maxSide, size }: { maxSide: number; size: Size | undefined }): Promise<FrameEncoder> {
    const settings: VideoSettings = {
      codec: CODEC,
      quantizer: QUANTIZER,
      maxSide,
      ...(size !== undefined && { size }),
    };
    return new FrameEncoder(await page.evaluateHandle(`(${VIDEO_ENCODER_SOURCE})(${JSON.stringify(settings)})`));
  }

  encode(drawing: Drawing): Promise<Encoded> {
    return this.encoder.evaluate((encoder, given) => encoder.encode(given), drawing);
  }

  async close(): Promise<void> {
    await this.encoder.evaluate(encoder => encoder.close());
    await this.encoder.dispose();
  }
}
