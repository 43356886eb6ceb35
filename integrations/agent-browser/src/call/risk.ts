import type { Session } from '../browser/session.js';
import {
  type ActionClass,
  type BrowserAction,
  classesOfFollowing,
  classesOfPress,
  classesOfWords,
  type ValueKind,
} from '../policy/approval.js';
import type { RefDescription, RefEntry } from '../refs/registry.js';
import type { SnapshotNode } from '../snapshot/tree.js';

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
  /** The field, and what it will show. */
  into?: { ref: unknown; value: string };
}

export const NO_RISK: Risk = { classes: [] };

export function refEntryOf(session: Session, ref: unknown): RefEntry | undefined {
  const lookup = typeof ref === 'string' ? session.refs.find(ref) : undefined;
  return lookup !== undefined && 'found' in lookup ? lookup.found : undefined;
}

/** The risk of pressing the element of a ref. An unknown ref acts on nothing. */
export function riskOfPress(session: Session, ref: unknown): Risk {
  const entry = refEntryOf(session, ref);
  return entry === undefined ? NO_RISK : { ...riskOfElement(session, elementOf(entry)), entry };
}

/** What is about to be pressed, as far as it was read. */
export type PressedElement = Pick<SnapshotNode, 'tag' | 'domId' | 'does'> & RefDescription;

export function elementOf({ shown, node: { tag, domId, does } }: RefEntry): PressedElement {
  return { ...shown, tag, domId, does };
}

/** The risk of every press, by whatever tool, of an element that a ref or a point has led to. */
export function riskOfElement({ activeTab }: Session, element: PressedElement): Risk {
  const { role, name, row, tag } = element;
  // A press of a frame goes to its content.
  const isUncertain = tag === 'iframe' || tag === 'frame';
  const classes = classesOfPress(element, activeTab?.url);
  return { classes, element: { role, name, row, ...(tag !== undefined && { tag }) }, isUncertain };
}

/** How long a page may take to report who hears a press, in milliseconds. */
const HEARD_MS = 1_000;

/** The risk of a press by its words, such as "Go to checkout": less on a link that no script hears. */
export async function lessIfFollowed({ activeTab: tab, refs }: Session, risk: Risk): Promise<Risk> {
  const { entry, classes } = risk;
  const followed = classesOfFollowing(classes);
  if (tab === undefined || entry?.node.tag !== 'a' || followed.length === classes.length) return risk;
  const [frame, target] = [entry.node.document.frame, refs.target(entry)];
  const asked = tab.engine.call(frame, 'onlyFollows', { target }, { timeout: HEARD_MS });
  // A page that does not answer, and an element that is another by now, may do what its words mean.
  return (await asked.catch(() => false)) ? { ...risk, classes: followed } : risk;
}

/** The risk of choosing options. Those of a menu, and of any list that is not native, are pressed, as the list is. */
export function riskOfChoice(session: Session, { ref, labels, values, indexes }: Record<string, unknown>): Risk {
  const pressed = riskOfPress(session, ref);
  if (pressed.entry === undefined || pressed.entry.node.tag === 'select') return pressed;
  const words = [labels, values].flatMap(texts => (Array.isArray(texts) ? texts.map(String) : []));
  const classes = [...new Set([...pressed.classes, ...words.flatMap(classesOfWords)])];
  return { ...pressed, classes, isUncertain: indexes !== undefined };
}

export function withClass(kind: ActionClass, risk: Risk): Risk {
  return { ...risk, classes: [...new Set<ActionClass>([kind, ...risk.classes])] };
}

export function textEntered(text: unknown, ref?: unknown): EnteredValue[] {
  return text === undefined ? [] : [{ kind: 'text', texts: [String(text)], into: { ref, value: String(text) } }];
}

/** Values of one kind that no field shows as typed text, if any are given. */
export function valuesEntered(
  kind: 'options' | 'files' | 'expression',
  values: readonly unknown[],
  ref?: unknown,
): EnteredValue[] {
  const given = values.flat().filter(value => value !== undefined);
  return given.length === 0 ? [] : [{ kind, texts: [], into: { ref, value: given.join(', ') } }];
}
