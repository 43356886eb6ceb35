/** Bytes before the data of a chunk. */
export const VIDEO_HEADER_BYTES = 16;

/** What stands in the `version` of the message `video`: the form of the header. */
export const VIDEO_VERSION = 1;

/** Numbers of chunks are taken modulo this. */
export const VIDEO_SEQUENCES = 0x1_0000;

/** One message of encoded video, as a viewer gets it. */
export interface VideoMessage {
  /** It can be decoded without those before it. */
  isKey: boolean;
  /** Counts the chunks that were encoded, from 0 to 65,535 and again from 0. */
  sequence: number;
  /** When the picture was captured, in microseconds since the epoch. Later chunks have later times. */
  timestamp: number;
  /** For `EncodedVideoChunk`. */
  data: Uint8Array;
}

/** The first byte of a chunk. A JPEG begins with 0xff. */
const KIND_VIDEO = 1;
const KIND_AT = 0;
const FLAGS_AT = 1;
const SEQUENCE_AT = 2;
const TIMESTAMP_AT = 4;
const LENGTH_AT = 12;
const FLAG_KEY = 1;

/**
 * The binary message of a chunk: 16 bytes of header, numbers with the most significant byte first, then the data.
 *
 * | at | bytes | what |
 * | --- | --- | --- |
 * | 0 | 1 | kind: 1 is video |
 * | 1 | 1 | flags: bit 0 is set on a key picture; the others are 0 |
 * | 2 | 2 | sequence |
 * | 4 | 8 | timestamp |
 * | 12 | 4 | length of the data in bytes |
 *
 * @throws RangeError for a number that does not fit.
 */
export function encodeVideoMessage({ isKey, sequence, timestamp, data }: VideoMessage): Uint8Array<ArrayBuffer> {
  if (!(Number.isInteger(sequence) && sequence >= 0 && sequence < VIDEO_SEQUENCES))
    throw new RangeError(`sequence takes an integer from 0 to 65535, not ${sequence}.`);
  if (!(Number.isSafeInteger(timestamp) && timestamp >= 0))
    throw new RangeError(`timestamp takes microseconds since the epoch, not ${timestamp}.`);
  const message = new Uint8Array(VIDEO_HEADER_BYTES + data.length);
  const header = new DataView(message.buffer);
  header.setUint8(KIND_AT, KIND_VIDEO);
  header.setUint8(FLAGS_AT, isKey ? FLAG_KEY : 0);
  header.setUint16(SEQUENCE_AT, sequence);
  header.setBigUint64(TIMESTAMP_AT, BigInt(timestamp));
  header.setUint32(LENGTH_AT, data.length);
  message.set(data, VIDEO_HEADER_BYTES);
  return message;
}

/**
 * Reads a binary message of a server; undefined for one that is no chunk of video, such as a JPEG. Never throws.
 * The data is a view of the message.
 */
export function decodeVideoMessage(message: Uint8Array | ArrayBuffer): VideoMessage | undefined {
  const bytes = message instanceof ArrayBuffer ? new Uint8Array(message) : message;
  if (bytes.length < VIDEO_HEADER_BYTES) return undefined;
  const header = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  if (header.getUint8(KIND_AT) !== KIND_VIDEO) return undefined;
  if (header.getUint32(LENGTH_AT) !== bytes.length - VIDEO_HEADER_BYTES) return undefined;
  const timestamp = Number(header.getBigUint64(TIMESTAMP_AT));
  if (!Number.isSafeInteger(timestamp)) return undefined;
  return {
    isKey: (header.getUint8(FLAGS_AT) & FLAG_KEY) !== 0,
    sequence: header.getUint16(SEQUENCE_AT),
    timestamp,
    data: bytes.subarray(VIDEO_HEADER_BYTES),
  };
}
