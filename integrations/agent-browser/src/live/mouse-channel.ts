import type { CDPSession } from 'playwright-core';
import type { MouseDispatch } from './mouse-state.js';

/** The data of a drag: `Input.DragData` (DevTools protocol), without files: a page hands out none by a drag. */
interface DragData {
  items: { mimeType: string; data: string; title?: string; baseURL?: string }[];
  dragOperationsMask: number;
}

type DragEventType = 'dragEnter' | 'dragOver' | 'drop' | 'dragCancel';

/**
 * Sends mouse events to one page, as drag events while the page drags something (HTML5 drag and drop). A headless browser
 * ends a drag at once when it is left to itself, so drags are intercepted for as long as a button is down.
 */
export class MouseChannel {
  readonly #cdp: CDPSession;
  #dragged: DragData | undefined;
  #hasEntered = false;
  #lastRelease: MouseDispatch | undefined;

  constructor(cdp: CDPSession) {
    this.#cdp = cdp;
    cdp.on('Input.dragIntercepted', ({ data: { items, dragOperationsMask } }) => {
      this.#dragged = { items, dragOperationsMask };
      this.#hasEntered = false;
    });
  }

  /** Sends an event at once; the promise settles when the page has taken it. */
  async send(dispatch: MouseDispatch): Promise<void> {
    // The page may say that it drags only after the button came up.
    const late = this.#dragged && this.#lastRelease ? this.#drop(this.#lastRelease) : undefined;
    await Promise.all([late, this.#dragged ? this.#sendDragging(dispatch) : this.#sendPlain(dispatch)]);
  }

  /** Ends what the page drags without a drop. Answers whether there was anything to end. */
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
      return Promise.all([this.#intercept(true), this.#cdp.send('Input.dispatchMouseEvent', dispatch)]);
    }
    const sent = this.#cdp.send('Input.dispatchMouseEvent', dispatch);
    if (dispatch.type !== 'mouseReleased' || dispatch.buttons !== 0) return sent;
    this.#lastRelease = dispatch;
    return Promise.all([sent, this.#intercept(false)]);
  }

  /** A page that drags sees no mouse events (HTML, section 6.11.5), but the wheel still scrolls. */
  async #sendDragging(dispatch: MouseDispatch): Promise<unknown> {
    if (dispatch.type === 'mouseMoved')
      return Promise.all([this.#enter(dispatch), this.#sendDrag('dragOver', dispatch)]);
    if (dispatch.type === 'mouseReleased') return Promise.all([this.#drop(dispatch), this.#intercept(false)]);
    if (dispatch.type === 'mouseWheel') return this.#cdp.send('Input.dispatchMouseEvent', dispatch);
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
    if (this.#dragged) await this.#cdp.send('Input.dispatchDragEvent', { type, x, y, data: this.#dragged, modifiers });
  }

  #intercept(enabled: boolean): Promise<unknown> {
    return this.#cdp.send('Input.setInterceptDrags', { enabled });
  }
}
