import type { GuardReport } from '../../page/protocol.js';
import type { Action } from './action.js';

/** How long the document of the element acted on may take to say what came of it, in milliseconds. */
const LOOK_BACK_TIMEOUT = 1_000;

/** Asks the document of the element acted on what came of it. One that the action left, or keeps busy, says nothing. */
export async function lookBack({ acted, tab, signal }: Action): Promise<GuardReport> {
  if (acted === undefined || tab.crashed || tab.page.isClosed()) return {};
  const { frame } = acted.entry.node.document;
  return tab.engine
    .ask<GuardReport>(frame, { do: 'guard' }, { timeout: LOOK_BACK_TIMEOUT, signal })
    .catch((): GuardReport => ({}));
}
