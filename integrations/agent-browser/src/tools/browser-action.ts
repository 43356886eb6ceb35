import type { Session } from '../browser/session.js';
import type { ElementAt } from '../page/protocol.js';
import { Flag } from '../page/protocol.js';
import {
  type ActionClass,
  type BrowserAction,
  classesOfPress,
  classesOfSending,
  classesOfWords,
  type ValueKind,
} from '../policy/approval.js';
import type { RefEntry } from '../refs/registry.js';
import type { ToolDefinition, ToolInput } from './define.js';

/** How long a page may take to say what stands at a point, in milliseconds. */
const POINT_TIME = 1_000;
/** Keys that press what has the focus. */
const PRESSING_KEYS = /(?:^|\+)(?:enter|numpadenter|return|space| )$/i;

/** A call as it is judged, and which elements it names. */
export interface JudgedCall {
  action: BrowserAction;
  /** The same as long as the call acts on the same elements, and they say the same. */
  identity: string;
}

interface Findings {
  classes: ActionClass[];
  entry?: RefEntry;
  element?: BrowserAction['element'];
  isUncertain?: boolean;
}

/** What a call is about to do, as far as the snapshots tell; the page is asked only about a point. */
export async function browserAction(tool: ToolDefinition, input: ToolInput, session: Session): Promise<JudgedCall> {
  const { secrets } = session.owner;
  const url = session.activeTab?.url;
  const found = await findings(tool.id, input, session);
  const { entry, classes, isUncertain = false } = found;
  const element = found.element ?? (entry && elementOf(entry));
  const open = tool.id === 'browser_dialog' ? session.activeTab?.dialog : undefined;
  const action: BrowserAction = {
    tool: tool.id,
    threadId: session.threadId,
    ...(url !== undefined && { url }),
    ...(entry !== undefined && { ref: entry.ref }),
    ...(element !== undefined && { element }),
    ...(open !== undefined && { dialog: { type: open.type(), message: open.message() } }),
    values: [...new Set(kindsOf(input, text => secrets.asked(text).length > 0))],
    classes,
    isUncertain,
  };
  const identity = entry === undefined ? JSON.stringify(element ?? '') : `${entry.node.key} ${entry.told.fingerprint}`;
  return { action: secrets.hideIn(action), identity: `${identity} ${open?.message() ?? ''}` };
}

async function findings(tool: string, input: ToolInput, session: Session): Promise<Findings> {
  const url = session.activeTab?.url;
  const { ref, submit, to, from, keys, action } = input;
  switch (tool) {
    case 'browser_upload':
      return { classes: ['upload'], entry: entryOf(session, ref) };
    case 'browser_evaluate':
      return { classes: ['evaluate'], entry: entryOf(session, ref) };
    case 'browser_click':
      return ref === undefined ? atPoint(session, input) : pressed(session, ref);
    case 'browser_type':
      return { classes: submit === true ? classesOfSending(url) : [], entry: entryOf(session, ref) };
    case 'browser_fill_form':
      return submit === undefined ? { classes: [] } : withSubmit(pressed(session, submit));
    case 'browser_press':
      return [keys].flat().some(key => PRESSING_KEYS.test(String(key))) ? pressedKey(session, ref) : { classes: [] };
    case 'browser_drag':
      return typeof to === 'string' && typeof from === 'string'
        ? pressed(session, to)
        : { classes: [], isUncertain: true };
    case 'browser_dialog':
      return { classes: action === 'accept' ? classesOfWords(session.activeTab?.dialog?.message() ?? '') : [] };
    default:
      return { classes: [] };
  }
}

function entryOf(session: Session, ref: unknown): RefEntry | undefined {
  const lookup = typeof ref === 'string' ? session.refs.find(ref) : undefined;
  return lookup !== undefined && 'found' in lookup ? lookup.found : undefined;
}

/** A ref that is not known acts on nothing. */
function pressed(session: Session, ref: unknown): Findings {
  const entry = entryOf(session, ref);
  if (entry === undefined) return { classes: [] };
  const { told, node } = entry;
  const { domId, does, kind } = node;
  const facts = { ...told, ...(domId && { domId }), ...(does && { does }), isFileInput: kind === 'file' };
  return { classes: classesOfPress(facts, session.activeTab?.url), entry };
}

function withSubmit(findings: Findings): Findings {
  return { ...findings, classes: [...new Set<ActionClass>(['submit', ...findings.classes])] };
}

/** Enter in a field sends its form; on anything else it is a press. */
function pressedKey(session: Session, ref: unknown): Findings {
  const focused = [...session.refs.live.values()].find(({ flags }) => (flags & Flag.Focused) !== 0);
  const named = ref ?? (focused && session.refs.refOf(focused));
  if (named === undefined) return { classes: classesOfSending(session.activeTab?.url), isUncertain: true };
  const found = pressed(session, named);
  const classes = new Set<ActionClass>([...classesOfSending(session.activeTab?.url), ...found.classes]);
  // What has the focus is as old as the latest snapshot.
  return { ...found, classes: [...classes], isUncertain: ref === undefined };
}

async function atPoint(session: Session, { x, y }: ToolInput): Promise<Findings> {
  const { activeTab } = session;
  if (activeTab === undefined || typeof x !== 'number' || typeof y !== 'number')
    return { classes: [], isUncertain: true };
  const asked = { do: 'at', x, y } as const;
  const hit = await activeTab.engine
    .ask<ElementAt | null>(activeTab.page.mainFrame(), asked, { timeout: POINT_TIME })
    .catch(() => undefined);
  // A page that does not answer, or a frame, may have anything there.
  if (hit == null || hit.inner !== undefined) return { classes: [], isUncertain: true };
  const { role, name, row, tag, kind } = hit;
  const classes = classesOfPress({ role, name, isFileInput: kind === 'file' }, activeTab.url);
  return { classes, element: { role, name, row, tag } };
}

function elementOf({ told, node }: RefEntry): BrowserAction['element'] {
  const { role, name, row } = told;
  return { role, name, row, ...(node.tag !== undefined && { tag: node.tag }) };
}

function kindsOf(input: ToolInput, isSecret: (text: string) => boolean): ValueKind[] {
  const { text, fields, keys, paths, expression, values, labels, indexes } = input;
  const kindOf = (value: unknown): ValueKind => {
    if (typeof value === 'boolean') return 'checked';
    if (Array.isArray(value)) return 'options';
    return isSecret(String(value)) ? 'secret' : 'text';
  };
  const inForm = Array.isArray(fields) ? fields.map((field: { value?: unknown }) => kindOf(field.value)) : [];
  return [
    ...inForm,
    ...(text === undefined ? [] : [kindOf(text)]),
    ...(keys === undefined ? [] : ['keys' as const]),
    ...(paths === undefined ? [] : ['files' as const]),
    ...(expression === undefined ? [] : ['expression' as const]),
    ...((values ?? labels ?? indexes) === undefined ? [] : ['options' as const]),
  ];
}
