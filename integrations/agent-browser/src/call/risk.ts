import type { Session } from '../browser/session.js';
import {
  type ActionClass,
  type BrowserAction,
  classesOfPress,
  classesOfWords,
  type ValueKind,
} from '../policy/approval.js';
import type { RefEntry } from '../refs/registry.js';

/** The coming action of a call, as far as the snapshots tell. */
export interface Risk {
  classes: ActionClass[];
  /** The element that it acts on, by its ref. */
  entry?: RefEntry;
  /** The element that it acts on, where it has no ref. */
  element?: BrowserAction['element'];
  /** Nobody knows what it acts on. */
  isUncertain?: boolean;
}

/** A value that a call puts into a page. Texts are kept from viewers where the field shows dots. */
export interface EnteredValue {
  kind: Exclude<ValueKind, 'secret'>;
  texts: readonly string[];
}

export const NO_RISK: Risk = { classes: [] };

/** The element of a ref that is known. */
export function refEntryOf(session: Session, ref: unknown): RefEntry | undefined {
  const lookup = typeof ref === 'string' ? session.refs.find(ref) : undefined;
  return lookup !== undefined && 'found' in lookup ? lookup.found : undefined;
}

/** Of pressing the element of a ref. A ref that is not known acts on nothing. */
export function riskOfPress(session: Session, ref: unknown): Risk {
  const entry = refEntryOf(session, ref);
  if (entry === undefined) return NO_RISK;
  const { told, node } = entry;
  const { domId, does, kind } = node;
  const facts = { ...told, ...(domId && { domId }), ...(does && { does }), isFileInput: kind === 'file' };
  // A press of a frame goes to whatever is in it.
  const isUncertain = node.tag === 'iframe' || node.tag === 'frame';
  return { classes: classesOfPress(facts, session.activeTab?.url), entry, isUncertain };
}

/** Of choosing options. Those of a menu, and of any list that is not the browser's own, are pressed. */
export function riskOfChoice(session: Session, { ref, labels, values, indexes }: Record<string, unknown>): Risk {
  const entry = refEntryOf(session, ref);
  if (entry === undefined || entry.node.tag === 'select') return { classes: [], ...(entry && { entry }) };
  const words = [labels, values].flatMap(texts => (Array.isArray(texts) ? texts.map(String) : []));
  return { classes: [...new Set(words.flatMap(classesOfWords))], entry, isUncertain: indexes !== undefined };
}

/** The same, and of one class more. */
export function withClass(kind: ActionClass, risk: Risk): Risk {
  return { ...risk, classes: [...new Set<ActionClass>([kind, ...risk.classes])] };
}

/** A text that is typed, where there is one. */
export function textEntered(text: unknown): EnteredValue[] {
  return text === undefined ? [] : [{ kind: 'text', texts: [String(text)] }];
}

/** Values of one kind that no field shows as typed text, where there are any. */
export function valuesEntered(kind: 'options' | 'files' | 'expression', ...values: readonly unknown[]): EnteredValue[] {
  return values.every(value => value === undefined) ? [] : [{ kind, texts: [] }];
}
