/** Width and height in pixels of a PNG, JPEG or WebP picture, read from its header. */
export function imageSize(picture: Buffer): { width: number; height: number } {
  if (picture.readUInt32BE(0) === 0x89504e47)
    return { width: picture.readUInt32BE(16), height: picture.readUInt32BE(20) };
  if (picture.toString('latin1', 0, 4) === 'RIFF') return webpSize(picture);
  return jpegSize(picture);
}

/** ISO/IEC 10918-1: the frame header (SOF) carries the size. */
function jpegSize(picture: Buffer): { width: number; height: number } {
  for (let at = 2; at + 9 < picture.length; ) {
    const marker = picture.readUInt8(at + 1);
    const isFrame = marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
    if (isFrame) return { width: picture.readUInt16BE(at + 7), height: picture.readUInt16BE(at + 5) };
    at += 2 + picture.readUInt16BE(at + 2);
  }
  throw new Error('the picture is no JPEG');
}

/** RFC 9649: simple lossy (VP8), simple lossless (VP8L) and extended (VP8X) layouts. */
function webpSize(picture: Buffer): { width: number; height: number } {
  const chunk = picture.toString('latin1', 12, 16);
  if (chunk === 'VP8X') return { width: 1 + picture.readUIntLE(24, 3), height: 1 + picture.readUIntLE(27, 3) };
  if (chunk === 'VP8L') {
    const bits = picture.readUInt32LE(21);
    return { width: 1 + (bits & 0x3fff), height: 1 + ((bits >> 14) & 0x3fff) };
  }
  return { width: picture.readUInt16LE(26) & 0x3fff, height: picture.readUInt16LE(28) & 0x3fff };
}
