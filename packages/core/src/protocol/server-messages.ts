import { z } from 'zod/v4';
import { VIDEO_VERSION } from './video-chunks.js';

/** The states of a thread's stream. */
export const STREAM_STATUSES = ['connected', 'browser_starting', 'streaming', 'browser_closed'] as const;
export type StreamStatus = (typeof STREAM_STATUSES)[number];

const point = z.object({ x: z.number(), y: z.number() });

const control = z.object({
  /** Who may act on the page. While it is a person, the agent's actions wait. */
  holder: z.enum(['agent', 'human']),
  /** The holder is this viewer. */
  isYou: z.boolean(),
  /** This viewer has the right to take control. */
  mayControl: z.boolean(),
  /** Id of this viewer, for the `x-viewer` header of the REST calls that need control. */
  viewer: z.string(),
  /** Another viewer asks for control; told to the holder and to who asks. */
  requestedBy: z.enum(['you', 'another']).optional(),
  /** The last request of this viewer was refused. */
  isDenied: z.boolean().optional(),
  /** The browser can give its pages another size: the REST call `viewport`. */
  mayResize: z.boolean().optional(),
});

const tab = z.object({ tab: z.string(), url: z.string(), title: z.string(), active: z.boolean() });

const action = z.object({
  id: z.string(),
  threadId: z.string(),
  tool: z.string(),
  phase: z.enum(['started', 'aimed', 'ended']),
  ref: z.string().optional(),
  target: z.string().optional(),
  point: point.optional(),
  box: z.object({ x: z.number(), y: z.number(), width: z.number(), height: z.number() }).optional(),
  summary: z.string().optional(),
  success: z.boolean().optional(),
  code: z.string().optional(),
  duration: z.number().optional(),
  at: z.number(),
});

const question = z.object({
  id: z.string(),
  threadId: z.string(),
  question: z.string(),
  options: z.array(z.object({ label: z.string(), description: z.string().optional() })).optional(),
});

const video = z.object({
  /** The form of the chunks' header. */
  version: z.literal(VIDEO_VERSION),
  /** For `VideoDecoder.configure`. */
  codec: z.string(),
  /** Size of the picture, in pixels. */
  width: z.number(),
  height: z.number(),
  /** Size as it is encoded; what is beyond the picture, at the right and at the bottom, is not shown. */
  codedWidth: z.number(),
  codedHeight: z.number(),
  /** For `VideoDecoder.configure`, where the data do not tell it. */
  colorSpace: z
    .object({ primaries: z.string(), transfer: z.string(), matrix: z.string(), fullRange: z.boolean() })
    .optional(),
});

const dialog = z.object({
  type: z.enum(['alert', 'confirm', 'prompt', 'beforeunload']),
  message: z.string(),
  defaultValue: z.string().optional(),
});

/**
 * What a server sends as JSON, by the key that tells the messages apart. Frames are not JSON: JPEG in base64 as text, as
 * they are in binary messages for a viewer that asked with `?frames=binary`, or chunks of video (`decodeVideoMessage`)
 * for one that asked with `?frames=video`.
 */
export const SERVER_MESSAGES = {
  status: z.object({ status: z.enum(STREAM_STATUSES) }).describe('What the stream is doing'),
  url: z.object({ url: z.string() }).describe('Url of the active tab'),
  viewport: z
    .object({
      viewport: z.object({
        width: z.number(),
        height: z.number(),
        offsetTop: z.number(),
        pageScaleFactor: z.number(),
      }),
    })
    .describe('What the frames from here on show, in CSS pixels; sent when it changes'),
  video: z
    .object({ video })
    .describe('How the chunks of video from here on are decoded; sent before the first and when it changes'),
  control: z.object({ control }).describe('Who drives'),
  tabs: z.object({ tabs: z.array(tab) }).describe('The tabs of the thread'),
  action: z.object({ action }).describe('What the agent does'),
  dialog: z
    .object({ dialog: dialog.nullable() })
    .describe('The dialog that the page has opened and waits with, null once it is answered'),
  question: z.object({ question: question.nullable() }).describe('What the agent asks, null once it is answered'),
  viewers: z.object({ viewers: z.number() }).describe('How many watch the thread'),
  error: z.object({ error: z.string(), message: z.string() }).describe('A refusal: code and reason'),
} as const;

export type ServerMessageKind = keyof typeof SERVER_MESSAGES;
export type ServerMessage = {
  [Kind in ServerMessageKind]: z.output<(typeof SERVER_MESSAGES)[Kind]>;
}[ServerMessageKind];
export type ControlState = z.output<typeof control>;
export type LiveVideo = z.output<typeof video>;
export type LiveViewport = z.output<typeof SERVER_MESSAGES.viewport>['viewport'];

/** Reads one text message of a server: a JSON message, a frame in base64, or undefined for what is neither. */
export function parseServerMessage(text: string): ServerMessage | { frame: string } | undefined {
  if (!text.startsWith('{')) return text.length > 0 ? { frame: text } : undefined;
  let value: object;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  const kind = Object.keys(SERVER_MESSAGES).find(key => Object.hasOwn(value, key));
  return kind === undefined ? undefined : SERVER_MESSAGES[kind as ServerMessageKind].safeParse(value).data;
}
