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
  /** Of a video that has begun; the first picture says it when left out. */
  size?: Size;
}

/** A picture of the video. */
export interface Drawing {
  frame: {
    /** JPEG in base64. */
    data: string;
    /** What it shows, in CSS pixels. */
    viewport: { width: number; offsetTop?: number };
  };
  /** Milliseconds since the beginning. */
  at: number;
  /** It can be shown without those before it: players jump there. */
  isKey: boolean;
  /** Where an action takes place, in CSS pixels of the viewport. */
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
