import { deedOf } from '../act/deed.js';
import { boxOf, getAttribute, previousElementSibling, shadowRoot, tagName } from '../dom.js';
import { Flag, type RawNode, type RawProps } from '../protocol.js';
import { controlKind, isTextMasked, MASK, propsOf, stateFlags } from '../role-and-name/control.js';
import { hiddenControl, isEditingHost, isHand } from '../role-and-name/interactive.js';
import { type Clip, clipIn, distanceToClip } from '../visibility/clip.js';
import { hitBoxOf } from '../visibility/hit-box.js';
import { isModal } from '../visibility/modal.js';
import { treeScopeOf } from '../visibility/tree-scope.js';
import { distanceToViewport, isUnreadable, viewportNow } from '../visibility/visible.js';
import { CONTENT_NAMED_ROLES, MEASURED_ROLES, STRUCTURE_ROLES } from './emit.js';
import { hash } from './hash.js';
import type { Identities, Identity } from './identities.js';
import { saidHash } from './identity.js';
import type { Known, Sight } from './known.js';
import type { ElementIds } from './refs.js';
import { Rows } from './row.js';
import type { Trace } from './trace.js';
import type { DocumentKnowledge, Scope } from './walk.js';
import { noteWords } from './words.js';

/** Longest text of one run that is worth telling. */
const TEXT_LIMIT = 1000;

/** Deeper nodes stand beside each other: nobody reads a hundred levels, and recursion must end somewhere. */
const DEEPEST = 100;

/** Distance of a container, which its children tell. */
const UNMEASURED = -1;

/** States that matter on what only structures a page. */
const STRUCTURE_STATES = Flag.Selected | Flag.Current | Flag.Expanded | Flag.Collapsed;

const DIALOG_ROLES = new Set(['dialog', 'alertdialog']);

/** Where one cell of a row is, there are the others. */
const CELLS = new Set(['cell', 'gridcell', 'columnheader', 'rowheader']);

/** Roles that say what comes below them is about. */
const HEADING_ROLES = new Set(['heading', 'dialog', 'alertdialog', 'tabpanel']);

interface TextRun {
  node: Node;
  parent: Element;
  depth: number;
  text: string;
  clip: Clip | null;
}

/** How the texts of one element are seen. */
interface SeenTexts {
  parent: Element;
  box: DOMRect;
  hidden: boolean;
  /** They show as dots. */
  masked: boolean;
}

/** An element on its way through a walk. */
interface Place {
  scope: Scope;
  /** What will hold below it. */
  below: Scope;
  /** It has no box of its own (`display: contents`). */
  boxless: boolean;
  /** The box of what has none in the layout, an area of an image. */
  box?: DOMRect;
}

/** Decides what of a document is told, and writes it down. */
export class Emitter {
  readonly nodes: RawNode[] = [];
  readonly rowTexts: string[] = [''];
  /** Modal dialogs in shadow trees. */
  readonly modals: Element[] = [];
  readonly #ids: ElementIds;
  readonly #identities: Identities;
  readonly #rows = new Rows();
  readonly #rowIndexes = new Map<string, number>();
  readonly #focused = deepActiveElement();
  readonly #viewport = viewportNow();
  #run: TextRun | null = null;
  /** Where the latest text was. */
  #texts: SeenTexts | undefined;
  #lastDistance = 0;
  /** Hash of the latest heading. */
  #heading = 0;
  /** The latest element that can be acted on. */
  #previous: Known | undefined;

  constructor(
    knowledge: DocumentKnowledge,
    readonly trace: Trace,
    readonly exactText: boolean,
  ) {
    this.#ids = knowledge.ids;
    this.#identities = knowledge.identities;
  }

  text(node: Text, parent: Element, scope: Scope): void {
    const run = this.#run;
    if (run !== null) {
      if (run.text.length < TEXT_LIMIT) run.text += node.data.slice(0, TEXT_LIMIT);
      return;
    }
    const text = node.data;
    if (/\S/.test(text)) {
      this.#run = { node, parent, depth: scope.depth, text: text.slice(0, 4 * TEXT_LIMIT), clip: scope.clip };
    }
  }

  /** A text ends where a block begins or ends and where an element is emitted. */
  endText(): void {
    const run = this.#run;
    if (run === null) return;
    this.#run = null;
    const { parent } = run;
    const { box, hidden, masked } = this.#textIn(parent);
    if (this.exactText) this.#measured(parent, box, run.clip);
    const text = masked ? MASK : run.text.replace(/\s+/g, ' ').trim().slice(0, TEXT_LIMIT);
    const flags = hidden ? Flag.HiddenText : 0;
    this.nodes.push([run.depth, this.#ids.idOf(run.node), 'text', text, flags, this.#lastDistance, 0, 0]);
  }

  /** How text in an element is seen; it often has several. */
  #textIn(parent: Element): SeenTexts {
    if (this.#texts?.parent === parent) return this.#texts;
    const style = this.#identities.styleOf(parent, this.#identities.of(parent, tagName(parent)));
    const box = boxOf(parent);
    const hidden = isUnreadable(parent, box, { viewport: this.#viewport, style });
    this.trace.text({ parent, style, hidden });
    this.#texts = { parent, box, hidden, masked: isTextMasked(style) };
    return this.#texts;
  }

  element(element: Element, tag: string, place: Place): void {
    const identity = this.#identities.of(element, tag);
    if (this.#isWidget(element, tag, identity, place) && this.#widget(element, tag, identity, place)) return;
    const { role } = identity;
    if (STRUCTURE_ROLES.has(role) || (role === 'img' && !place.scope.quiet)) this.#structure(element, identity, place);
    else if (isLabelling(element, tag)) place.below.quiet = true;
  }

  #isWidget(element: Element, tag: string, identity: Identity, { scope, below }: Place): boolean {
    if (identity.isWidget) return true;
    if (scope.inWidget || tag === 'BODY' || tag === 'HTML') return false;
    const style = this.#identities.styleOf(element, identity);
    const { cursor } = style;
    this.trace.cursor(style, cursor);
    const pointer = isHand(cursor);
    below.pointer = pointer;
    return (
      pointer &&
      !this.#identities.reactions.passesOn(element) &&
      !scope.pointer &&
      !(tag === 'LABEL' && (element as HTMLLabelElement).control !== null)
    );
  }

  /** Emits a widget unless it has no box that a person could hit. */
  #widget(element: Element, tag: string, identity: Identity, { scope, below, boxless, box: given }: Place): boolean {
    const box = given ?? hitBoxOf(element, boxless, this.#viewport);
    if (box === undefined) {
      this.trace.widget({ element, boxless, box });
      this.#ids.rememberUnseen(element);
      return false;
    }
    this.endText();
    const told = this.#identities.toldOf(element, identity, this.#rows);
    const { row, fingerprint } = told;
    const id = this.#ids.idOf(element);
    this.#remember(element, id, { fingerprint, said: saidHash(told), path: below.path });
    const control = tag === 'LABEL' ? (hiddenControl(element) ?? element) : element;
    const named = CONTENT_NAMED_ROLES.has(told.role) || told.role === 'clickable' || tag === 'LABEL';
    const ariaFlags = control === element ? identity.ariaFlags : undefined;
    const states = stateFlags(control, this.#focused, ariaFlags);
    const kind = (named ? Flag.NamedByContent : 0) | (told.isBeside ? Flag.RowBeside : 0);
    const flags = Flag.Interactive | states | kind;
    const distance = this.#measured(element, box, scope.clip);
    const props = widgetProps(element, control, { tag, role: told.role });
    noteWords(props, element, control, told);
    const { role } = told;
    const isDrawn = given !== undefined;
    this.trace.widget({ element, boxless, box, isDrawn, control, role, ariaFlags, states, value: props.value });
    this.nodes.push([scope.depth, id, told.role, told.name, flags, distance, fingerprint, this.#rowIndex(row), props]);
    below.depth = Math.min(scope.depth + 1, DEEPEST);
    below.inWidget = true;
    below.pointer = true;
    below.quiet = scope.quiet || (named && told.name !== '');
    return true;
  }

  #remember(element: Element, id: number, seen: Pick<Sight, 'fingerprint' | 'said' | 'path'>): void {
    const before = this.#previous;
    const { fingerprint } = seen;
    const sight = { ...seen, heading: this.#heading, before: before?.fingerprint ?? 0 };
    if (before !== undefined) before.after = fingerprint;
    this.#previous = this.#ids.remember(element, id, sight);
  }

  #structure(element: Element, identity: Identity, { scope, below }: Place): void {
    const { role } = identity;
    const name = this.#identities.nameOf(element, identity);
    if (role === 'img' && name === '') return;
    this.endText();
    const id = this.#ids.idOf(element);
    this.#ids.rememberContainer(element, id);
    if (HEADING_ROLES.has(role)) this.#heading = hash(name);
    if (DIALOG_ROLES.has(role) && treeScopeOf(element) !== document && isModal(element)) this.modals.push(element);
    const named = CONTENT_NAMED_ROLES.has(role);
    let flags = named ? Flag.NamedByContent : 0;
    const props = propsOf(element, role);
    let distance = UNMEASURED;
    if (MEASURED_ROLES.has(role)) {
      const box = boxOf(element);
      distance = this.#measured(element, box, scope.clip);
      const isLookedAt = named && (this.exactText || role === 'heading');
      const unreadable = isLookedAt ? isUnreadable(element, box, { viewport: this.#viewport }) : undefined;
      if (unreadable) flags |= Flag.HiddenText;
      const isMeasured = !CELLS.has(role) || unreadable !== undefined || previousElementSibling(element) === null;
      this.trace.structure({ element, box: isMeasured ? box : undefined, unreadable, role, value: props?.value });
    }
    flags |= identity.ariaFlags & STRUCTURE_STATES;
    this.nodes.push([scope.depth, id, role, name, flags, distance, 0, 0, props]);
    below.depth = Math.min(scope.depth + 1, DEEPEST);
    below.quiet = scope.quiet || (named && name !== '');
  }

  /** The clip inside an element. */
  clipIn(element: Element, tag: string, around: Clip | null): Clip | null {
    const clip = clipIn(element, this.#identities.styleOf(element, this.#identities.of(element, tag)), around);
    if (clip !== null && clip !== around) this.trace.clip(clip);
    return clip;
  }

  #measured(element: Element, box: DOMRect, clip: Clip | null): number {
    this.#lastDistance = Math.max(distanceToViewport(box, this.#viewport), distanceToClip(element, box, clip));
    return this.#lastDistance;
  }

  #rowIndex(row: string): number {
    if (row === '') return 0;
    let index = this.#rowIndexes.get(row);
    if (index === undefined) {
      index = this.rowTexts.push(row) - 1;
      this.#rowIndexes.set(row, index);
    }
    return index;
  }
}

function widgetProps(element: Element, control: Element, { tag, role }: { tag: string; role: string }): RawProps {
  const props: RawProps = propsOf(element, role) ?? {};
  props.tag = tag.toLowerCase();
  const kind = controlKind(control);
  if (kind === 'text' && isEditingHost(element)) props.editable = true;
  if (kind === 'select' || kind === 'file') props.kind = kind;
  const does = deedOf(element);
  if (does !== undefined) props.does = does;
  const domId = getAttribute(element, 'id');
  if (domId) props.domId = domId;
  return props;
}

/** Text of these is the name of the control, group or table that they label. */
function isLabelling(element: Element, tag: string): boolean {
  if (tag === 'LEGEND' || tag === 'CAPTION') return true;
  return tag === 'LABEL' && (element as HTMLLabelElement).control !== null;
}

export function deepActiveElement(): Element | null {
  let active = document.activeElement;
  while (active !== null) {
    const inner: Element | null | undefined = shadowRoot(active)?.activeElement;
    if (inner == null) break;
    active = inner;
  }
  return active === document.body ? null : active;
}
