import type { KeyboardEventInput, MouseEventInput, TouchEventInput, ViewportSize } from '@browser-toolset/core';
import { within } from '@browser-toolset/core/waiting';
import type { CDPSession } from 'playwright-core';
import { PageChannel } from '../page-channel.js';
import type { LiveSource } from '../source.js';
import { clipboardCommand, NO_EDITING } from './clipboard-keys.js';
import { KeyboardState, type KeyDispatch } from './keyboard-state.js';
import { type MouseDispatch, MouseState, TouchState } from './pointer-state.js';
import { UndeliveredInput } from './undelivered-input.js';

/** `Input.DragData` (CDP), without files: a page's drag offers none. */
interface DragData {
  items: { mimeType: string; data: string; title?: string; baseURL?: string }[];
  dragOperationsMask: number;
}

type DragEventType = 'dragEnter' | 'dragOver' | 'drop' | 'dragCancel';

/**
 * Sends mouse events to one page, or drag events during HTML drag and drop. A headless browser ends a drag at once by
 * itself, so drags are intercepted while a button is down.
 */
class MouseChannel {
  #dragged: DragData | undefined;
  #hasEntered = false;
  #lastRelease: MouseDispatch | undefined;

  constructor(readonly cdp: CDPSession) {
    cdp.on('Input.dragIntercepted', ({ data: { items, dragOperationsMask } }) => {
      this.#dragged = { items, dragOperationsMask };
      this.#hasEntered = false;
    });
  }

  /** Sends an event at once; resolves when the page has processed it. */
  async send(dispatch: MouseDispatch): Promise<void> {
    // The page may report a drag only after the button was released.
    const late = this.#dragged && this.#lastRelease ? this.#drop(this.#lastRelease) : undefined;
    await Promise.all([late, this.#dragged ? this.#sendDragging(dispatch) : this.#sendPlain(dispatch)]);
  }

  /** Ends a drag without a drop. Resolves to whether there was one. */
  async cancelDrag(): Promise<boolean> {
    if (!this.#dragged) return false;
    const cancelled = this.#sendDrag('dragCancel', this.#lastRelease ?? { x: 0, y: 0, modifiers: 0 });
    this.#dragged = undefined;
    await Promise.all([cancelled, this.#intercept(false)]);
    return true;
  }

  #sendPlain(dispatch: MouseDispatch): Promise<unknown> {
    if (dispatch.type === 'mousePressed') {
      this.#lastRelease = undefined;
      return Promise.all([this.#intercept(true), this.cdp.send('Input.dispatchMouseEvent', dispatch)]);
    }
    const sent = this.cdp.send('Input.dispatchMouseEvent', dispatch);
    if (dispatch.type !== 'mouseReleased' || dispatch.buttons !== 0) return sent;
    this.#lastRelease = dispatch;
    return Promise.all([sent, this.#intercept(false)]);
  }

  /** During a drag a page gets no mouse events (HTML, section 6.11.5), but the wheel still scrolls. */
  async #sendDragging(dispatch: MouseDispatch): Promise<unknown> {
    if (dispatch.type === 'mouseMoved')
      return Promise.all([this.#enter(dispatch), this.#sendDrag('dragOver', dispatch)]);
    if (dispatch.type === 'mouseReleased') return Promise.all([this.#drop(dispatch), this.#intercept(false)]);
    if (dispatch.type === 'mouseWheel') return this.cdp.send('Input.dispatchMouseEvent', dispatch);
    return undefined;
  }

  #drop(point: MouseDispatch): Promise<unknown> {
    const steps = [this.#enter(point), this.#sendDrag('dragOver', point), this.#sendDrag('drop', point)];
    this.#dragged = undefined;
    return Promise.all(steps);
  }

  async #enter(point: MouseDispatch): Promise<void> {
    if (this.#hasEntered) return;
    this.#hasEntered = true;
    await this.#sendDrag('dragEnter', point);
  }

  async #sendDrag(
    type: DragEventType,
    { x, y, modifiers }: Pick<MouseDispatch, 'x' | 'y' | 'modifiers'>,
  ): Promise<void> {
    if (this.#dragged) await this.cdp.send('Input.dispatchDragEvent', { type, x, y, data: this.#dragged, modifiers });
  }

  #intercept(enabled: boolean): Promise<unknown> {
    return this.cdp.send('Input.setInterceptDrags', { enabled });
  }
}

/** A page that is busy, or has opened a dialog because of the event, processes it later; the sender need not wait. */
const ACKNOWLEDGE_MS = 500;
/** In CSS pixels: layout metrics exclude the scroll bars, which a person may want to drag. */
const SCROLL_BAR_PX = 20;
const SIZE_MS = 3_000;
const NOT_TAKEN = 'The page did not process the input.';

interface InputTarget {
  channel: PageChannel;
  mouse: MouseChannel;
}

/** Wraps a promise, which `await` would otherwise unwrap. */
interface SentInput {
  acknowledged?: Promise<unknown>;
}

/**
 * Sends a person's input to the active page, in the order of the calls. All methods but `releaseAll` and `dispose`
 * reject with `UndeliveredInput` when there is no page or the event is invalid.
 */
export class InputInjector {
  readonly #stopFollowing: () => void;
  readonly #mouse = new MouseState();
  readonly #keyboard = new KeyboardState();
  readonly #touch = new TouchState();
  #target: InputTarget | undefined;
  #isDisposed = false;
  #tail: Promise<unknown> = Promise.resolve();

  constructor(readonly source: Pick<LiveSource, 'activePage' | 'onActivePageChanged' | 'pressClipboardKeys'>) {
    this.#stopFollowing = source.onActivePageChanged(() => void this.#inOrder(() => this.#leaveOldPage()));
  }

  /** Injects a mouse event. A press's click count and a move's button are optional. */
  injectMouse(event: MouseEventInput): Promise<void> {
    // A busy page takes events late, which must not make two clicks of a double click.
    const arrived = performance.now();
    return this.#inject(async ({ channel, mouse }) => {
      const viewport = await inputViewport(channel);
      const modifiers = this.#keyboard.modifiersOf(event);
      const dispatch = this.#mouse.complete({ ...event, modifiers }, viewport, arrived);
      return { acknowledged: mouse.send(dispatch) };
    });
  }

  /** Injects a keyboard event. Text, virtual key code and location are optional. */
  injectKeyboard(event: KeyboardEventInput): Promise<void> {
    return this.#inject(async ({ channel: { cdp } }) => {
      const outcome = this.#keyboard.complete(event);
      if (outcome.kind === 'key') return this.#sendKey(cdp, outcome.dispatch);
      return outcome.kind === 'text' ? { acknowledged: cdp.send('Input.insertText', { text: outcome.text }) } : {};
    });
  }

  async #sendKey(cdp: CDPSession, dispatch: KeyDispatch): Promise<SentInput> {
    const command = dispatch.type === 'keyUp' ? undefined : clipboardCommand(dispatch.key, dispatch.modifiers);
    if (command === undefined || this.source.pressClipboardKeys === undefined)
      return { acknowledged: cdp.send('Input.dispatchKeyEvent', dispatch) };
    const send = () => cdp.send('Input.dispatchKeyEvent', { ...dispatch, commands: NO_EDITING });
    // Text typed next must follow the pasted text.
    await this.source.pressClipboardKeys(command, send).catch(cause => {
      throw cause instanceof UndeliveredInput ? cause : new UndeliveredInput(NOT_TAKEN, { cause });
    });
    return {};
  }

  /** Injects a touch event. Touches without an id are numbered by their order. */
  injectTouch(event: TouchEventInput): Promise<void> {
    return this.#inject(async ({ channel }) => {
      const dispatch = this.#touch.complete(event, await inputViewport(channel));
      return dispatch ? { acknowledged: channel.cdp.send('Input.dispatchTouchEvent', dispatch) } : {};
    });
  }

  insertText(text: string): Promise<void> {
    const lines = text.replaceAll(/\r\n?/g, '\n');
    return this.#inject(async ({ channel }) => ({
      acknowledged: channel.cdp.send('Input.insertText', { text: lines }),
    }));
  }

  /** Releases pressed buttons and keys without a click or drop, for a viewer that disconnects. */
  releaseAll(): Promise<void> {
    return this.#inOrder(() => this.#release());
  }

  async dispose(): Promise<void> {
    this.#isDisposed = true;
    this.#stopFollowing();
    await this.#inOrder(() => this.#leave());
  }

  async #inject(act: (target: InputTarget) => Promise<SentInput>): Promise<void> {
    const { channel, acknowledged } = await this.#inOrder(async () => {
      const target = await this.#openTarget();
      return { channel: target.channel, ...(await act(target)) };
    });
    await acknowledgedBy(channel, acknowledged);
  }

  /** Runs steps in order. A step's error reaches its caller and does not stop the next step. */
  #inOrder<Result>(step: () => Promise<Result>): Promise<Result> {
    const result = this.#tail.then(step);
    this.#tail = result.then(
      () => undefined,
      () => undefined,
    );
    return result;
  }

  async #openTarget(): Promise<InputTarget> {
    const page = this.#isDisposed ? null : this.source.activePage();
    if (!page) throw new UndeliveredInput('No active target: there is no open page to take the input.');
    if (this.#target?.channel.page === page && this.#target.channel.isOpen) return this.#target;
    await this.#leave();
    const channel = await PageChannel.open(page).catch(cause => {
      throw new UndeliveredInput('No active target: the page went away before it could take the input.', { cause });
    });
    this.#target = { channel, mouse: new MouseChannel(channel.cdp) };
    return this.#target;
  }

  async #leaveOldPage(): Promise<void> {
    if (this.#target && this.#target.channel.page !== this.source.activePage()) await this.#leave();
  }

  async #leave(): Promise<void> {
    await this.#release();
    this.#mouse.reset();
    this.#target?.channel.close();
    this.#target = undefined;
  }

  /** Never rejects: a closed page holds nothing down. */
  async #release(): Promise<void> {
    const target = this.#target;
    const buttons = this.#mouse.release();
    const keys = this.#keyboard.release();
    const touches = this.#touch.release();
    if (!target?.channel.isOpen) return;
    const released = target.mouse.cancelDrag().then(wasDragging => {
      const mouse = wasDragging ? [] : buttons.map(dispatch => target.mouse.send(dispatch));
      return Promise.all([
        ...mouse,
        ...keys.map(dispatch => target.channel.cdp.send('Input.dispatchKeyEvent', dispatch)),
        ...touches.map(dispatch => target.channel.cdp.send('Input.dispatchTouchEvent', dispatch)),
      ]);
    });
    // A page that cannot process the release has lost its input state.
    await acknowledgedBy(target.channel, released).catch(() => undefined);
  }
}

/** Waits until the page has processed an event, but not for a page that is busy or was closed by it. */
async function acknowledgedBy(channel: PageChannel, acknowledged?: Promise<unknown>): Promise<void> {
  if (acknowledged === undefined) return;
  await within(ACKNOWLEDGE_MS, acknowledged).catch(cause => {
    if (channel.isOpen) throw new UndeliveredInput(NOT_TAKEN, { cause });
  });
}

/** Invariant: the size comes from the browser; a page could claim any size. */
async function inputViewport({ page, cdp }: PageChannel): Promise<ViewportSize> {
  const emulated = page.viewportSize();
  if (emulated) return emulated;
  const metrics = cdp.send('Page.getLayoutMetrics', undefined, { timeout: SIZE_MS });
  const { cssLayoutViewport } = await metrics.catch(cause => {
    throw new UndeliveredInput('The page does not tell the size of its viewport.', { cause });
  });
  return {
    width: cssLayoutViewport.clientWidth + SCROLL_BAR_PX,
    height: cssLayoutViewport.clientHeight + SCROLL_BAR_PX,
  };
}
