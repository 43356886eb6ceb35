import { type FileHandle, mkdir, open } from 'node:fs/promises';
import { join } from 'node:path';
import { within } from '@browser-toolset/core/waiting';
import type { Output, StreamTargetChunk } from 'mediabunny';
import type { JSHandle, Page } from 'playwright-core';
import { OWNER_ONLY, OWNER_ONLY_FOLDER } from '../browser/files/files.js';
import { VIDEO_ENCODER_SOURCE } from '../generated/page-video-encoder.js';
import type { SessionLog } from '../observe/observation.js';
import type { Size } from '../page/geometry.js';
import type { Encoded, EncoderPicture, Packet, PageVideoEncoder, VideoSettings } from '../page/video-encoder.js';
import { plainMessage } from '../results/errors.js';

/** VP9, which every browser plays, with 8 bits a colour; the level allows all sizes that a screencast can have. */
const CODEC = 'vp09.00.51.08';
/** Text stays sharp, and a change of a few letters takes some hundred bytes. */
const QUANTIZER = 28;

/** The encoder in a page. */
class FrameEncoder {
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

  encode(drawing: EncoderPicture): Promise<Encoded> {
    return this.encoder.evaluate((encoder, given) => encoder.encode(given), drawing);
  }

  async close(): Promise<void> {
    await this.encoder.evaluate(encoder => encoder.close());
    await this.encoder.dispose();
  }
}

/** How long the last picture is shown at least, in milliseconds. */
const LAST_PICTURE_SHOWN_MS = 100;

/** Begins a cluster, which is some seconds of a WebM file; its size in five bytes comes next. */
const CLUSTER = Buffer.from([0x1f, 0x43, 0xb6, 0x75]);
/** The size field of live streams. */
const UNKNOWN_SIZE = [0x0f, 0xff, 0xff, 0xff, 0xff];
/** A cluster without pictures is no larger, in bytes. */
const EMPTY_SIZE = 16;

interface VideoFileParts {
  handle: FileHandle;
  output: Output;
  write(packet: Packet, until: number): Promise<void>;
}

/**
 * A WebM file that is made with its first picture and grows with each.
 * Invariant: what has been written can be played whenever the process ends; length and index come with the end, and each
 * picture is written when the next one is added.
 */
class VideoFile {
  #path = '';
  #bytes = 0;
  #parts: VideoFileParts | undefined;
  /** How long it is shown is known when the next one comes. */
  #held: Packet | undefined;
  #isEnded = false;

  constructor(readonly where: { folder: string; name: string }) {}

  /** Empty before the first picture. */
  get path(): string {
    return this.#path;
  }

  /** Its size. */
  get bytes(): number {
    return this.#bytes;
  }

  async add(packet: Packet, size: Size): Promise<void> {
    if (this.#isEnded) return;
    this.#parts ??= await this.#begin(size);
    await this.#write(packet.at);
    this.#held = packet;
  }

  /**
   * @param at Until when the last picture is shown, in milliseconds since the beginning.
   * @returns The length in milliseconds; 0 of a file that there is not, for want of pictures.
   */
  async end(at: number): Promise<number> {
    this.#isEnded = true;
    if (this.#parts === undefined) return 0;
    const length = Math.max(at, (this.#held?.at ?? 0) + LAST_PICTURE_SHOWN_MS);
    try {
      await this.#write(length);
      await this.#parts.output.finalize();
      return length;
    } finally {
      await this.#parts.handle.close();
    }
  }

  async #write(until: number): Promise<void> {
    const packet = this.#held;
    this.#held = undefined;
    if (packet !== undefined) await this.#parts?.write(packet, until);
  }

  async #begin({ width: codedWidth, height: codedHeight }: Size): Promise<VideoFileParts> {
    // Only who makes videos has to load it.
    const { EncodedPacket, EncodedVideoPacketSource, Output, StreamTarget, WebMOutputFormat } = await import(
      'mediabunny'
    );
    const handle = await this.#create();
    const write = async ({ data, position }: StreamTargetChunk): Promise<void> => {
      openCluster(data);
      for (let done = 0; done < data.length; ) {
        const { bytesWritten } = await handle.write(data, done, data.length - done, position + done);
        done += bytesWritten;
      }
      this.#bytes = Math.max(this.#bytes, position + data.length);
    };
    const target = new StreamTarget(new WritableStream({ write }));
    const output = new Output({ format: new WebMOutputFormat(), target });
    const source = new EncodedVideoPacketSource('vp9');
    output.addVideoTrack(source);
    await output.start();
    const metadata = { decoderConfig: { codec: CODEC, codedWidth, codedHeight } };
    return {
      ...{ handle, output },
      write({ data, isKey, at }, until) {
        const bytes = Buffer.from(data, 'base64');
        const packet = new EncodedPacket(bytes, isKey ? 'key' : 'delta', at / 1000, (until - at) / 1000);
        return source.add(packet, metadata);
      },
    };
  }

  async #create(): Promise<FileHandle> {
    const { folder, name } = this.where;
    await mkdir(folder, { recursive: true, mode: OWNER_ONLY_FOLDER });
    for (let count = 1; ; count++) {
      this.#path = join(folder, `${name}${count === 1 ? '' : `-${count}`}.webm`);
      try {
        return await open(this.#path, 'wx', OWNER_ONLY);
      } catch (error) {
        // Threads with nearly one name begin at once.
        if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
      }
    }
  }
}

/** A cluster has its size when it is complete: a player that reads it before must not take it for empty. */
function openCluster(data: Uint8Array): void {
  const bytes = Buffer.from(data.buffer, data.byteOffset, data.byteLength);
  const at = bytes.indexOf(CLUSTER);
  const sizeAt = at + CLUSTER.length;
  if (at === -1 || sizeAt + UNKNOWN_SIZE.length > bytes.length) return;
  // In five bytes, the first has a mark for their number.
  if (bytes[sizeAt] === 0x08 && bytes.readUInt32BE(sizeAt + 1) <= EMPTY_SIZE) data.set(UNKNOWN_SIZE, sizeAt);
}

/** At least so many milliseconds lie between two pictures that players can jump to. */
const KEY_INTERVAL = 5_000;
/** A sight that stood for so many milliseconds counts, however many come before it is drawn. */
const STANDING_TIME = 300;
/** So many sights wait to be drawn at most. */
const MOST_WAITING = 20;
/** So many encoders, one after the other, may fail at a picture. */
const ENCODER_ATTEMPTS = 3;
/** How long what has come may take to be encoded, in milliseconds. A busy machine needs seconds to open an encoder. */
const ENCODE_TIME = 15_000;
/** How long the file may take to be completed, in milliseconds. */
const ENCODER_END_MS = 5_000;

export interface VideoOptions {
  folder: string;
  name: string;
  /** Largest width and height of the picture in pixels. */
  maxWidth: number;
  /** Of 1,000,000 bytes. */
  maxMegabytes: number;
  threadId: string;
  log: SessionLog;
  /** A page to encode in, which others may use too. */
  encoderPage(): Promise<Page>;
  /** Whether there still is a browser to encode with. */
  canEncode(): boolean;
}

/** The picture to show from a moment on. */
interface VideoPicture extends Omit<EncoderPicture, 'at' | 'isKey'> {
  /** `performance.now()` */
  at: number;
  isRepeated?: boolean;
}

/**
 * A video under way: sights in, a file out. Nothing of it throws: what cannot be recorded stops nothing.
 * Invariant: one picture after the other; of the sights that come meanwhile those that stood for a while are next, and
 * the latest.
 */
export class Video {
  readonly #options: VideoOptions;
  readonly #file: VideoFile;
  #encoder: FrameEncoder | undefined;
  #size: Size | undefined;
  readonly #waiting: VideoPicture[] = [];
  #drawAgain: NodeJS.Timeout | undefined;
  #beganAt: number | undefined;
  #lastAt = -1;
  #lastKeyAt = 0;
  #work: Promise<void> | undefined;
  #isOver = false;
  #isEnding = false;
  #hasFailed = false;
  #ended: Promise<void> | undefined;

  constructor(options: VideoOptions) {
    this.#options = options;
    this.#file = new VideoFile(options);
  }

  show(sight: VideoPicture): void {
    if (this.#isOver) return;
    clearTimeout(this.#drawAgain);
    const last = this.#waiting.at(-1);
    // A mark is shown from its beginning to its end, even where pages change faster than they can be drawn.
    const endsMark = last?.mark !== undefined && sight.mark === undefined;
    const isBrief = last !== undefined && !endsMark && sight.at - last.at < STANDING_TIME;
    if (isBrief || this.#waiting.length === MOST_WAITING) this.#waiting.pop();
    const goesOn = isBrief && last.mark !== undefined && sight.mark !== undefined;
    this.#waiting.push(goesOn ? { ...sight, at: last.at } : sight);
    this.#work ??= this.#drawAll();
  }

  /** @param at Until when the last picture is shown (`performance.now()`). */
  end(at: number): Promise<void> {
    this.#ended ??= this.#end(at);
    return this.#ended;
  }

  async #drawAll(): Promise<void> {
    let last: VideoPicture | undefined;
    for (let sight = this.#waiting.shift(); sight !== undefined && !this.#isOver; sight = this.#waiting.shift()) {
      try {
        await this.#draw(sight);
        last = sight;
      } catch (error) {
        this.#hasFailed = true;
        this.#endEarly(sight.at, this.#options.canEncode() ? `failed: ${plainMessage(error)}` : undefined);
      }
    }
    this.#work = undefined;
    if (last !== undefined) this.#write(last);
  }

  /** A picture is in the file when another one comes: of a page that stands still that is the same, once. */
  #write({ isRepeated, ...sight }: VideoPicture): void {
    if (this.#isOver || this.#isEnding || isRepeated) return;
    const repeat = (): void => this.show({ ...sight, at: performance.now(), isRepeated: true });
    this.#drawAgain = setTimeout(repeat, STANDING_TIME);
  }

  async #draw({ at: now, picture, shape, mark }: VideoPicture): Promise<void> {
    this.#beganAt ??= now;
    const at = Math.max(Math.round(now - this.#beganAt), this.#lastAt + 1);
    const isKey = at - this.#lastKeyAt >= KEY_INTERVAL;
    const { packets, size } = await this.#encode({ picture, ...(shape && { shape }), mark, at, isKey });
    if (this.#isOver) return;
    this.#size = size;
    this.#lastAt = at;
    for (const packet of packets) {
      await this.#file.add(packet, size);
      if (packet.isKey) this.#lastKeyAt = packet.at;
    }
    const { maxMegabytes } = this.#options;
    if (this.#file.bytes >= maxMegabytes * 1_000_000) this.#endEarly(now, `has reached ${maxMegabytes} MB`);
  }

  /** An encoder may be lost with the page that it is in; the next one begins with a picture that needs none before it. */
  async #encode(drawing: EncoderPicture): Promise<Encoded> {
    const { encoderPage, maxWidth } = this.#options;
    for (let attempt = 1; ; attempt++) {
      try {
        this.#encoder ??= await FrameEncoder.open(await encoderPage(), { maxSide: maxWidth, size: this.#size });
        return await this.#encoder.encode(drawing);
      } catch (error) {
        this.#encoder = undefined;
        if (attempt === ENCODER_ATTEMPTS || !this.#options.canEncode()) throw error;
      }
    }
  }

  /** @param why Undefined when the browser went, which others tell. */
  #endEarly(at: number, why: string | undefined): void {
    const { threadId, log } = this.#options;
    this.#isOver = true;
    if (why !== undefined) log.warn(`video ends early: it ${why}`, { threadId, path: this.#file.path });
    void this.end(at);
  }

  async #end(at: number): Promise<void> {
    const { threadId, log } = this.#options;
    this.#isEnding = true;
    clearTimeout(this.#drawAgain);
    await within(ENCODE_TIME, this.#work ?? Promise.resolve());
    this.#isOver = true;
    const isIncomplete = this.#work !== undefined;
    // It goes with its page, if that has gone.
    void this.#encoder?.close().catch(() => undefined);
    const { path } = this.#file;
    try {
      const length = await within(ENCODER_END_MS, this.#file.end(at - (this.#beganAt ?? at)));
      if (isIncomplete) log.warn('video ends early: its last pictures took too long to encode', { threadId, path });
      if (length === undefined) log.warn('video took too long to write', { threadId, path });
      else if (length > 0) log.debug('video written', { threadId, path, seconds: Math.round(length / 1000) });
    } catch (error) {
      // Of a disk that is full, which was told when it was, the end does not fit either.
      const level = this.#hasFailed ? 'debug' : 'warn';
      log[level]('video is not complete', { threadId, path, error: plainMessage(error) });
    }
  }
}
