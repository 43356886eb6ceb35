/** Pixels. */
export interface Size {
  width: number;
  height: number;
}

/** How a video is encoded. */
export interface VideoSettings {
  /** As WebCodecs names it. */
  codec: string;
  /** Of VP9: 0 is the best, 63 the worst. */
  quantizer: number;
  /** The largest width and height of a video that begins. */
  maxSide: number;
  /** Of a video that has begun; the first picture says it when left out. */
  size?: Size;
}

/** A picture of the video. */
export interface Drawing {
  /** JPEG in base64. */
  picture: string;
  /** Shape of what it shows, in any unit: Chromium may still draw the page as it was before its viewport changed. */
  shape?: Size;
  /** Milliseconds since the beginning. */
  at: number;
  /** It can be shown without those before it: players jump there. */
  isKey: boolean;
  /** Where an action takes place, from the left and the top, in widths of the picture. */
  mark?: { x: number; y: number } | undefined;
}

/** A picture as it stands in the file. */
export interface Packet {
  /** Base64. */
  data: string;
  isKey: boolean;
  /** Milliseconds since the beginning. */
  at: number;
}

export interface Encoded {
  packets: Packet[];
  /** Of the video. */
  size: Size;
}
