import type { Session } from '../../browser/session.js';
import type { BrowserAction, ValueKind } from '../../policy/approval.js';
import type { RefEntry } from '../../refs/ref-entry.js';
import type { ToolDefinition, ToolInput } from '../define.js';
import { type EnteredValue, NO_RISK } from '../risk.js';

/** A call as it is judged, and which elements it names. */
export interface JudgedCall {
  action: BrowserAction;
  /** The same as long as the call acts on the same elements, and they say the same. */
  identity: string;
}

/** What a call is about to do, as its tool says; the page is asked only about a point. */
export async function browserAction(tool: ToolDefinition, input: ToolInput, session: Session): Promise<JudgedCall> {
  const { secrets } = session.owner;
  const url = session.activeTab?.url;
  const risk = tool.risk === 'none' ? NO_RISK : await tool.risk(session, input);
  const { entry, classes } = risk;
  // Nobody knows yet what a dialog asks that is accepted before it is there.
  const isUncertain = risk.isUncertain || input.onDialog?.accept === true;
  const element = risk.element ?? (entry && elementOf(entry));
  const open = tool.id === 'browser_dialog' ? session.activeTab?.dialog : undefined;
  const kindOf = ({ kind, texts }: EnteredValue): ValueKind =>
    kind === 'text' && texts.some(text => secrets.asked(text).length > 0) ? 'secret' : kind;
  const action: BrowserAction = {
    tool: tool.id,
    threadId: session.threadId,
    ...(url !== undefined && { url }),
    ...(entry !== undefined && { ref: entry.ref }),
    ...(element !== undefined && { element }),
    ...(open !== undefined && { dialog: { type: open.type(), message: open.message() } }),
    values: [...new Set(tool.enters === 'nothing' ? [] : tool.enters(input).map(kindOf))],
    classes,
    isUncertain,
  };
  const identity = entry === undefined ? JSON.stringify(element ?? '') : `${entry.node.key} ${entry.told.fingerprint}`;
  return { action: secrets.hideIn(action), identity: `${identity} ${open?.message() ?? ''}` };
}

function elementOf({ told, node }: RefEntry): BrowserAction['element'] {
  const { role, name, row } = told;
  return { role, name, row, ...(node.tag !== undefined && { tag: node.tag }) };
}
