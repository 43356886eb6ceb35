import { type FileHandle, mkdir, open } from 'node:fs/promises';
import { join } from 'node:path';
import type { Output, StreamTargetChunk } from 'mediabunny';
import { OWNER_ONLY, OWNER_ONLY_FOLDER } from '../browser/files/files.js';
import type { Packet, Size } from '../page/video-protocol.js';
import { CODEC } from './frame-encoder.js';

/** How long the last picture is shown at least, in milliseconds. */
const LAST_PICTURE_TIME = 100;

/** Begins a cluster, which is some seconds of a WebM file; its size in five bytes comes next. */
const CLUSTER = Buffer.from([0x1f, 0x43, 0xb6, 0x75]);
/** The size field of live streams. */
const UNKNOWN_SIZE = [0x0f, 0xff, 0xff, 0xff, 0xff];
/** A cluster without pictures is no larger, in bytes. */
const EMPTY_SIZE = 16;

interface Parts {
  handle: FileHandle;
  output: Output;
  write(packet: Packet, until: number): Promise<void>;
}

/**
 * A WebM file that is made with its first picture and grows with each.
 * Invariant: what has been written can be played whenever the process ends; length and index come with the end, and each
 * picture is written when the next one is added.
 */
export class VideoFile {
  #path = '';
  #bytes = 0;
  #parts: Parts | undefined;
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
    const length = Math.max(at, (this.#held?.at ?? 0) + LAST_PICTURE_TIME);
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

  async #begin({ width: codedWidth, height: codedHeight }: Size): Promise<Parts> {
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
