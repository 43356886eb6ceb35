import { z } from 'zod/v4';

/** Longest text of one message, in characters: a paste. */
export const TEXT_LIMIT = 1_000_000;

const coordinate = z.number();
const modifiers = z.number().int().min(0).max(15).optional();
const mouseFields = {
  x: coordinate,
  y: coordinate,
  button: z.enum(['left', 'right', 'middle', 'none']).optional(),
  clickCount: z.number().int().min(0).max(10).optional(),
  deltaX: z.number().optional(),
  deltaY: z.number().optional(),
  modifiers,
};
const keyFields = {
  key: z.string().max(100).optional(),
  code: z.string().max(100).optional(),
  text: z.string().max(100).optional(),
  modifiers,
  windowsVirtualKeyCode: z.number().int().min(0).max(0xffff).optional(),
};
const mouseTypes = z.enum(['mousePressed', 'mouseReleased', 'mouseMoved', 'mouseWheel']);
const keyTypes = z.enum(['keyDown', 'keyUp', 'char']);

const mouseEvent = z.object({ type: mouseTypes, ...mouseFields });
const keyEvent = z.object({ type: keyTypes, ...keyFields });
const touchEvent = z.object({
  type: z.enum(['touchStart', 'touchMove', 'touchEnd', 'touchCancel']),
  touches: z.array(z.object({ x: coordinate, y: coordinate, id: z.number().int().min(0).optional() })).max(16),
  modifiers,
});

/**
 * What a viewer may send, by `type`. Mouse and keyboard have two forms: the event inside `event`, and the flat one of
 * Mastra's Studio with `eventType`. Unknown fields are dropped.
 */
export const CLIENT_MESSAGES = {
  mouse: z
    .union([z.object({ event: mouseEvent }), z.object({ eventType: mouseTypes, ...mouseFields })])
    .transform(message => ({
      type: 'mouse' as const,
      event: 'event' in message ? message.event : flat(message),
    }))
    .describe('A mouse event, in CSS pixels of the viewport'),
  keyboard: z
    .union([z.object({ event: keyEvent }), z.object({ eventType: keyTypes, ...keyFields })])
    .transform(message => ({
      type: 'keyboard' as const,
      event: 'event' in message ? message.event : flat(message),
    }))
    .describe('A keyboard event'),
  touch: z
    .object({ event: touchEvent })
    .transform(({ event }) => ({ type: 'touch' as const, event }))
    .describe('A touch event, in CSS pixels of the viewport'),
  text: z
    .object({ text: z.string().max(TEXT_LIMIT) })
    .transform(({ text }) => ({ type: 'text' as const, text }))
    .describe('Text to insert where the focus is: a paste, or what an input method composed'),
  relaunch: z
    .object({})
    .transform(() => ({ type: 'relaunch' as const }))
    .describe("Starts the thread's browser when it is not running"),
  control: z
    .object({ action: z.enum(['take', 'release', 'deny']) })
    .transform(({ action }) => ({ type: 'control' as const, action }))
    .describe('Takes control (asks for it while another person has it), gives it back, or refuses who asks for it'),
  settings: z
    .object({
      maxFps: z.number().min(0.1).max(60).optional(),
      quality: z.number().int().min(1).max(100).optional(),
      maxWidth: z.number().int().min(16).max(8192).optional(),
    })
    .transform(settings => ({ type: 'settings' as const, ...settings }))
    .describe('What this viewer wants of its frames'),
  keyframe: z
    .object({})
    .transform(() => ({ type: 'keyframe' as const }))
    .describe('Asks for a key picture: this viewer of video cannot decode what comes'),
  dialog: z
    .object({ accept: z.boolean(), text: z.string().max(10_000).optional() })
    .transform(({ accept, text }) => ({ type: 'dialog' as const, accept, ...(text !== undefined && { text }) }))
    .describe('Answers the dialog that the page has opened'),
  answer: z
    .object({ id: z.string().max(200), answer: z.string().max(10_000) })
    .transform(({ id, answer }) => ({ type: 'answer' as const, id, answer }))
    .describe('Answers the question that the agent asked'),
} as const;

export type ClientMessageType = keyof typeof CLIENT_MESSAGES;
/** A message of a viewer, in one form. */
export type ClientMessage = {
  [Type in ClientMessageType]: z.output<(typeof CLIENT_MESSAGES)[Type]>;
}[ClientMessageType];
/** A message as a viewer may write it. */
export type ClientMessageInput = {
  [Type in ClientMessageType]: { type: Type } & Fields<z.input<(typeof CLIENT_MESSAGES)[Type]>>;
}[ClientMessageType];
/** An object schema without fields allows no field at all, `type` included. */
type Fields<Input> = Input extends Record<string, never> ? object : Input;

const envelope = z.object({ type: z.string() });

/** Reads one message of a viewer; undefined for anything that is none. Never throws. */
export function parseClientMessage(text: string): ClientMessage | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  const { data } = envelope.safeParse(value);
  if (data === undefined || !Object.hasOwn(CLIENT_MESSAGES, data.type)) return undefined;
  return CLIENT_MESSAGES[data.type as ClientMessageType].safeParse(value).data;
}

function flat<Type extends string, Rest extends object>({
  eventType,
  ...rest
}: { eventType: Type } & Rest): { type: Type } & Omit<Rest, 'eventType'> {
  return { type: eventType, ...rest };
}
