import type { ScreencastStream } from './browser-toolset-like.js';
import type { VideoListener, VideoOptions, VideoStream } from './video.js';

/** A touch event to inject (DevTools protocol, `Input.dispatchTouchEvent`). Coordinates are CSS pixels of the viewport. */
export interface TouchEventInput {
  type: 'touchStart' | 'touchMove' | 'touchEnd' | 'touchCancel';
  /** The fingers that touch after the event; none at `touchEnd` of the last one. */
  touches: readonly { x: number; y: number; id?: number }[];
  /** Bits: Alt 1, Ctrl 2, Meta 4, Shift 8. */
  modifiers?: number;
}

/** A tab as a viewer sees it. */
export interface LiveTab {
  /** The stable id that the agent's tools use too, such as `t1`. */
  tab: string;
  url: string;
  title: string;
  active: boolean;
}

/** A thread that has, or had, a browser. */
export interface LiveSession {
  threadId: string;
  /** False while it is closed or hibernated. */
  isOpen: boolean;
  /** Of the active tab; what it was last for a session that is not open. */
  url?: string;
  title?: string;
}

/** One action of the agent, told when it starts, when it has found where to act, and when it has ended. */
export interface LiveAction {
  /** Unique in the toolset; the same in all that is told of one action. */
  id: string;
  threadId: string;
  /** Id of the tool. */
  tool: string;
  phase: 'started' | 'aimed' | 'ended';
  /** The element it acts on. */
  ref?: string;
  /** Its role and name. */
  target?: string;
  /** Where it acts, in CSS pixels of the viewport. */
  point?: { x: number; y: number };
  /** Box of the element, in CSS pixels of the viewport. */
  box?: { x: number; y: number; width: number; height: number };
  /** The outcome in a few words; with `ended`. */
  summary?: string;
  /** With `ended`. */
  success?: boolean;
  /** Error code of a failure; with `ended`. */
  code?: string;
  /** Milliseconds; with `ended`. */
  duration?: number;
  /** When it was told (milliseconds since the epoch). */
  at: number;
}

/** A dialog that a page has opened (DevTools protocol, `Page.javascriptDialogOpening`). The page stands still until it is answered. */
export interface LiveDialog {
  type: 'alert' | 'confirm' | 'prompt' | 'beforeunload';
  message: string;
  /** The text in the field of a prompt. */
  defaultValue?: string;
}

/** The answer to a dialog; `text` is for a prompt. */
export interface LiveDialogAnswer {
  accept: boolean;
  text?: string;
}

/** A question that the agent's run waits with. */
export interface LiveQuestion {
  id: string;
  threadId: string;
  question: string;
  options?: readonly { label: string; description?: string }[];
}

/**
 * What a browser can offer to a live view beyond frames, mouse and keyboard. A live view asks for each by its presence:
 * a `MastraBrowser` that is not ours has few of them.
 */
export interface BrowserLiveControls {
  /**
   * Encodes what a running screencast of this browser shows, with all that was drawn on its frames, until it is stopped
   * or the screencast ends. Left out by browsers that cannot encode. Rejects when the encoder cannot be had.
   */
  startVideo?(screencast: ScreencastStream, listener: VideoListener, options?: VideoOptions): Promise<VideoStream>;
  /** Threads that have or had a browser, the latest used first. */
  liveSessions(): readonly LiveSession[];
  /** Starts the thread's browser when it is not running. */
  launch(threadId?: string): Promise<void>;
  /** Ends the thread's session. */
  closeThreadSession(threadId: string): Promise<void>;
  /** Inserts text where the focus is, as a paste or an input method does. Rejects when the thread has no browser. */
  insertText(text: string, threadId?: string): Promise<void>;
  /** Rejects when the thread has no browser. */
  injectTouchEvent(event: TouchEventInput, threadId?: string): Promise<void>;
  /** Releases the buttons and keys that a viewer left pressed. */
  releaseInput(threadId?: string): Promise<void>;
  /** Tabs in the order of their ids; none while the thread has no browser. */
  liveTabs(threadId?: string): readonly LiveTab[];
  /** Calls back whenever `liveTabs` answers anew. Returns the way to stop. */
  onTabsChanged(callback: () => void, threadId?: string): () => void;
  /** Opens a tab and makes it the active one. Rejects with the reason when the url cannot be had. */
  openTab(url: string | undefined, threadId?: string): Promise<void>;
  switchTab(tab: string, threadId?: string): Promise<void>;
  closeTab(tab: string, threadId?: string): Promise<void>;
  /** The url bar: brings the active tab to a url. Rejects with the reason when it cannot be had. */
  visit(url: string, threadId?: string): Promise<void>;
  travel(direction: 'back' | 'forward' | 'reload', threadId?: string): Promise<void>;
  /** Gives the thread's pages another viewport, in CSS pixels, until its session ends. Rejects when it has no browser. */
  resize(viewport: { width: number; height: number }, threadId?: string): Promise<void>;
  /** A person drives from now on: the agent's actions wait or answer `human_in_control`. Idempotent. */
  takeControl(threadId?: string): Promise<void>;
  /** The agent may act again and is told with its next result what the person changed. Idempotent. */
  releaseControl(threadId?: string): Promise<void>;
  /** Whether a person drives. */
  isControlled(threadId?: string): boolean;
  /** Calls back whenever `isControlled` answers anew. Returns the way to stop. */
  onControlChanged(callback: () => void, threadId?: string): () => void;
  /** Calls back with what the agent does. Returns the way to stop. */
  onAction(callback: (action: LiveAction) => void, threadId?: string): () => void;
  /** The dialog that the active tab waits with. */
  liveDialog(threadId?: string): LiveDialog | undefined;
  /** Calls back whenever `liveDialog` answers anew. Returns the way to stop. */
  onDialogChanged(callback: () => void, threadId?: string): () => void;
  /** Answers the dialog of the active tab. Rejects when none is open. */
  answerDialog(answer: LiveDialogAnswer, threadId?: string): Promise<void>;
  /** The question that the thread's run waits with. */
  liveQuestion(threadId?: string): LiveQuestion | undefined;
  /** Calls back whenever `liveQuestion` answers anew. Returns the way to stop. */
  onQuestionChanged(callback: () => void, threadId?: string): () => void;
}
