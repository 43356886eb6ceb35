import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decodeVideoMessage, encodeVideoMessage, VIDEO_HEADER_BYTES } from '../src/protocol/index.js';

const messages = fc.record({
  isKey: fc.boolean(),
  sequence: fc.integer({ min: 0, max: 0xffff }),
  timestamp: fc.maxSafeNat(),
  data: fc.uint8Array({ maxLength: 200 }),
});

describe('the message of a chunk', () => {
  test('has the header that is documented', () => {
    const message = { isKey: true, sequence: 0x1234, timestamp: 1_800_000_000_123_456, data: Uint8Array.of(7, 8, 9) };
    const bytes = Buffer.from(encodeVideoMessage(message));
    expect(bytes.subarray(0, 4).toString('hex')).toBe('01011234');
    expect(bytes.readBigUInt64BE(4)).toBe(1_800_000_000_123_456n);
    expect(bytes.readUInt32BE(12)).toBe(3);
    expect([...bytes.subarray(VIDEO_HEADER_BYTES)]).toEqual([7, 8, 9]);
  });

  test('is read as it was written, wherever it stands in memory', () => {
    fc.assert(
      fc.property(messages, fc.nat({ max: 20 }), (message, before) => {
        const bytes = encodeVideoMessage(message);
        expect(decodeVideoMessage(bytes)).toEqual(message);
        expect(decodeVideoMessage(bytes.buffer)).toEqual(message);
        const placed = new Uint8Array(before + bytes.length);
        placed.set(bytes, before);
        expect(decodeVideoMessage(placed.subarray(before))).toEqual(message);
      }),
    );
  });

  test('is none when it is cut, has more behind it or is of another kind', () => {
    fc.assert(
      fc.property(messages, fc.nat(), (message, cut) => {
        const bytes = encodeVideoMessage(message);
        expect(decodeVideoMessage(bytes.subarray(0, cut % bytes.length))).toBeUndefined();
        expect(decodeVideoMessage(Buffer.concat([bytes, Uint8Array.of(0)]))).toBeUndefined();
        bytes[0] = 0xff;
        expect(decodeVideoMessage(bytes)).toBeUndefined();
      }),
    );
  });

  test('is undefined or whole for any bytes, and never throws', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 64 }), bytes => {
        bytes[0] = 1;
        const message = decodeVideoMessage(bytes);
        if (message !== undefined) expect(message.data.length).toBe(bytes.length - VIDEO_HEADER_BYTES);
      }),
    );
  });

  test('is not written with numbers that do not fit', () => {
    const message = { isKey: true, sequence: 0, timestamp: 0, data: new Uint8Array() };
    for (const sequence of [-1, 0x1_0000, 0.5, Number.NaN])
      expect(() => encodeVideoMessage({ ...message, sequence })).toThrow(RangeError);
    for (const timestamp of [-1, 2 ** 53, 0.5, Number.NaN])
      expect(() => encodeVideoMessage({ ...message, timestamp })).toThrow(RangeError);
  });
});
