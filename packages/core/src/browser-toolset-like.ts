/** Options of a screencast. */
export interface ScreencastOptions {
  /** The thread whose active tab is shown; the default thread when left out. */
  threadId?: string;
  /** @default 'jpeg' */
  format?: 'jpeg' | 'png';
  /** JPEG quality, 0 to 100. @default 80 */
  quality?: number;
  /** Largest width of a frame in device pixels. @default 1280 */
  maxWidth?: number;
  /** Largest height of a frame in device pixels. @default 720 */
  maxHeight?: number;
  /** Sends one of every n frames. @default 1 */
  everyNthFrame?: number;
}

/** The settings of a screencast's frames; each has a default. */
export type ScreencastPicture = Pick<ScreencastOptions, 'quality' | 'maxWidth' | 'maxHeight'>;

/** One screencast frame (DevTools protocol, `Page.screencastFrame`). */
export interface ScreencastFrame {
  /** The encoded picture in base64. */
  data: string;
  /**
   * The viewport that the picture shows, in CSS pixels. `offsetTop` is where the page begins in the picture (0 when left
   * out), `pageScaleFactor` the pinch zoom (1 when left out).
   */
  viewport: { width: number; height: number; offsetTop?: number; pageScaleFactor?: number };
  /** When it was captured, in milliseconds since the epoch, where the browser tells it. */
  capturedAt?: number;
}

/** A running screencast of one thread. It follows the active tab until it is stopped. */
export interface ScreencastStream {
  on(event: 'frame', handler: (frame: ScreencastFrame) => void): unknown;
  on(event: 'url', handler: (url: string) => void): unknown;
  on(event: 'stop', handler: (reason: string) => void): unknown;
  on(event: 'error', handler: (error: Error) => void): unknown;
  /** Makes the frames from here on another picture. Without it that takes another stream. */
  change?(picture: ScreencastPicture): void;
  /** The newest frame while there is one. Without it whoever needs it for others keeps each. */
  latestFrame?(): ScreencastFrame | undefined;
  stop(): Promise<void>;
}

/** A mouse event to inject (DevTools protocol, `Input.dispatchMouseEvent`). Coordinates are CSS pixels of the viewport. */
export interface MouseEventInput {
  type: 'mousePressed' | 'mouseReleased' | 'mouseMoved' | 'mouseWheel';
  x: number;
  y: number;
  button?: 'left' | 'right' | 'middle' | 'none';
  clickCount?: number;
  deltaX?: number;
  deltaY?: number;
  /** Bits: Alt 1, Ctrl 2, Meta 4, Shift 8. */
  modifiers?: number;
}

/** A keyboard event to inject (DevTools protocol, `Input.dispatchKeyEvent`). */
export interface KeyboardEventInput {
  type: 'keyDown' | 'keyUp' | 'char';
  key?: string;
  code?: string;
  text?: string;
  /** Bits: Alt 1, Ctrl 2, Meta 4, Shift 8. */
  modifiers?: number;
  windowsVirtualKeyCode?: number;
}

/**
 * What a live view needs of a browser: frames out, a person's input in, by thread.
 * Every `MastraBrowser` satisfies it.
 */
export interface BrowserLiveSource {
  /** Whether the thread has a browser with a page; without a thread, whether any has. */
  isBrowserRunning(threadId?: string): boolean;
  /** Calls back when the thread has a page, at once if it has one already. Returns the way to stop. */
  onBrowserReady(callback: () => void, threadId?: string): () => void;
  /** Calls back when the thread's browser has closed. Returns the way to stop. */
  onBrowserClosed(callback: () => void, threadId?: string): () => void;
  /** Starts a screencast; starts the browser when it is not running. */
  startScreencast(options?: ScreencastOptions): Promise<ScreencastStream>;
  /** Starts a screencast of a browser that is running, else answers null. Never starts one. */
  startScreencastIfBrowserActive(options?: ScreencastOptions): Promise<ScreencastStream | null>;
  /** Url of the thread's active tab; null when it has none. Never starts a browser. */
  getCurrentUrl(threadId?: string): Promise<string | null>;
  /** Rejects when the thread has no browser; never starts one. */
  injectMouseEvent(event: MouseEventInput, threadId?: string): Promise<void>;
  /** Rejects when the thread has no browser; never starts one. */
  injectKeyboardEvent(event: KeyboardEventInput, threadId?: string): Promise<void>;
  close(): Promise<void>;
}

/** A frame that an element stands in, as the document around it has it. */
export interface FrameIdentity {
  /** In lower case. */
  tag: string;
  /** Its title, or its name attribute. */
  name?: string;
  /** The id attribute. */
  id?: string;
  /** The way to it, from the body of its own document. */
  path: string;
}

/** How a page tells an element from others, in another run of it too: as it is now, not as it was when a snapshot was taken. */
export interface ElementIdentity {
  /** In lower case. */
  tag: string;
  /** The id attribute. */
  id?: string;
  /**
   * The way to it from the body, such as `main > form > ul > li:nth-of-type(2) > button`. `>>` leads into the shadow root
   * or the frame of what stands before it.
   */
  path: string;
  /** The frames that it stands in, the outermost first. */
  frames?: FrameIdentity[];
  /** It is a field that shows dots in place of its value. */
  masked?: true;
  /** Role, name and row, in the words of the snapshot. */
  said?: {
    role: string;
    name?: string;
    row?: string;
    /** Its place among those that are alike in all of these, counted from 0. */
    index: number;
    /** How many of these there are. */
    count: number;
  };
}

/** A browser toolset: tools for an agent, and the live view of what they do. */
export interface BrowserToolsetLike<Tool = unknown> extends BrowserLiveSource {
  /** The tools by id. */
  readonly tools: Readonly<Record<string, Tool>>;
  /**
   * How the markup tells the elements of refs, by ref; those that are gone, or that a page does not tell of, are left out.
   * It is no call of the agent. Never rejects.
   */
  identifyElements?(refs: readonly string[], threadId?: string): Promise<Readonly<Record<string, ElementIdentity>>>;
}
