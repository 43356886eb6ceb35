/** What a page that watches a stream has seen so far. */
export interface Watched {
  /** Pictures that were decoded and drawn. */
  pictures: number;
  /** Bytes of all messages with a picture, without the frame headers of the WebSocket. */
  bytes: number;
  /** Milliseconds from asking for the connection to the first picture that was drawn. */
  firstAfter: number | undefined;
  error: string | undefined;
}

/** Somebody who watches in a browser, as `globalThis.watcher` of a page. */
export interface Watcher {
  watch(url: string): void;
  seen(): Watched;
  /** Sends messages; milliseconds until the middle of the picture has a colour; undefined when it never has. */
  untilColour(colour: readonly number[], messages: readonly object[], patience: number): Promise<number | undefined>;
  send(message: object): void;
  /** How like the last picture is to a PNG in base64: structural similarity of luma, 1 is equal. */
  likeness(png: string): Promise<number>;
  leave(): void;
}

interface VideoConfig {
  codec: string;
  width: number;
  height: number;
  codedWidth: number;
  codedHeight: number;
  colorSpace?: VideoColorSpaceInit;
}

/** Runs in a page of its own: draws the JPEGs or the video of a live view. */
export function installWatcher(): void {
  const canvas = document.body.appendChild(document.createElement('canvas'));
  const context = canvas.getContext('2d');
  const point = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
  if (context === null || point === null) throw new Error('no canvas');
  const fresh = (): Watched => ({ pictures: 0, bytes: 0, firstAfter: undefined, error: undefined });
  let watched = fresh();
  let socket: WebSocket | undefined;
  let openedAt = 0;
  let decoder: VideoDecoder | undefined;
  let onPicture: (() => void) | undefined;

  const show = (picture: CanvasImageSource, width: number, height: number): void => {
    if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
    context.drawImage(picture, 0, 0);
    watched.pictures += 1;
    watched.firstAfter ??= performance.now() - openedAt;
    onPicture?.();
  };
  const begin = ({ codec, width, height, codedWidth, codedHeight, colorSpace }: VideoConfig): void => {
    if (decoder?.state === 'configured') decoder.close();
    decoder = new VideoDecoder({
      output: frame => {
        show(frame, width, height);
        frame.close();
      },
      error: reason => {
        watched.error = String(reason);
      },
    });
    const space = colorSpace === undefined ? {} : { colorSpace };
    decoder.configure({ codec, codedWidth, codedHeight, ...space, optimizeForLatency: true });
  };
  const onChunk = (data: ArrayBuffer): void => {
    const head = new DataView(data);
    const type = (head.getUint8(1) & 1) === 1 ? 'key' : 'delta';
    const timestamp = Number(head.getBigUint64(4));
    decoder?.decode(new EncodedVideoChunk({ type, timestamp, data: new Uint8Array(data, 16) }));
  };
  const onJpeg = async (data: BlobPart): Promise<void> => {
    const picture = await createImageBitmap(new Blob([data]));
    show(picture, picture.width, picture.height);
    picture.close();
  };
  const base64 = (text: string) => Uint8Array.from(atob(text), letter => letter.charCodeAt(0));
  const onMessage = ({ data }: MessageEvent<string | ArrayBuffer>): void => {
    if (typeof data === 'string' && data.startsWith('{')) {
      const { video } = JSON.parse(data) as { video?: VideoConfig };
      if (video !== undefined) begin(video);
      return;
    }
    watched.bytes += typeof data === 'string' ? data.length : data.byteLength;
    if (typeof data === 'string') void onJpeg(base64(data));
    else if (new Uint8Array(data)[0] === 1) onChunk(data);
    else void onJpeg(data);
  };
  const lumaOf = (picture: CanvasImageSource, width: number, height: number): Float32Array => {
    const drawn = new OffscreenCanvas(width, height).getContext('2d');
    if (drawn === null) throw new Error('no canvas');
    drawn.drawImage(picture, 0, 0);
    const { data } = drawn.getImageData(0, 0, width, height);
    const at = (index: number) => data[index] ?? 0;
    return Float32Array.from(
      { length: width * height },
      (_, index) => 0.299 * at(4 * index) + 0.587 * at(4 * index + 1) + 0.114 * at(4 * index + 2),
    );
  };
  /** Of blocks of 8 by 8 pixels (Wang et al., 2004). */
  const similarity = (one: Float32Array, other: Float32Array, width: number, height: number): number => {
    let [sum, blocks] = [0, 0];
    for (let top = 0; top + 8 <= height; top += 8)
      for (let left = 0; left + 8 <= width; left += 8) {
        let [a, b, aa, bb, ab] = [0, 0, 0, 0, 0];
        for (let index = 0; index < 64; index += 1) {
          const at = (top + (index >> 3)) * width + left + (index & 7);
          const [x, y] = [one[at] ?? 0, other[at] ?? 0];
          [a, b, aa, bb, ab] = [a + x / 64, b + y / 64, aa + (x * x) / 64, bb + (y * y) / 64, ab + (x * y) / 64];
        }
        const spread = aa - a * a + (bb - b * b);
        sum += ((2 * a * b + 6.5025) * (2 * (ab - a * b) + 58.5225)) / ((a * a + b * b + 6.5025) * (spread + 58.5225));
        blocks += 1;
      }
    return sum / blocks;
  };

  const watcher: Watcher = {
    watch(url) {
      watched = fresh();
      openedAt = performance.now();
      socket = new WebSocket(url);
      socket.binaryType = 'arraybuffer';
      socket.addEventListener('message', onMessage);
    },
    seen: () => watched,
    send: message => socket?.send(JSON.stringify(message)),
    untilColour(colour, messages, patience) {
      const hasColour = (): boolean => {
        point.drawImage(canvas, canvas.width / 2, canvas.height / 2, 1, 1, 0, 0, 1, 1);
        const { data } = point.getImageData(0, 0, 1, 1);
        return colour.every((value, channel) => Math.abs(value - (data[channel] ?? 0)) < 24);
      };
      return new Promise(resolve => {
        const start = performance.now();
        const end = (ms: number | undefined): void => {
          clearTimeout(timer);
          onPicture = undefined;
          resolve(ms);
        };
        const timer = setTimeout(() => end(undefined), patience);
        onPicture = () => {
          if (hasColour()) end(performance.now() - start);
        };
        for (const message of messages) watcher.send(message);
        if (messages.length === 0 && watched.pictures > 0 && hasColour()) end(0);
      });
    },
    async likeness(png) {
      const original = await createImageBitmap(new Blob([base64(png)]));
      const { width, height } = original;
      return similarity(lumaOf(original, width, height), lumaOf(canvas, width, height), width, height);
    },
    leave() {
      socket?.close();
      if (decoder?.state === 'configured') decoder.close();
      decoder = undefined;
    },
  };
  Object.assign(globalThis, { watcher });
}
