import {
  acceptedFormat,
  ariaFlags,
  CONTROL_VALUE_LIMIT,
  controlKind,
  isTextInput,
  isTextMasked,
  listedOptions,
  popupOf,
  propsOf,
  stateByClass,
  stateFlags,
  takesSecret,
} from '../dom/control.js';
import {
  boxOf,
  elementById,
  getAttribute,
  isSized,
  matches,
  querySelector,
  querySelectorAll,
  referencedElements,
  shadowRoot,
  treeScopeOf,
} from '../dom/dom.js';
import type { InternalSemantics } from '../dom/internals.js';
import { PDF_ROLE } from '../dom/pdf.js';
import { type ElementRecord, hash, type KnownElement } from '../identity/element-record.js';
import {
  CLICKABLE,
  type DocumentNodes,
  elementNow,
  identityHashOf,
  identityOf,
  isNameOfWholeElement,
} from '../identity/identity.js';
import type { PseudoText } from '../names/generated-content.js';
import { isNameless } from '../names/hint-words.js';
import { hiddenText, hintBesideNamesake, hintOf } from '../names/hints.js';
import { isStruckThrough, MarkedText, markedName } from '../names/marked-text.js';
import { nameOf, shownValue } from '../names/name.js';
import { roleOf } from '../names/role.js';
import {
  CONTENT_NAMED_ROLES,
  DIALOG_ROLES,
  FIELD_ROLES,
  MEASURED_ROLES,
  NAMED_ROLES,
  NAMELESS_ROLES,
  STRUCTURE_ROLES,
} from '../names/roles.js';
import { isModal } from '../press/hit-test.js';
import { type ElementNow, Flag, MASK, NO_FINGERPRINT, type RawNode, type RawProps, UNMEASURED } from '../protocol.js';
import { cutText } from '../text/cut-text.js';
import { UNSEEN_CHARACTERS } from '../text/line-breaks.js';
import { Legibility } from '../visibility/legibility.js';
import { seenText } from '../visibility/seen-text.js';
import { type Clip, distanceToClip, distanceToViewport, hitBoxOf, isCutBy, shownIn } from '../visibility/visibility.js';
import type { Changes, KeptRows } from './changes.js';
import type { Listeners, Reactions } from './clickable.js';
import {
  hasWidgetRole,
  hiddenControl,
  isDeclaredClickable,
  isEditingHost,
  isHand,
  isReplaced,
  isShownByLabel,
  listedActionOf,
} from './interactive.js';
/** An element during a walk, with values that several steps of the walk need. */
export class SeenElement {
  readonly role: string;
  /** Its role or its attributes make it a widget. */
  readonly isWidget: boolean;
  #style: CSSStyleDeclaration | undefined;
  #ariaFlags: number | undefined;

  constructor(
    readonly element: Element,
    readonly tag: string,
  ) {
    this.role = roleOf(element);
    this.isWidget = hasWidgetRole(element, tag, this.role) || isDeclaredClickable(element);
  }

  get style(): CSSStyleDeclaration {
    this.#style ??= getComputedStyle(this.element);
    return this.#style;
  }

  get ariaFlags(): number {
    this.#ariaFlags ??= ariaFlags(this.element);
    return this.#ariaFlags;
  }
}

/** A text of characters without a width alone, with which pages keep a line or a caret in its place. */
const WIDTHLESS_TEXT = new RegExp(`^[${UNSEEN_CHARACTERS}]*$`);

/** Fields that may offer suggestions. */
const SUGGESTING = new Set(['combobox', 'searchbox', 'textbox']);

/** The elements that one controls or owns (WAI-ARIA 1.2). */
export function controlledBy(element: Element): Element[] {
  const controls = getAttribute(element, 'aria-controls');
  const owns = getAttribute(element, 'aria-owns');
  if (controls === null && owns === null) return [];
  return referencedElements(element, `${controls ?? ''} ${owns ?? ''}`);
}

function optionTexts(list: Element): string[] {
  return Array.from(querySelectorAll(list, '[role="option" i]'), option => seenText(option, NODE_TEXT_LIMIT));
}

/** A combobox around one of these has the value of that field. */
const TEXT_FIELDS = 'input:not([type="hidden" i]), textarea, [contenteditable], [role="textbox"], [role="searchbox"]';

/** The properties of a widget. `control` holds its value and states: a label stands for its hidden control. */
function widgetProps(element: Element, control: Element, { tag, now }: { tag: string; now: ElementNow }): RawProps {
  const { role } = now;
  const props: RawProps = propsOf(element, role) ?? {};
  props.tag = tag.toLowerCase();
  const kind = controlKind(control);
  if (role === 'combobox' && kind === 'other' && querySelector(element, TEXT_FIELDS) === null) {
    const value = cutText(shownValue(element, role), CONTROL_VALUE_LIMIT);
    if (value !== '') props.value = value;
  }
  if (role === 'combobox' && kind === 'other' && getAttribute(element, 'aria-expanded') === 'false') {
    const options = listedOptions(controlledBy(element).flatMap(optionTexts));
    if (options !== undefined) props.options = options;
  }
  if (kind === 'text' && isEditingHost(element)) props.editable = true;
  // What an editor keeps in the field for its keys is not its text.
  if (shownIn(element) !== element) delete props.value;
  if (kind === 'select' || kind === 'file') props.kind = kind;
  if (kind === 'text' && takesSecret(control)) props.isSecret = true;
  const does = listedActionOf(element);
  if (does !== undefined) props.does = does;
  const popup = popupOf(element, role);
  if (popup !== undefined) props.popup = popup;
  const domId = getAttribute(element, 'id');
  if (domId) props.domId = domId;
  noteWords(props, element, control, now);
  return props;
}

/** Kinds of controls that have their label beside them. */
const FIELD_KINDS = new Set(['text', 'select', 'file', 'toggle']);
/** Roles whose value is a number, which does not identify the control. */
const NUMBER_ROLES = new Set(['slider', 'spinbutton']);

/** Whether a name mentions the format that its field takes. */
function mentions(name: string, takes: string): boolean {
  return name.toLowerCase().includes(takes);
}

const HOW_TO_READ_PDF = 'browser_read gives its text and its file';

/** Adds words that identify a control whose name does not. */
function noteWords(props: RawProps, element: Element, control: Element, { role, name }: ElementNow): void {
  if (role === PDF_ROLE) {
    props.hint = HOW_TO_READ_PDF;
    return;
  }
  // A widget that is named by its choice has its label beside it.
  if (isNameless(name) || (role === 'combobox' && name === props.value)) {
    const isField = FIELD_ROLES.has(role) || FIELD_KINDS.has(controlKind(control));
    const value = NUMBER_ROLES.has(role) ? undefined : props.value;
    const hint = role === 'iframe' ? '' : hintOf(element, { isField, value });
    if (hint !== '') props.hint = hint;
  } else if (CONTENT_NAMED_ROLES.has(role)) {
    const text = hiddenText(element, name);
    if (text !== '') props.text = text;
    const hint = hintBesideNamesake(element);
    if (hint !== '') props.hint = hint;
  }
  const takes = acceptedFormat(control);
  if (takes !== '' && !(takes === 'email' ? /mail/i.test(name || (props.hint ?? '')) : mentions(name, takes)))
    props.takes = takes;
}

/**
 * Whether an element is in a collapsed box, such as a closed section of an accordion, where nobody can press it. A field
 * there may take the keys or the files of what is shown in its place.
 */
function isShutAway(element: Element, clip: Clip | null): boolean {
  return clip?.isCollapsed === true && !FIELD_KINDS.has(controlKind(element)) && isCutBy(clip, element);
}

/** Facts that apply to everything below an element. */
export interface Scope {
  /** Depth in the emitted tree. */
  depth: number;
  /** Hash of the tag names from the document down to here. */
  path: number;
  /** Inside a widget: descendants belong to it unless they are widgets themselves. */
  inWidget: boolean;
  /** The cursor is inherited as a pointer: only the element where it begins is clickable. */
  pointer: boolean;
  /** The text is in the name of an emitted ancestor. */
  quiet: boolean;
  clip: Clip | null;
  /** The rows here may have changed since the previous walk. */
  touched: boolean;
}

/** All that a walk needs to know of its document. */
export interface WalkContext extends DocumentNodes {
  readonly changes: Changes;
  readonly rows: KeptRows;
  readonly reactions: Reactions;
  readonly listeners: Listeners;
  readonly internals: InternalSemantics;
  /** The `aria-hidden` elements that a person can press. */
  readonly shownAriaHidden: WeakSet<Element>;
}

const NODE_TEXT_LIMIT = 1000;

/** Deeper nodes become siblings: nobody reads a hundred levels, and the recursion must end. */
const MAX_EMIT_DEPTH = 100;

/** A page with fewer nodes may be shown with all its text, also where only its controls are asked for. */
const NODES_READ = 150;

/** States that are reported for structural elements. */
const STRUCTURE_STATES =
  Flag.Selected |
  Flag.Current |
  Flag.Expanded |
  Flag.Collapsed |
  Flag.Labelled |
  Flag.AriaHidden |
  Flag.SortedAscending |
  Flag.SortedDescending |
  Flag.Multiselectable;

/** Roles whose name is the heading of the content in or after them. */
const HEADING_ROLES = new Set(['heading', 'dialog', 'alertdialog', 'tabpanel']);

/** Display values of elements in the line of text around them. */
const FLOWING = new Set(['inline', 'contents']);

interface TextRun {
  node: Node;
  parent: SeenElement;
  depth: number;
  marked: MarkedText;
  clip: Clip | null;
  hidden: boolean;
}

interface VisitState {
  scope: Scope;
  below: Scope;
  /** It has no box of its own (`display: contents`). */
  boxless: boolean;
  /** The box of an element without layout, such as an area of an image. */
  box?: DOMRect;
}

/** Selects what a capture contains of a document, and writes its nodes. */
export class Emitter {
  readonly nodes: RawNode[] = [];
  readonly rowTexts: string[] = [''];
  /** Modal dialogs in shadow trees. */
  readonly modals: Element[] = [];
  /** The elements that fields reference as their suggestions (WAI-ARIA 1.2: aria-controls, aria-owns). */
  readonly #offered = new Set<Element>();
  readonly #rowIndexes = new Map<string, number>();
  readonly #focused = deepActiveElement();
  readonly #isTyping = this.#focused !== null && isTextInput(this.#focused);
  readonly #reached = this.#focused !== null && this.#isTyping ? reachedFrom(this.#focused) : null;
  readonly #legibility = new Legibility();
  readonly #viewport = this.#legibility.viewport;
  #run: TextRun | null = null;
  /** Generated content right before the next run. */
  #ahead = '';
  #lastDistance = 0;
  /** Hash of the latest heading. */
  #heading = 0;
  /** The latest interactive element. */
  #previous: KnownElement | undefined;

  constructor(
    readonly context: WalkContext,
    readonly exactText: boolean,
  ) {}

  text(node: Text, parent: SeenElement, { depth, clip }: Scope): void {
    const { data } = node;
    const isBlank = !/\S/.test(data);
    const hidden =
      !isBlank && this.#legibility.isUnreadable({ element: parent.element, style: parent.style, node, clip });
    // Hidden text is not part of the sentence around it.
    if (!isBlank && this.#run !== null && this.#run.hidden !== hidden) this.endText();
    if (this.#run === null) {
      if (isBlank) return;
      this.#run = { node, parent, depth, marked: new MarkedText(this.#ahead), clip, hidden };
    }
    const { marked } = this.#run;
    const isStruck = !isBlank && isStruckThrough(parent.element, data, parent.style);
    if (marked.text.length < NODE_TEXT_LIMIT) marked.add(data.slice(0, 4 * NODE_TEXT_LIMIT), parent.element, isStruck);
  }

  /** Adds generated content to the text beside it, since no node contains it. */
  added({ text, apart }: PseudoText, scope: Scope): void {
    if (scope.quiet) return;
    const piece = apart ? ` ${text} ` : text;
    if (this.#run === null) this.#ahead += piece;
    else if (this.#run.marked.text.length < NODE_TEXT_LIMIT) this.#run.marked.text += piece;
  }

  /** Called where an inline element begins or ends: an inline box is separated from the text beside it. */
  edge(seen: SeenElement): void {
    if (this.#run !== null && !FLOWING.has(seen.style.display)) this.#run.marked.text += ' ';
  }

  /** Ends the text run. Called where a block begins or ends, and before an element is emitted. */
  endText(): void {
    this.#ahead = '';
    const run = this.#run;
    if (run === null) return;
    this.#run = null;
    const { element, style } = run.parent;
    if (this.exactText) this.#measured(element, boxOf(element), run.clip);
    const text = isTextMasked(style) ? MASK : cutText(run.marked.end().replace(/\s+/g, ' ').trim(), NODE_TEXT_LIMIT);
    if (WIDTHLESS_TEXT.test(text)) return;
    const flags = run.hidden ? Flag.HiddenText : 0;
    const id = this.context.ids.idOf(run.node);
    this.nodes.push([run.depth, id, 'text', text, flags, this.#lastDistance, NO_FINGERPRINT, 0]);
  }

  element(seen: SeenElement, place: VisitState): void {
    const { element, role, tag } = seen;
    // A hidden drop-down is not emitted as a list either.
    if (this.#isWidget(seen, place) && (this.#widget(seen, place) || tag === 'SELECT')) return;
    if (STRUCTURE_ROLES.has(role) || seen.ariaFlags & Flag.AriaHidden) this.#structure(seen, place);
    else if (isLabelling(seen)) place.below.quiet = true;
    else if (!place.scope.quiet && (mayBeNamed(seen) || this.#offered.has(element))) this.#structure(seen, place);
  }

  #isWidget(seen: SeenElement, { scope, below }: VisitState): boolean {
    const { element, tag } = seen;
    if (seen.isWidget) return true;
    if (scope.inWidget || tag === 'BODY' || tag === 'HTML') return false;
    const pointer = isHand(seen.style.cursor);
    below.pointer = pointer;
    return (
      pointer &&
      !this.context.reactions.passesOn(element) &&
      !scope.pointer &&
      !(tag === 'LABEL' && (element as HTMLLabelElement).control !== null)
    );
  }

  /** Emits a widget unless it has no box that a person could hit. Returns whether it did. */
  #widget(seen: SeenElement, { scope, below, boxless, box: given }: VisitState): boolean {
    const { element, tag } = seen;
    const box = given ?? hitBoxOf(element, boxless, this.#viewport);
    if (box === undefined || isShownByLabel(element) || isReplaced(element) || isShutAway(element, scope.clip)) {
      this.context.ids.rememberUnseen(element);
      return false;
    }
    this.endText();
    const identity = identityOf(element, seen.role);
    const now = elementNow(element, identity, this.context.rows.of(element, identity.name, below.touched));
    const { row, fingerprint } = now;
    const id = this.context.ids.idOf(element);
    this.#remember(element, id, { fingerprint, identity: identityHashOf(now), row, path: below.path });
    const control = tag === 'LABEL' ? (hiddenControl(element) ?? element) : element;
    const named =
      CONTENT_NAMED_ROLES.has(now.role) ||
      tag === 'LABEL' ||
      (now.role === CLICKABLE && isNameOfWholeElement(element, now.name));
    const byClass = stateByClass(element, tag, now.role);
    const ariaFlags = control === element ? seen.ariaFlags | byClass : undefined;
    const isReached = element === this.#reached || (now.role === 'option' && byClass !== 0 && this.#isTyping);
    const states = reachedFlags(stateFlags(control, this.#focused, ariaFlags), isReached);
    const kind = (named ? Flag.NamedByContent : 0) | (now.isBeside ? Flag.RowBeside : 0);
    const flags = Flag.Interactive | states | kind;
    const distance = this.#measured(element, box, scope.clip);
    const props = widgetProps(element, control, { tag, now });
    const { role } = now;
    const shown = named ? markedName(now.name, element, seen.style) : undefined;
    if (shown !== undefined) props.shown = shown;
    if (SUGGESTING.has(role)) for (const each of controlledBy(element)) this.#offered.add(each);
    const opened = props.popup !== undefined && states & Flag.Expanded ? controlledBy(element)[0] : undefined;
    if (opened !== undefined) props.opened = this.context.ids.idOf(opened);
    this.nodes.push([scope.depth, id, now.role, now.name, flags, distance, fingerprint, this.#rowIndex(row), props]);
    below.depth = Math.min(scope.depth + 1, MAX_EMIT_DEPTH);
    below.inWidget = true;
    below.pointer = true;
    const isTextListed = named ? now.name !== '' : role === 'combobox' && props.value !== undefined;
    below.quiet = scope.quiet || isTextListed;
    return true;
  }

  #remember(element: Element, id: number, seen: Omit<ElementRecord, 'heading' | 'before'>): void {
    const before = this.#previous;
    const { fingerprint } = seen;
    const record = { ...seen, heading: this.#heading, before: before?.fingerprint ?? NO_FINGERPRINT };
    if (before !== undefined) before.after = fingerprint;
    this.#previous = this.context.ids.remember(element, id, record);
  }

  #structure(seen: SeenElement, { scope, below }: VisitState): void {
    const { element } = seen;
    const isAriaHidden = (seen.ariaFlags & Flag.AriaHidden) !== 0;
    const role = seen.role || (isAriaHidden ? 'group' : 'generic');
    // Authors also label elements whose role prohibits a name, so their name is computed as without a role.
    const name = nameOf(element, NAMELESS_ROLES.has(seen.role) ? '' : seen.role);
    const isListed = STRUCTURE_ROLES.has(role);
    const isOffered = this.#offered.has(element);
    if (!isListed && name === '' && !isOffered && !isAriaHidden) return;
    this.endText();
    const id = this.context.ids.idOf(element);
    this.context.ids.rememberContainer(element, id);
    if (HEADING_ROLES.has(role)) this.#heading = hash(name);
    if (DIALOG_ROLES.has(role) && treeScopeOf(element) !== document && isModal(element)) this.modals.push(element);
    const named = CONTENT_NAMED_ROLES.has(role);
    let flags = (named ? Flag.NamedByContent : 0) | (isOffered ? Flag.Offered : 0);
    const shown = named ? markedName(name, element, seen.style) : undefined;
    const props = shown === undefined ? propsOf(element, role) : { ...propsOf(element, role), shown };
    let distance = UNMEASURED;
    if (MEASURED_ROLES.has(role) || !isListed) {
      const box = boxOf(element);
      distance = this.#measured(element, box, scope.clip);
      const isChecked = named && (this.exactText || role === 'heading' || this.nodes.length < NODES_READ);
      if (isChecked && this.#legibility.isNameUnreadable({ element, style: seen.style, clip: scope.clip }))
        flags |= Flag.HiddenText;
    }
    flags |= seen.ariaFlags & STRUCTURE_STATES;
    this.nodes.push([scope.depth, id, role, name, flags, distance, NO_FINGERPRINT, 0, props]);
    below.depth = Math.min(scope.depth + 1, MAX_EMIT_DEPTH);
    below.quiet = scope.quiet || (named && name !== '');
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

function reachedFrom(field: Element): Element | null {
  const id = getAttribute(field, 'aria-activedescendant');
  return id === null || id === '' ? null : elementById(treeScopeOf(field), id);
}

/** In the popup of a text field, `aria-selected` or a class of state marks the option that keys have reached. */
function reachedFlags(flags: number, isReached: boolean): number {
  return isReached && flags & Flag.Selected ? (flags & ~Flag.Selected) | Flag.Highlighted : flags;
}

/** Whether an element without a structural role may have a name: a labelled bar of a chart, a note or a rating. */
function mayBeNamed({ role, ariaFlags }: SeenElement): boolean {
  return role !== 'none' && ((ariaFlags & (Flag.Labelled | Flag.Titled)) !== 0 || NAMED_ROLES.has(role));
}

/** Whether the text of an element is the name of a control, group or table. */
function isLabelling({ element, tag }: SeenElement): boolean {
  if (tag === 'LEGEND' || tag === 'CAPTION') return true;
  const control = tag === 'LABEL' ? (element as HTMLLabelElement).control : null;
  // Another widget may stand for a control that nobody sees, and its label does not name that.
  return control !== null && isSized(boxOf(control));
}

export function deepActiveElement(): Element | null {
  let active = document.activeElement;
  while (active !== null) {
    const inner: Element | null | undefined = shadowRoot(active)?.activeElement;
    if (inner == null) break;
    active = inner;
  }
  // The body has the focus also where nothing does.
  return active === null || (active === document.body && !matches(active, ':focus')) ? null : active;
}
