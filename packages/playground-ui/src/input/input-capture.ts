import type { ClientMessageInput } from '@browser-toolset/core/protocol';
import { mapToViewportCoords, type ViewportSize } from './geometry.js';
import { KeyboardInput } from './keyboard.js';
import { type MouseLike, PointerInput } from './pointer.js';

export interface InputCaptureOptions {
  /** Shows the picture as CSS `object-fit: contain` would. */
  surface: HTMLElement;
  /** Takes the keys, so that input methods and the clipboard have a text field to work with. */
  field: HTMLTextAreaElement;
  send(message: ClientMessageInput): void;
  /** The viewport of the present picture. */
  viewport(): ViewportSize | undefined;
  /** This viewer's input reaches the page. */
  isDriving(): boolean;
  /** Makes this viewer's input reach the page, taking control where it is free. Answers false when it cannot. */
  claim(): boolean;
  shouldIgnoreKey?(event: KeyboardEvent): boolean;
  /** Shift+Escape was pressed. Escape alone goes to the page. */
  onLeave(): void;
  /** A button or finger was pressed on the page, at this client point. */
  onPress(point: { clientX: number; clientY: number }): void;
}

/** A running capture. */
export interface InputCapture {
  /** Forgets what is pressed: another one drives now. */
  forget(): void;
  /** Releases what is pressed and stops. */
  dispose(): void;
}

/** Sends a person's input on a surface to the page that it shows. */
export function captureInput(options: InputCaptureOptions): InputCapture {
  const { surface, field, send } = options;
  const pointer = new PointerInput({
    send,
    locate: ({ clientX, clientY }, clamp) => {
      const viewport = options.viewport();
      const rect = surface.getBoundingClientRect();
      return viewport && mapToViewportCoords({ x: clientX, y: clientY }, rect, viewport, { clamp });
    },
    pageHeight: () => options.viewport()?.height ?? 0,
  });
  const keyboard = new KeyboardInput({ send, isMac: /Mac|iP/.test(navigator.platform) });
  const listening = new AbortController();
  listenToMouse(pointer, options, listening.signal);
  listenToTouch(pointer, options, listening.signal);
  listenToKeys(keyboard, options, listening.signal);
  listenToText(keyboard, options, listening.signal);
  window.addEventListener('blur', () => pointer.releaseAll(), listening);
  return {
    forget() {
      pointer.forget();
      keyboard.forget();
      field.value = '';
    },
    dispose() {
      listening.abort();
      pointer.releaseAll();
      keyboard.releaseAll();
    },
  };
}

function listenToMouse(pointer: PointerInput, options: InputCaptureOptions, signal: AbortSignal): void {
  const { surface, field, isDriving, claim, onPress } = options;
  // Click counts are in mouse events alone; places between two pixels, and the capture, are in pointer events.
  let exact: PointerPlace = { clientX: 0, clientY: 0 };
  const onPointer = (
    type: 'pointerdown' | 'pointermove' | 'pointerup' | 'pointercancel' | 'lostpointercapture',
    act: (event: PointerEvent) => void,
  ) => surface.addEventListener(type, event => event.pointerType !== 'touch' && act(event), { signal });
  onPointer('pointerdown', event => {
    exact = event;
    hold(surface, event);
  });
  onPointer('pointermove', event => {
    exact = event;
    if (isDriving() || pointer.isPressed) pointer.move(event);
  });
  onPointer('pointerup', event => pointer.release(event));
  onPointer('pointercancel', () => pointer.releaseAll());
  onPointer('lostpointercapture', () => pointer.releaseAll());
  surface.addEventListener('mousedown', event => press(event), { signal });
  surface.addEventListener('mouseup', event => pointer.release(exactly(event, exact)), { signal });
  surface.addEventListener('contextmenu', event => isDriving() && event.preventDefault(), { signal });
  const onWheel = (event: WheelEvent) => isDriving() && pointer.wheel(event) && event.preventDefault();
  surface.addEventListener('wheel', onWheel, { signal, passive: false });

  function press(event: MouseEvent): void {
    const place = exactly(event, exact);
    if (!pointer.hits(place) || !claim() || !pointer.press(place)) return;
    // Else the host would move the focus, select text or scroll with the middle button.
    event.preventDefault();
    field.focus({ preventScroll: true });
    onPress(place);
  }
}

interface PointerPlace {
  clientX: number;
  clientY: number;
}

/** A mouse event at the place of the pointer event that came with it: its own is cut to whole pixels. */
function exactly(event: MouseLike, { clientX, clientY }: PointerPlace): MouseLike {
  const isSame = Math.abs(event.clientX - clientX) <= 1 && Math.abs(event.clientY - clientY) <= 1;
  if (!isSame) return event;
  const { button, detail, altKey, ctrlKey, metaKey, shiftKey } = event;
  return { clientX, clientY, button, detail, altKey, ctrlKey, metaKey, shiftKey };
}

/** A finger does not focus the field: the keyboard on the screen would cover the page at each tap. */
function listenToTouch(pointer: PointerInput, options: InputCaptureOptions, signal: AbortSignal): void {
  const { surface, claim, onPress } = options;
  const onTouch = (
    type: 'pointerdown' | 'pointermove' | 'pointerup' | 'pointercancel',
    act: (e: PointerEvent) => void,
  ) => surface.addEventListener(type, event => event.pointerType === 'touch' && act(event), { signal });
  onTouch('pointerdown', event => {
    if (!pointer.hits(event) || !claim() || !pointer.touchStart(event)) return;
    // No mouse events shall follow for the same finger (Pointer Events, "compatibility mouse events").
    event.preventDefault();
    hold(surface, event);
    onPress(event);
  });
  onTouch('pointermove', event => pointer.touchMove(event));
  onTouch('pointerup', event => pointer.touchEnd(event));
  onTouch('pointercancel', () => pointer.releaseAll());
}

function listenToKeys(keyboard: KeyboardInput, options: InputCaptureOptions, signal: AbortSignal): void {
  const { surface, field, claim, onLeave } = options;
  surface.addEventListener(
    'keydown',
    event => {
      if (event.key !== 'Enter' || event.target !== surface) return;
      event.preventDefault();
      field.focus({ preventScroll: true });
    },
    { signal },
  );
  field.addEventListener(
    'keydown',
    event => {
      if (options.shouldIgnoreKey?.(event)) return;
      // A key for the page is no shortcut of the host.
      event.stopPropagation();
      const isLeaving = event.key === 'Escape' && event.shiftKey;
      if (isLeaving) onLeave();
      if (isLeaving || (claim() && keyboard.keyDown(event))) event.preventDefault();
    },
    { signal },
  );
  field.addEventListener('keyup', event => keyboard.keyUp(event) && event.preventDefault(), { signal });
  field.addEventListener('blur', () => keyboard.releaseAll(), { signal });
}

function listenToText(keyboard: KeyboardInput, options: InputCaptureOptions, signal: AbortSignal): void {
  const { field, claim } = options;
  const sendField = () => {
    const text = field.value;
    field.value = '';
    if (text !== '' && claim()) keyboard.text(text);
  };
  // Some browsers tell the end of a composition before its last input, others after: the field is empty the second time.
  field.addEventListener('compositionend', sendField, { signal });
  field.addEventListener('input', event => !(event as InputEvent).isComposing && sendField(), { signal });
  field.addEventListener(
    'beforeinput',
    event => {
      const key = INPUT_KEYS[event.inputType];
      if (key === undefined || event.isComposing) return;
      event.preventDefault();
      if (claim()) keyboard.tap(key);
    },
    { signal },
  );
  field.addEventListener(
    'paste',
    event => {
      event.preventDefault();
      const text = event.clipboardData?.getData('text/plain') ?? '';
      if (text !== '' && claim()) keyboard.text(text);
    },
    { signal },
  );
}

/** The requests of on-screen keyboards in place of key presses (Input Events, `inputType`). */
const INPUT_KEYS: Readonly<Record<string, 'Enter' | 'Backspace' | 'Delete'>> = {
  insertLineBreak: 'Enter',
  insertParagraph: 'Enter',
  deleteContentBackward: 'Backspace',
  deleteContentForward: 'Delete',
};

/** A drag goes on outside of the surface. */
function hold(surface: HTMLElement, { pointerId }: PointerEvent): void {
  surface.setPointerCapture(pointerId);
}
