import { type RefObject, useEffect, useRef } from 'react';
import type { ViewportSize } from '../input/geometry.js';
import { captureInput, type InputCapture } from '../input/input-capture.js';
import { canTake, isDriving } from '../stream/state.js';
import type { BrowserStream } from './use-browser-stream.js';

export interface InputCaptureBehaviour {
  viewport: ViewportSize | undefined;
  /** The first press takes control while the agent has it. */
  takeOnInteraction: boolean;
  shouldIgnoreKey: ((event: KeyboardEvent) => boolean) | undefined;
  onLeave(): void;
  onPress(point: { clientX: number; clientY: number }): void;
}

export interface CaptureElements {
  surfaceRef: RefObject<HTMLElement | null>;
  fieldRef: RefObject<HTMLTextAreaElement | null>;
}

/** Sends a person's input on the surface to the page, for as long as this viewer may act. */
export function useInputCapture(
  { state, model }: BrowserStream,
  { surfaceRef, fieldRef }: CaptureElements,
  behaviour: InputCaptureBehaviour,
): void {
  const current = useRef(behaviour);
  current.current = behaviour;
  const capture = useRef<InputCapture>(undefined);
  // Invariant: control is asked for once until the server has answered.
  const hasAsked = useRef(false);

  useEffect(() => {
    const [surface, field] = [surfaceRef.current, fieldRef.current];
    if (surface === null || field === null) return;
    const claim = () => {
      const latest = model.getSnapshot();
      if (isDriving(latest)) return true;
      if (!current.current.takeOnInteraction || !canTake(latest)) return false;
      if (!hasAsked.current) model.takeControl();
      hasAsked.current = true;
      return true;
    };
    const running = captureInput({
      surface,
      field,
      claim,
      send: message => model.send(message),
      viewport: () => current.current.viewport,
      isDriving: () => isDriving(model.getSnapshot()),
      shouldIgnoreKey: event => current.current.shouldIgnoreKey?.(event) ?? false,
      onLeave: () => current.current.onLeave(),
      onPress: point => current.current.onPress(point),
    });
    capture.current = running;
    return () => running.dispose();
  }, [model, surfaceRef, fieldRef]);

  const { control, error } = state;
  // biome-ignore lint/correctness/useExhaustiveDependencies: either of the two is the server's answer
  useEffect(() => {
    hasAsked.current = false;
  }, [control, error]);

  const drives = isDriving(state);
  useEffect(() => {
    if (!drives) return;
    // The server has released what this viewer held by the time it says that another one drives.
    return () => capture.current?.forget();
  }, [drives]);
}
