import type { Session } from '../browser/session.js';
import {
  type ActionClass,
  type BrowserAction,
  classesOfPress,
  classesOfWords,
  type ValueKind,
} from '../policy/approval.js';
import type { RefEntry } from '../refs/registry.js';

/** The classification of a coming action, as far as the snapshots show. */
export interface Risk {
  classes: ActionClass[];
  entry?: RefEntry;
  /** The element that it acts on, where it has no ref. */
  element?: BrowserAction['element'];
  /** It is unknown what it acts on. */
  isUncertain?: boolean;
}

/** A value that a call puts into a page. Its texts are kept from viewers where the field is masked. */
export interface EnteredValue {
  kind: Exclude<ValueKind, 'secret'>;
  texts: readonly string[];
}

export const NO_RISK: Risk = { classes: [] };

export function refEntryOf(session: Session, ref: unknown): RefEntry | undefined {
  const lookup = typeof ref === 'string' ? session.refs.find(ref) : undefined;
  return lookup !== undefined && 'found' in lookup ? lookup.found : undefined;
}

/** The risk of pressing the element of a ref. An unknown ref acts on nothing. */
export function riskOfPress(session: Session, ref: unknown): Risk {
  const entry = refEntryOf(session, ref);
  if (entry === undefined) return NO_RISK;
  const { told, node } = entry;
  const { domId, does, kind } = node;
  const facts = { ...told, ...(domId && { domId }), ...(does && { does }), isFileInput: kind === 'file' };
  // A press of a frame goes to its content.
  const isUncertain = node.tag === 'iframe' || node.tag === 'frame';
  return { classes: classesOfPress(facts, session.activeTab?.url), entry, isUncertain };
}

/** The risk of choosing options. Options of a menu, and of any list that is not native, are pressed. */
export function riskOfChoice(session: Session, { ref, labels, values, indexes }: Record<string, unknown>): Risk {
  const entry = refEntryOf(session, ref);
  if (entry === undefined || entry.node.tag === 'select') return { classes: [], ...(entry && { entry }) };
  const words = [labels, values].flatMap(texts => (Array.isArray(texts) ? texts.map(String) : []));
  return { classes: [...new Set(words.flatMap(classesOfWords))], entry, isUncertain: indexes !== undefined };
}

export function withClass(kind: ActionClass, risk: Risk): Risk {
  return { ...risk, classes: [...new Set<ActionClass>([kind, ...risk.classes])] };
}

export function textEntered(text: unknown): EnteredValue[] {
  return text === undefined ? [] : [{ kind: 'text', texts: [String(text)] }];
}

/** Values of one kind that no field shows as typed text, if any are given. */
export function valuesEntered(kind: 'options' | 'files' | 'expression', ...values: readonly unknown[]): EnteredValue[] {
  return values.every(value => value === undefined) ? [] : [{ kind, texts: [] }];
}
