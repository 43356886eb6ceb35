import type { Session } from '../../browser/session.js';
import { historyEntry } from '../../browser/tab/history-entry.js';
import { isFileUrl } from '../../page/act/file-endings.js';
import type { ElementAt } from '../../page/protocol.js';
import { Flag } from '../../page/protocol.js';
import {
  type ActionClass,
  type BrowserAction,
  classesOfPress,
  classesOfSending,
  classesOfWords,
  type ValueKind,
} from '../../policy/approval.js';
import type { RefEntry } from '../../refs/registry.js';
import type { ToolDefinition, ToolInput } from '../define.js';
import { keyStroke } from '../element/keys.js';

/** How long a page may take to say what stands at a point, in milliseconds. */
const POINT_TIME = 1_000;
/** Keys that press what has the focus, as the keyboard has them. */
const PRESSING_KEYS = /(?:^|\+)(?:Enter|NumpadEnter|Space)$/;

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
  const { entry, classes } = found;
  // Nobody knows yet what a dialog asks that is accepted before it is there.
  const isUncertain = found.isUncertain || input.onDialog?.accept === true;
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
      return also('upload', pressed(session, ref));
    case 'browser_evaluate':
      return { classes: ['evaluate'], entry: entryOf(session, ref) };
    case 'browser_click':
      return ref === undefined ? atPoint(session, input) : pressed(session, ref);
    case 'browser_type':
      return { classes: submit === true ? classesOfSending(url) : [], entry: entryOf(session, ref) };
    case 'browser_fill_form':
      return filled(session, input);
    case 'browser_press':
      return keysPressed(session, [keys].flat().map(String), ref);
    case 'browser_select':
      return chosen(session, input);
    case 'browser_storage':
      return { classes: action === 'clear' ? ['delete'] : [] };
    case 'browser_drag':
      return typeof to === 'string' && typeof from === 'string'
        ? pressed(session, to)
        : { classes: [], isUncertain: true };
    case 'browser_navigate':
    case 'browser_tabs':
      return { classes: isFileUrl(String(input.url ?? '').trim()) ? ['download'] : [] };
    case 'browser_history':
      return revisited(session, input);
    case 'browser_page_tools':
      // Only the page knows what its tool does.
      return action === 'call' ? { classes: classesOfWords(String(input.name)), isUncertain: true } : { classes: [] };
    case 'browser_dialog':
      return { classes: action === 'accept' ? classesOfWords(session.activeTab?.dialog?.message() ?? '') : [] };
    default:
      return { classes: [] };
  }
}

/** A page that was the answer to a form: the browser sends the form again to have it. */
async function revisited({ activeTab }: Session, { direction }: ToolInput): Promise<Findings> {
  if (activeTab === undefined) return { classes: [] };
  const steps = direction === 'back' ? -1 : 1;
  const goal = direction === 'reload' ? activeTab.url : await historyEntry(activeTab, steps).catch(() => undefined);
  return { classes: goal !== undefined && activeTab.wasPosted(goal) ? classesOfSending(goal) : [] };
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
  // A press of a frame goes to whatever is in it.
  const isUncertain = node.tag === 'iframe' || node.tag === 'frame';
  return { classes: classesOfPress(facts, session.activeTab?.url), entry, isUncertain };
}

function also(kind: ActionClass, findings: Findings): Findings {
  return { ...findings, classes: [...new Set<ActionClass>([kind, ...findings.classes])] };
}

/** Options of a menu, and of any list that is not the browser's own, are pressed. */
function chosen(session: Session, { ref, labels, values, indexes }: ToolInput): Findings {
  const entry = entryOf(session, ref);
  if (entry === undefined || entry.node.tag === 'select') return { classes: [], ...(entry && { entry }) };
  const words = [labels, values].flatMap(texts => (Array.isArray(texts) ? texts.map(String) : []));
  return { classes: [...new Set(words.flatMap(classesOfWords))], entry, isUncertain: indexes !== undefined };
}

function filled(session: Session, { fields, submit }: ToolInput): Findings {
  const all = Array.isArray(fields) ? (fields as { ref?: unknown; value?: unknown }[]) : [];
  const inFields = all.map(({ ref, value }) => {
    if (typeof value === 'boolean') return pressed(session, ref);
    return Array.isArray(value) ? chosen(session, { ref, labels: value }) : { classes: [] };
  });
  const sent = submit === undefined ? { classes: [] } : also('submit', pressed(session, submit));
  const classes = [...new Set([...sent.classes, ...inFields.flatMap(found => found.classes)])];
  return {
    ...sent,
    classes,
    isUncertain: [sent, ...inFields].some(found => 'isUncertain' in found && found.isUncertain),
  };
}

function keysPressed(session: Session, keys: readonly string[], ref: unknown): Findings {
  const strokes = keys.map(key => keyStroke(key));
  const at = strokes.findIndex(stroke => stroke !== undefined && 'press' in stroke && PRESSING_KEYS.test(stroke.press));
  if (at < 0) return { classes: [] };
  const found = pressedKey(session, ref);
  // Whatever was pressed before may have moved the focus.
  return at === 0 ? found : { ...found, isUncertain: true };
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
  const { role, name, row, tag, kind, domId, does } = hit;
  const facts = { role, name, row, ...(domId && { domId }), ...(does && { does }), isFileInput: kind === 'file' };
  const classes = classesOfPress(facts, activeTab.url);
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
