import { isTimeout, ToolError } from '../../outcome/errors.js';
import type { Action } from '../call/action.js';
import { elementState } from './wait-for.js';

/** Milliseconds in which a page has checked its fields, or has what it waits for, and lets its button be pressed. */
const ENABLED = 1_000;

/** Presses an element; one that is disabled gets a moment to become enabled. */
export async function onceEnabled<T>(action: Action, ref: string, press: () => Promise<T>): Promise<T> {
  try {
    return await press();
  } catch (error) {
    if (!(error instanceof ToolError) || error.code !== 'element_disabled') throw error;
    const { signal } = action;
    await elementState(action, ref, { state: 'enabled', timeout: ENABLED, signal }).catch(late => {
      throw isTimeout(late) ? error : late;
    });
    return press();
  }
}
