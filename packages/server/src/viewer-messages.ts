import type { ClientMessage, ClientMessageType, LiveViewport } from '@browser-toolset/core/protocol';
import type { LeaseEvent } from './control.js';
import type { InputMessage } from './input-gate.js';
import type { LiveThread } from './live-browser.js';
import type { ThreadSurroundings } from './thread-surroundings.js';
import type { Viewer } from './viewer.js';

/** A thread as far as the messages of its viewers are about it. */
interface WatchedThread {
  readonly thread: LiveThread;
  readonly surroundings: ThreadSurroundings;
  /** The viewport of the frames; undefined while there are none. */
  readonly viewport: LiveViewport | undefined;
  mayAct(viewerId: string | undefined): boolean;
  changeLease(event: LeaseEvent): void;
  adjustPicture(): void;
  requestKey(viewer: Viewer): void;
}

type Handler<Message> = (view: WatchedThread, viewer: Viewer, message: Message) => unknown;

/** The handler of each message of a viewer. */
const HANDLERS: { [Type in ClientMessageType]: Handler<Extract<ClientMessage, { type: Type }>> } = {
  mouse: passInput,
  keyboard: passInput,
  touch: passInput,
  text: passInput,
  settings(view, viewer, { type: _, ...settings }) {
    viewer.settings = { ...viewer.settings, ...settings };
    viewer.outbox.limit(viewer.settings.maxFps);
    view.adjustPicture();
  },
  keyframe(view, viewer) {
    view.requestKey(viewer);
  },
  control(view, viewer, { action }) {
    if (mustControl(viewer)) view.changeLease({ action, viewer: viewer.id });
  },
  relaunch(view, viewer) {
    const { source, threadId } = view.thread;
    if (!mustControl(viewer) || !mustNotDisturb(view, viewer)) return;
    if (source.launch) return source.launch(threadId);
    viewer.refuse('not_supported', 'This browser cannot be started from here.');
  },
  dialog(view, viewer, { accept, text }) {
    const { source, threadId } = view.thread;
    if (!mustControl(viewer) || !mustNotDisturb(view, viewer)) return;
    if (!source.answerDialog) return viewer.refuse('not_supported', 'Dialogs are not answered here.');
    if (source.liveDialog?.(threadId) === undefined) return viewer.refuse('no_dialog', 'No dialog is open.');
    return source.answerDialog({ accept, ...(text !== undefined && { text }) }, threadId);
  },
  async answer({ thread: { source, threadId }, surroundings: { onAnswer } }, viewer, { id, answer }) {
    if (!mustControl(viewer)) return;
    if (!onAnswer) return viewer.refuse('not_supported', 'Questions are not answered here.');
    const isAsked = !source.liveQuestion || source.liveQuestion(threadId)?.id === id;
    if (!isAsked) return viewer.refuse('no_question', 'That question is not asked any more.');
    await onAnswer({ agentId: viewer.agentId, threadId, questionId: id, answer });
  },
};

/** Does what a viewer asks for, or tells it why not. Rejects when the browser or the host fails at it. */
export async function handleMessage(view: WatchedThread, viewer: Viewer, message: ClientMessage): Promise<void> {
  const handler = HANDLERS[message.type] as Handler<ClientMessage>;
  await handler(view, viewer, message);
}

function passInput(view: WatchedThread, viewer: Viewer, message: InputMessage): void {
  const { metrics } = view.surroundings;
  const { viewport } = view;
  if (mustControl(viewer) && mustNotDisturb(view, viewer)) {
    if (viewport === undefined) viewer.refuse('no_browser', 'The thread shows no page.');
    else if (viewer.gate.pass(message, viewport)) return;
    else viewer.refuse('not_supported', `This browser takes no ${message.type} input.`);
  }
  metrics.refusedInput += 1;
}

function mustControl(viewer: Viewer): boolean {
  if (!viewer.mayControl) viewer.refuse('view_only', 'You may watch, but not act.');
  return viewer.mayControl;
}

function mustNotDisturb(view: WatchedThread, viewer: Viewer): boolean {
  const mayAct = view.mayAct(viewer.id);
  if (!mayAct) viewer.refuse('another_in_control', 'Another person has control.');
  return mayAct;
}
