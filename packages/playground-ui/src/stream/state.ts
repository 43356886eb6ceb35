import type { LiveAction, LiveDialog, LiveQuestion, LiveTab } from '@browser-toolset/core';
import type { ControlState, LiveViewport, ServerMessage, StreamStatus } from '@browser-toolset/core/protocol';
import type { Connection } from './transport.js';

/** How many actions of the agent are kept. */
const ACTION_LIMIT = 50;

/** The state of a browser as a viewer knows it, without its frames. */
export interface BrowserStreamState {
  connection: Connection;
  /** Undefined until the server has said it. */
  status: StreamStatus | undefined;
  /** Of the active tab. */
  url: string | undefined;
  viewport: LiveViewport | undefined;
  /** Undefined for a server that lets every viewer act. */
  control: ControlState | undefined;
  tabs: readonly LiveTab[];
  /** The agent's latest actions, oldest first, each with all that was told of it. */
  actions: readonly LiveAction[];
  /** The dialog that the page waits with. */
  dialog: LiveDialog | undefined;
  question: LiveQuestion | undefined;
  viewers: number;
  /** The last refusal, until it is dismissed or the stream begins anew. */
  error: { error: string; message: string } | undefined;
  /** A frame of the running browser has arrived. */
  hasFrame: boolean;
  /** What the server sends; undefined before the first frame. */
  frames: 'video' | 'jpeg' | undefined;
}

export const INITIAL_STATE: BrowserStreamState = {
  connection: { phase: 'idle' },
  status: undefined,
  url: undefined,
  viewport: undefined,
  control: undefined,
  tabs: [],
  actions: [],
  dialog: undefined,
  question: undefined,
  viewers: 0,
  error: undefined,
  hasFrame: false,
  frames: undefined,
};

/** The state after a message of the server. */
export function applyMessage(state: BrowserStreamState, message: ServerMessage): Partial<BrowserStreamState> {
  if ('status' in message) return applyStatus(message.status);
  if ('action' in message) return { actions: mergeAction(state.actions, message.action as LiveAction) };
  if ('question' in message) return { question: (message.question as LiveQuestion | null) ?? undefined };
  if ('dialog' in message) return { dialog: (message.dialog as LiveDialog | null) ?? undefined };
  // JPEG follows by itself.
  if ('error' in message) return message.error === 'video_not_supported' ? {} : { error: message };
  if ('video' in message) return {};
  return message;
}

function applyStatus(status: StreamStatus): Partial<BrowserStreamState> {
  if (status === 'browser_closed') return { status, hasFrame: false, tabs: [], actions: [], dialog: undefined };
  return status === 'streaming' ? { status, error: undefined } : { status };
}

/** The report of one action comes in parts; a part that leaves a field out does not take it back. */
function mergeAction(actions: readonly LiveAction[], part: LiveAction): readonly LiveAction[] {
  const index = actions.findLastIndex(({ id }) => id === part.id);
  if (index === -1) return [...actions, part].slice(-ACTION_LIMIT);
  return actions.with(index, { ...(actions[index] as LiveAction), ...part });
}

/** The browser runs and this viewer is connected to it. */
export function isLive({ connection, status }: BrowserStreamState): boolean {
  return connection.phase === 'open' && status === 'streaming';
}

/** The server lets this viewer act: it has the right, and nobody else is in control. */
export function mayAct({ control }: Pick<BrowserStreamState, 'control'>): boolean {
  return control === undefined || (control.mayControl && (control.holder === 'agent' || control.isYou));
}

/** This viewer's input reaches the page. */
export function isDriving(state: BrowserStreamState): boolean {
  const { control } = state;
  return isLive(state) && (control === undefined || (control.holder === 'human' && control.isYou));
}

/** This viewer's input reaches the page once control is taken, which nobody has to allow. */
export function canTake(state: BrowserStreamState): boolean {
  return isLive(state) && state.control?.mayControl === true && state.control.holder === 'agent';
}
