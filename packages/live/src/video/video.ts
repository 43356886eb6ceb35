import { type FileHandle, mkdir, open } from 'node:fs/promises';
import { join } from 'node:path';
import { OWNER_ONLY, OWNER_ONLY_FOLDER } from '@browser-toolset/core/files';
import { within } from '@browser-toolset/core/waiting';
import type { JSHandle, Page } from 'playwright-core';
import type { Size } from '#page-engine/dom/geometry.js';
import type { Output, StreamTargetChunk } from '#vendored/mediabunny';
import { VIDEO_ENCODER_SOURCE } from '../generated/page-video-encoder.js';
import type { Encoded, EncoderPicture, Packet, PageVideoEncoder, VideoSettings } from '../page/video-encoder.js';
import { ENCODE_MS, ENCODER_ATTEMPTS } from './encoder-pages.js';

/** VP9 with 8 bits per channel, which every browser plays; the level covers every screencast size. */
const CODEC = 'vp09.00.51.08';
/** Keeps text sharp, while a change of a few letters takes some hundred bytes. */
const QUANTIZER = 28;

/** @param page In a secure context, which WebCodecs requires. `size` is that of a video that has begun. */
function openEncoder(page: Page, given: Pick<VideoSettings, 'maxSide' | 'size'>): Promise<JSHandle<PageVideoEncoder>> {
  const settings: VideoSettings = { codec: CODEC, quantizer: QUANTIZER, ...given };
  return page.evaluateHandle(`(${VIDEO_ENCODER_SOURCE})(${JSON.stringify(settings)})`);
}

async function closeEncoder(encoder: JSHandle<PageVideoEncoder>): Promise<void> {
  await encoder.evaluate(page => page.close());
  await encoder.dispose();
}

const LAST_PICTURE_SHOWN_MS = 100;

/** The id of a WebM cluster, which holds some seconds; its size follows in five bytes. */
const CLUSTER = Buffer.from([0x1f, 0x43, 0xb6, 0x75]);
/** The size field of live streams. */
const UNKNOWN_SIZE = [0x0f, 0xff, 0xff, 0xff, 0xff];
/** In bytes: a cluster without pictures is no larger. */
const EMPTY_SIZE = 16;

interface VideoFileParts {
  handle: FileHandle;
  output: Output;
  write(packet: Packet, until: number): Promise<void>;
}

/**
 * A WebM file, created with its first picture.
 * Invariant: it is playable whenever the process ends; length and index are written at the end, and each picture when
 * the next one is added.
 */
class VideoFile {
  #path = '';
  #bytes = 0;
  #parts: VideoFileParts | undefined;
  /** Its duration is known when the next one comes. */
  #held: Packet | undefined;
  #isEnded = false;

  constructor(readonly where: { folder: string; name: string }) {}

  /** Empty before the first picture. */
  get path(): string {
    return this.#path;
  }

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
   * Ends the last picture at `at` milliseconds. Resolves to the length, which is 0 without pictures, so without a file.
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
    // Only users of videos should load it.
    const { EncodedPacket, EncodedVideoPacketSource, Output, StreamTarget, WebMOutputFormat } = await import(
      '#vendored/mediabunny'
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
        // Threads with similar names may start at once.
        if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
      }
    }
  }
}

/** Marks an open cluster's size as unknown: a player that reads it early must not take it for empty. */
function openCluster(data: Uint8Array): void {
  const bytes = Buffer.from(data.buffer, data.byteOffset, data.byteLength);
  const at = bytes.indexOf(CLUSTER);
  const sizeAt = at + CLUSTER.length;
  if (at === -1 || sizeAt + UNKNOWN_SIZE.length > bytes.length) return;
  // The first of the five bytes carries their number.
  if (bytes[sizeAt] === 0x08 && bytes.readUInt32BE(sizeAt + 1) <= EMPTY_SIZE) data.set(UNKNOWN_SIZE, sizeAt);
}

/** In milliseconds, between two key frames, to which players can seek. */
const KEY_INTERVAL_MS = 5_000;
/** In milliseconds: a picture shown this long is kept, however many follow before it is drawn. */
const STANDING_MS = 300;
const MOST_WAITING = 20;
const ENCODER_END_MS = 5_000;

export interface VideoOptions {
  folder: string;
  name: string;
  /** In pixels. */
  maxWidth: number;
  /** Megabytes of 1,000,000 bytes. */
  maxMegabytes: number;
  threadId: string;
  log: Record<'debug' | 'warn', (message: string, details: Record<string, unknown>) => void>;
  /** An error in words. */
  inWords(error: unknown): string;
  /** The encoder's page, which recordings share. */
  encoderPage(): Promise<Page>;
  onEncoded(picture: string): void;
  /** Whether a browser to encode with is running. */
  canEncode(): boolean;
}

interface VideoPicture extends Omit<EncoderPicture, 'at' | 'isKey'> {
  /** `performance.now()` */
  at: number;
  isRepeated?: boolean;
}

/**
 * A video in progress. Its methods never throw: a failed recording stops nothing.
 * Invariant: pictures are drawn one by one; of those that arrive meanwhile, long-lived ones and the latest are kept.
 */
export class Video {
  readonly #file: VideoFile;
  #encoder: JSHandle<PageVideoEncoder> | undefined;
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

  constructor(readonly options: VideoOptions) {
    this.#file = new VideoFile(options);
  }

  show(picture: VideoPicture): void {
    if (this.#isOver) return;
    clearTimeout(this.#drawAgain);
    const last = this.#waiting.at(-1);
    // A mark is drawn at its beginning and end, even where the page changes faster than pictures are drawn.
    const endsMark = last?.mark !== undefined && picture.mark === undefined;
    const isBrief = last !== undefined && !endsMark && picture.at - last.at < STANDING_MS;
    if (isBrief || this.#waiting.length === MOST_WAITING) this.#waiting.pop();
    const goesOn = isBrief && last.mark !== undefined && picture.mark !== undefined;
    this.#waiting.push(goesOn ? { ...picture, at: last.at } : picture);
    this.#work ??= this.#drawAll();
  }

  /** @param at The end of the last picture (`performance.now()`). */
  end(at: number): Promise<void> {
    this.#ended ??= this.#end(at);
    return this.#ended;
  }

  async #drawAll(): Promise<void> {
    let last: VideoPicture | undefined;
    for (let next = this.#waiting.shift(); next !== undefined && !this.#isOver; next = this.#waiting.shift()) {
      try {
        await this.#draw(next);
        last = next;
      } catch (error) {
        this.#hasFailed = true;
        this.#endEarly(next.at, this.options.canEncode() ? `failed: ${this.options.inWords(error)}` : undefined);
      }
    }
    this.#work = undefined;
    if (last !== undefined) this.#write(last);
  }

  /** A picture is written when the next one comes; for a static page it is repeated once. */
  #write({ isRepeated, ...picture }: VideoPicture): void {
    if (this.#isOver || this.#isEnding || isRepeated) return;
    const repeat = (): void => this.show({ ...picture, at: performance.now(), isRepeated: true });
    this.#drawAgain = setTimeout(repeat, STANDING_MS);
  }

  async #draw({ at: now, picture, shape, mark }: VideoPicture): Promise<void> {
    this.#beganAt ??= now;
    const at = Math.max(Math.round(now - this.#beganAt), this.#lastAt + 1);
    const isKey = at - this.#lastKeyAt >= KEY_INTERVAL_MS;
    const { packets, size } = await this.#encode({ picture, ...(shape && { shape }), mark, at, isKey });
    if (this.#isOver) return;
    this.#size = size;
    this.#lastAt = at;
    for (const packet of packets) {
      await this.#file.add(packet, size);
      if (packet.isKey) this.#lastKeyAt = packet.at;
    }
    const { maxMegabytes } = this.options;
    if (this.#file.bytes >= maxMegabytes * 1_000_000) this.#endEarly(now, `has reached ${maxMegabytes} MB`);
  }

  /** An encoder may be lost with its page; the next one starts with a key frame. */
  async #encode(drawing: EncoderPicture): Promise<Encoded> {
    const { encoderPage, onEncoded, maxWidth } = this.options;
    for (let attempt = 1; ; attempt++) {
      try {
        this.#encoder ??= await openEncoder(await encoderPage(), { maxSide: maxWidth, size: this.#size });
        const encoded = await this.#encoder.evaluate((encoder, given) => encoder.encode(given), drawing);
        onEncoded(drawing.picture);
        return encoded;
      } catch (error) {
        this.#encoder = undefined;
        if (attempt === ENCODER_ATTEMPTS || !this.options.canEncode()) throw error;
      }
    }
  }

  /** @param why Undefined when the browser ended, which is reported elsewhere. */
  #endEarly(at: number, why: string | undefined): void {
    const { threadId, log } = this.options;
    this.#isOver = true;
    if (why !== undefined) log.warn(`video ends early: it ${why}`, { threadId, path: this.#file.path });
    void this.end(at);
  }

  async #end(at: number): Promise<void> {
    const { threadId, log } = this.options;
    this.#isEnding = true;
    clearTimeout(this.#drawAgain);
    await within(ENCODE_MS, this.#work ?? Promise.resolve());
    this.#isOver = true;
    const isIncomplete = this.#work !== undefined;
    // It ends with its page.
    if (this.#encoder !== undefined) closeEncoder(this.#encoder).catch(() => undefined);
    const { path } = this.#file;
    try {
      const length = await within(ENCODER_END_MS, this.#file.end(at - (this.#beganAt ?? at)));
      if (isIncomplete) log.warn('video ends early: its last pictures took too long to encode', { threadId, path });
      if (length === undefined) log.warn('video took too long to write', { threadId, path });
      else if (length > 0) log.debug('video written', { threadId, path, seconds: Math.round(length / 1000) });
    } catch (error) {
      // A disk that was reported as full has no room for the end either.
      const level = this.#hasFailed ? 'debug' : 'warn';
      log[level]('video is not complete', { threadId, path, error: this.options.inWords(error) });
    }
  }
}
