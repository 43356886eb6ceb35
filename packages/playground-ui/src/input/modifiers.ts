/** The modifier keys of mouse, pointer and keyboard events. */
export interface ModifierState {
  altKey: boolean;
  ctrlKey: boolean;
  metaKey: boolean;
  shiftKey: boolean;
}

/** Modifier keys as the DevTools protocol counts them (`Input.dispatchKeyEvent`): Alt 1, Ctrl 2, Meta 4, Shift 8. */
export function modifierBits({ altKey, ctrlKey, metaKey, shiftKey }: ModifierState): number {
  return (altKey ? 1 : 0) | (ctrlKey ? 2 : 0) | (metaKey ? 4 : 0) | (shiftKey ? 8 : 0);
}
