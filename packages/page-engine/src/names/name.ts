import { fieldText, isMasked, TEXT_TYPES } from '../dom/control.js';
import {
  childOf,
  firstChild,
  getAttribute,
  hasAria,
  hasAttribute,
  isBlank,
  matches,
  NameText,
  nextSibling,
  nodeType,
  normalizeSpace,
  queryAll,
  querySelectorAll,
  shadowRootOf,
  tagOf,
  treeScopeOf,
} from '../dom/dom.js';
import { isAriaHidden, isHiddenTarget, renderingOf } from '../visibility/visibility.js';
import { currentPass, generatedTextOf, type Pass, type PseudoText, passForName } from './generated-content.js';
import { labellersOf, ownedBy, roleOf } from './role.js';
import { CONTENT_NAMED_ROLES, NAMELESS_ROLES } from './roles.js';

/** Labels of a control in tree order, indexed for each tree scope: `control.labels` walks the whole document. */
function labelsOf(control: Element, pass: Pass): readonly Element[] {
  const scope = treeScopeOf(control);
  let index = pass.labels.get(scope);
  if (index === undefined) {
    index = Map.groupBy(queryAll(scope, 'label'), label => (label as Partial<HTMLLabelElement>).control);
    pass.labels.set(scope, index);
  }
  return index.get(control) ?? [];
}

/** The text of a control embedded in another element's name (AccName 1.2, step 2C). */
type EmbeddedValue =
  | { kind: 'text'; text: string }
  | { kind: 'options'; options: readonly Element[] }
  /** The content of the control, such as an editable `div`. */
  | { kind: 'content' };

const NO_EMBEDDED_VALUE: EmbeddedValue = { kind: 'text', text: '' };

/** Undefined when the role has no value; the element is then named like any other. */
function embeddedValueOf(element: Element, role: string): EmbeddedValue | undefined {
  switch (role) {
    case 'textbox':
    case 'searchbox':
      return fieldValue(element) ?? { kind: 'content' };
    case 'combobox':
    case 'listbox':
      return chosen(element, role);
    case 'progressbar':
    case 'scrollbar':
    case 'slider':
    case 'spinbutton':
    case 'meter':
      return rangeValue(element);
    case 'menu':
      return NO_EMBEDDED_VALUE;
    default:
      return undefined;
  }
}

/** A masked field contributes nothing: a password must not appear in a name. */
function fieldValue(element: Element): EmbeddedValue | undefined {
  const tag = tagOf(element);
  if (isMasked(element)) return NO_EMBEDDED_VALUE;
  return tag === 'textarea' || tag === 'input' ? { kind: 'text', text: fieldText(element) } : undefined;
}

function chosen(element: Element, role: string): EmbeddedValue {
  if (tagOf(element) === 'select')
    return { kind: 'options', options: [...(element as HTMLSelectElement).selectedOptions] };
  const listbox = role === 'listbox' ? element : findBelow(element, '[role]', 'listbox')[0];
  const options = listbox === undefined ? [] : findBelow(listbox, '[aria-selected="true" i]', 'option');
  if (options.length > 0) return { kind: 'options', options };
  // WAI-ARIA 1.2: a combobox that takes no text shows its choice as its own content.
  return fieldValue(element) ?? (role === 'combobox' ? { kind: 'content' } : NO_EMBEDDED_VALUE);
}

function findBelow(element: Element, selector: string, role: string): Element[] {
  const found: Element[] = [];
  for (const root of [element, ...ownedBy(element)]) {
    if (root !== element && matches(root, selector) && roleOf(root) === role) found.push(root);
    for (const candidate of querySelectorAll(root, selector)) if (roleOf(candidate) === role) found.push(candidate);
  }
  return found;
}

function rangeValue(element: Element): EmbeddedValue {
  const text = getAttribute(element, 'aria-valuetext') ?? getAttribute(element, 'aria-valuenow');
  if (!isBlank(text)) return { kind: 'text', text };
  return { kind: 'text', text: nativeValue(element) };
}

function nativeValue(element: Element): string {
  const tag = tagOf(element);
  if (tag === 'input') return fieldText(element);
  if (tag === 'meter') return String((element as HTMLMeterElement).value);
  if (tag !== 'progress') return '';
  const { position, value } = element as HTMLProgressElement;
  return position < 0 ? '' : String(value);
}

/** Receives the parts of a name that the naming rules of the host language find. Each method adds to the name. */
interface NameSink {
  add(text: string): void;
  /** False when the control has no label with text. */
  addLabels(control: Element): boolean;
  /** The text of a legend, caption or title, even of a hidden one. */
  addCaption(caption: Element): void;
}

type NativeName = (element: Element, sink: NameSink) => void;

function addFirst(sink: NameSink, ...texts: (string | null)[]): void {
  const text = texts.find(candidate => !isBlank(candidate));
  if (text != null) sink.add(text);
}

function captionedBy(tag: string, attribute?: string): NativeName {
  return (element, sink) => {
    const caption = childOf(element, tag);
    if (caption !== undefined) sink.addCaption(caption);
    else if (attribute !== undefined) addFirst(sink, getAttribute(element, attribute));
  };
}

const attributeName =
  (attribute: string): NativeName =>
  (element, sink) =>
    addFirst(sink, getAttribute(element, attribute));

const labels: NativeName = (element, sink) => {
  sink.addLabels(element);
};

const DEFAULT_LABELS: ReadonlyMap<string, string> = new Map([
  ['submit', 'Submit'],
  ['reset', 'Reset'],
]);

/** HTML-AAM 4.1.2 to 4.1.4 and 4.1.7. */
function inputName(element: Element, sink: NameSink): void {
  if (sink.addLabels(element)) return;
  const { type, value } = element as HTMLInputElement;
  const title = getAttribute(element, 'title');
  if (type === 'image') addFirst(sink, getAttribute(element, 'alt'), title, 'Submit');
  else if (type === 'file') addFirst(sink, title, 'Choose File');
  else if (type === 'button' || DEFAULT_LABELS.has(type)) {
    const silenced = hasAttribute(element, 'value') ? title : null;
    addFirst(sink, value, silenced, DEFAULT_LABELS.get(type) ?? null);
  }
}

/** SVG-AAM 8.1: the `title` element. */
const svgName = captionedBy('svg:title');

const NATIVE_NAMES: ReadonlyMap<string, NativeName> = new Map([
  ['area', attributeName('alt')],
  ['button', labels],
  ['fieldset', captionedBy('legend')],
  ['figure', captionedBy('figcaption')],
  ['img', attributeName('alt')],
  ['input', inputName],
  ['meter', labels],
  ['optgroup', captionedBy('legend', 'label')],
  ['option', attributeName('label')],
  ['output', labels],
  ['progress', labels],
  ['select', labels],
  ['svg:a', captionedBy('svg:title', 'xlink:title')],
  ['table', captionedBy('caption', 'summary')],
  ['textarea', labels],
]);

/** The naming rule of the host language for a tag, if it has one (HTML-AAM 4.1, SVG-AAM 8.1). */
function nativeNameOf(tag: string): NativeName | undefined {
  const known = NATIVE_NAMES.get(tag);
  if (known !== undefined) return known;
  if (tag.startsWith('svg:')) return svgName;
  // Form-associated custom elements have labels.
  return tag.includes('-') ? labels : undefined;
}

/** The placeholder, which names a text field that has no other name. */
function placeholderOf(element: Element, tag: string, role: string): string | null {
  const takesPlaceholder =
    tag === 'textarea' || (tag === 'input' && TEXT_TYPES.has((element as HTMLInputElement).type));
  const placeholder = takesPlaceholder ? getAttribute(element, 'placeholder') : null;
  if (!isBlank(placeholder) || (role !== 'textbox' && role !== 'searchbox')) return placeholder;
  return getAttribute(element, 'aria-placeholder');
}

/** Deeper than any real page nests; bounds a recursion that would overflow the call stack. */
const MAX_NAME_DEPTH = 150;

const NAMELESS_TAGS = new Set(['script', 'style', 'noscript', 'template', 'svg:script', 'svg:style']);
/** Replaced elements and controls, which do not render their children. */
const REPLACED = new Set(['audio', 'embed', 'iframe', 'img', 'input', 'object', 'select', 'textarea', 'video']);

/**
 * Roles whose text belongs to the name of an ancestor. AccName 1.2 (2H) takes every descendant; browsers leave out
 * groups, landmarks and composite widgets, so that a tree item's name does not contain all items below it.
 */
const PART_OF_NAME = new Set([
  '',
  ...`button cell checkbox columnheader gridcell heading link menuitem menuitemcheckbox menuitemradio option radio row
  rowheader switch tab tooltip treeitem caption code contentinfo definition deletion emphasis insertion list listitem
  mark none paragraph region rowgroup strong subscript suggestion superscript table term time`.split(/\s+/),
]);
/** Elements with the role `group` that browsers treat as plain text in a name. */
const GROUPS_OF_TEXT = new Set(['address', 'hgroup']);

/** Cells are separated by a space in a name, even without white space between them. */
const CELL_ROLES = new Set(['cell', 'columnheader', 'gridcell', 'rowheader']);

/** How the traversal reached the current subtree. */
interface NameTraversal {
  /** A reference led to a hidden element, so hidden content counts (2A). */
  includeHidden: boolean;
  /** Inside aria-labelledby, which is not followed a second time (2B). */
  byReference: boolean;
  /** Inside a reference, label or caption, where every role contributes its text. */
  everything: boolean;
}

const FROM_CONTENT: NameTraversal = { includeHidden: false, byReference: false, everything: false };

/** Wrappers without a role or a native name, which make up most of the content of links and buttons. */
const PLAIN_TAGS = new Set(['span', 'div', 'b', 'i', 'u', 'small', 'font', 'bdi', 'label', 'abbr', 'center', 'wbr']);

/** Steps 2A to 2I of AccName 1.2, section 4.3.2, which compute the name of one element. */
class NameWalk implements NameSink {
  readonly #pass: Pass = passForName();
  #text = new NameText();
  /** Visited elements, until a reference can lead back to one of them; from then on `#visited` holds them. */
  #trail: Element[] = [];
  #visited: Set<Element> | undefined;
  #reading: NameTraversal = FROM_CONTENT;
  #scope: Node;
  #depth = 0;
  /** A limit left something out, so the result must not be cached. */
  #isCut = false;

  constructor(readonly root: Element) {
    this.#scope = treeScopeOf(root);
  }

  /** Restarts the computation; the root counts as visited. */
  start(reading: NameTraversal): void {
    if (this.#text.length > 0) this.#text = new NameText();
    this.#trail = [this.root];
    this.#visited = undefined;
    this.#reading = reading;
  }

  result(): string {
    return this.#text.result();
  }

  add(text: string): void {
    this.#text.add(text);
  }

  addLabels(control: Element): boolean {
    const start = this.#text.length;
    for (const label of labelsOf(control, this.#pass)) this.#read(label, false);
    return this.#text.length > start;
  }

  addCaption(caption: Element): void {
    this.#read(caption, this.#reading.byReference);
  }

  /** 2B. True when the elements that aria-labelledby references have text. */
  addLabellers(element: Element): boolean {
    const start = this.#text.length;
    for (const labeller of labellersOf(element)) this.#read(labeller, true);
    return this.#text.length > start;
  }

  /** 2F: generated content, children and owned elements. */
  addContent(element: Element, tag: string): void {
    if (REPLACED.has(tag)) return;
    const start = this.#text.length;
    this.#addContent(element, tag);
    // The text depends only on the element's own content here, so other names can reuse it.
    if (this.#reading === FROM_CONTENT && this.#visited === undefined && !this.#isCut)
      this.#pass.contents.set(element, this.#text.since(start));
  }

  #addContent(element: Element, tag: string): void {
    const generated = tag.startsWith('svg:') ? undefined : generatedTextOf(element, this.#scope, this.#pass);
    this.#addPseudo(generated?.before);
    if (generated?.replacement === undefined) this.#addChildren(element, tag, true);
    else this.#text.add(generated.replacement);
    this.#addPseudo(generated?.after);
  }

  /** 2C: the value of the root as part of another element's name. */
  addEmbedded(tag: string, role: string): void {
    const value = embeddedValueOf(this.root, role);
    if (value !== undefined) this.#addValue(value, this.root, tag);
  }

  #isNew(element: Element): boolean {
    if (this.#visited === undefined) this.#trail.push(element);
    else if (this.#visited.has(element)) return false;
    else this.#visited.add(element);
    return true;
  }

  /** Visits an element outside the subtree, which may have been visited before or be reached again. */
  #follow(target: Element): void {
    this.#visited ??= new Set(this.#trail);
    this.#visit(target);
  }

  /** Adds the text of a referenced element, with a space before and after. */
  #read(target: Element, byReference: boolean): void {
    if (this.#text.isFull) return;
    const reading = this.#reading;
    const scope = this.#scope;
    this.#reading = { includeHidden: isHiddenTarget(target), byReference, everything: true };
    this.#scope = treeScopeOf(target);
    this.#text.gap();
    this.#follow(target);
    this.#text.gap();
    this.#reading = reading;
    this.#scope = scope;
  }

  #visit(element: Element): void {
    if (this.#text.isFull || this.#depth >= MAX_NAME_DEPTH || this.#pass.visits <= 0) {
      this.#isCut = true;
      return;
    }
    const tag = tagOf(element);
    if (tag === 'br') {
      this.#text.gap();
      return;
    }
    this.#pass.visits--;
    this.#depth++;
    this.#text.edge(element);
    if (!NAMELESS_TAGS.has(tag)) this.#addRendered(element, tag);
    this.#text.edge(element);
    this.#depth--;
  }

  /** 2A and 2B. */
  #addRendered(element: Element, tag: string): void {
    const aria = hasAria(element);
    if (!this.#reading.includeHidden) {
      if (aria && isAriaHidden(element)) return;
      const rendering = renderingOf(element);
      if (rendering === 'none') return;
      if (rendering === 'unseen') {
        if (this.#isNew(element)) this.#addChildren(element, tag, false);
        return;
      }
    }
    const isSlot = tag === 'slot';
    if (aria && !isSlot && !this.#reading.byReference && this.addLabellers(element)) return;
    if (!this.#isNew(element)) return;
    // Only the content of a slot counts, not its attributes.
    if (isSlot) this.addContent(element, tag);
    else if (aria || !PLAIN_TAGS.has(tag)) this.#addAlternative(element, tag);
    else this.#addContentOrTitle(element, tag);
  }

  /** 2C to 2E. */
  #addAlternative(element: Element, tag: string): void {
    const role = roleOf(element);
    if (CELL_ROLES.has(role)) this.#text.gap();
    // A reference to the root or to its ancestor leads back to the root, which is not embedded in itself.
    const value = element === this.root ? undefined : embeddedValueOf(element, role);
    if (value !== undefined) {
      this.#addValue(value, element, tag);
      return;
    }
    const label = getAttribute(element, 'aria-label');
    const start = this.#text.length;
    if (!isBlank(label)) this.#text.add(label);
    else if (role !== 'none') nativeNameOf(tag)?.(element, this);
    if (this.#text.length > start) return;
    if (role === 'none') this.addContent(element, tag);
    else if (this.#givesText(role, tag)) this.#addContentOrTitle(element, tag);
    else this.#text.add(getAttribute(element, 'title') ?? '');
  }

  /** 2F, else 2I. */
  #addContentOrTitle(element: Element, tag: string): void {
    const start = this.#text.length;
    this.addContent(element, tag);
    if (this.#text.length === start) this.#text.add(getAttribute(element, 'title') ?? '');
  }

  #givesText(role: string, tag: string): boolean {
    return this.#reading.everything || PART_OF_NAME.has(role) || GROUPS_OF_TEXT.has(tag);
  }

  #addValue(value: EmbeddedValue, element: Element, tag: string): void {
    if (value.kind === 'text') this.#text.add(value.text);
    else if (value.kind === 'content') this.addContent(element, tag);
    else {
      const reading = this.#reading;
      // The options of a closed drop-down have no boxes.
      this.#reading = { ...reading, includeHidden: true };
      for (const option of value.options) {
        this.#text.gap();
        this.#follow(option);
      }
      this.#reading = reading;
      this.#text.gap();
    }
  }

  #addPseudo(pseudo: PseudoText | undefined): void {
    if (pseudo === undefined) return;
    if (pseudo.apart) this.#text.gap();
    this.#text.add(pseudo.text);
    if (pseudo.apart) this.#text.gap();
  }

  /** Children in the flat tree, then owned elements. Without `withText`, only visible descendants count. */
  #addChildren(element: Element, tag: string, withText: boolean): void {
    const root = shadowRootOf(element);
    if (root) this.#addTree(root, withText);
    else if (tag === 'slot') this.#addSlot(element as HTMLSlotElement, withText);
    else if (tag === 'details' && !hasAttribute(element, 'open')) this.#addSummary(element);
    else this.#addSiblings(firstChild(element), withText);
    if (withText) for (const owned of ownedBy(element)) this.#addOwned(owned);
  }

  #addOwned(owned: Element): void {
    this.#text.gap();
    this.#follow(owned);
  }

  #addTree(root: ShadowRoot, withText: boolean): void {
    const scope = this.#scope;
    this.#scope = root;
    this.#addSiblings(firstChild(root), withText);
    this.#scope = scope;
  }

  #addSlot(slot: HTMLSlotElement, withText: boolean): void {
    const assigned = slot.assignedNodes();
    if (assigned[0] === undefined) {
      this.#addSiblings(firstChild(slot), withText);
      return;
    }
    const scope = this.#scope;
    this.#scope = treeScopeOf(assigned[0]);
    for (const node of assigned) this.#addNode(node, withText);
    this.#scope = scope;
  }

  #addSummary(details: Element): void {
    const summary = childOf(details, 'summary');
    if (summary !== undefined) this.#visit(summary);
  }

  #addSiblings(first: Node | null, withText: boolean): void {
    for (let node = first; node !== null; node = nextSibling(node)) {
      if (this.#text.isFull) {
        this.#isCut = true;
        return;
      }
      this.#addNode(node, withText);
    }
  }

  #addNode(node: Node, withText: boolean): void {
    const type = nodeType(node);
    if (type === Node.ELEMENT_NODE) this.#visit(node as Element);
    else if (type === Node.TEXT_NODE && withText) this.#text.add((node as Text).data);
  }
}

/** Roles named from content (WAI-ARIA 1.2, 5.2.8.5; DPUB-ARIA 1.1). */
const NAMED_BY_CONTENT = new Set([...CONTENT_NAMED_ROLES, 'row']);

/** Roles that fall back to the text of all descendants before they stay nameless (AccName 1.2, 2H). */
const NAMED_BY_ALL_CONTENT = new Set(['button', 'checkbox', 'heading', 'link', 'option', 'radio', 'switch', 'tab']);

/**
 * The accessible name of an element; `''` when it has none or its role prohibits one. `role` is what `roleOf` returned.
 * An element without a role has only the name that its author gave it.
 */
export function nameOf(element: Element, role: string): string {
  if (NAMELESS_ROLES.has(role)) return '';
  const tag = tagOf(element);
  return plainName(element, role, tag) ?? fullName(element, role, tag);
}

/** The visible value of an element without a text field inside: its selected option, or its own text. */
export function shownValue(element: Element, role: string): string {
  const walk = new NameWalk(element);
  walk.start(FROM_CONTENT);
  walk.addEmbedded(tagOf(element), role);
  return walk.result();
}

/** The name in the common cases: no name, or one text node that names the element. Undefined in all other cases. */
function plainName(element: Element, role: string, tag: string): string | undefined {
  if (hasAria(element) && hasAriaLabelling(element)) return undefined;
  if (hasNativeName(element, tag)) return undefined;
  return NAMED_BY_CONTENT.has(role) ? onlyText(element) : lastResort(element, role, tag);
}

function hasAriaLabelling(element: Element): boolean {
  return (
    hasAttribute(element, 'aria-label') ||
    hasAttribute(element, 'aria-labelledby') ||
    hasAttribute(element, 'aria-labeledby')
  );
}

function hasNativeName(element: Element, tag: string): boolean {
  if (tag === 'button') return labelsOf(element, currentPass()).length > 0;
  return nativeNameOf(tag) !== undefined;
}

function onlyText(element: Element): string | undefined {
  const child = firstChild(element);
  if (child === null || nodeType(child) !== Node.TEXT_NODE || nextSibling(child) !== null) return undefined;
  const { data } = child as Text;
  if (isBlank(data) || hasAttribute(element, 'aria-owns')) return undefined;
  return generatedTextOf(element, treeScopeOf(element), currentPass()) === undefined ? normalizeSpace(data) : undefined;
}

function fullName(element: Element, role: string, tag: string): string {
  const walk = new NameWalk(element);
  if (hasAria(element)) {
    if (walk.addLabellers(element) && walk.result() !== '') return walk.result();
    const label = getAttribute(element, 'aria-label');
    if (!isBlank(label)) return normalizeSpace(label);
  }
  walk.start(FROM_CONTENT);
  nativeNameOf(tag)?.(element, walk);
  return walk.result() || contentName(walk, element, role, tag);
}

function contentName(walk: NameWalk, element: Element, role: string, tag: string): string {
  const byContent = NAMED_BY_CONTENT.has(role);
  if (byContent) {
    const content = contentOf(walk, element, tag);
    if (content !== '') return content;
  }
  const title = lastResort(element, role, tag);
  if (title !== '' || !byContent) return title;
  // An element that is not rendered keeps the name that it would have if it were.
  const includeHidden = renderingOf(element) === 'none';
  if (!includeHidden && !NAMED_BY_ALL_CONTENT.has(role)) return '';
  walk.start({ includeHidden, byReference: false, everything: true });
  walk.addContent(element, tag);
  return walk.result();
}

function contentOf(walk: NameWalk, element: Element, tag: string): string {
  const known = currentPass().contents.get(element);
  if (known !== undefined) return isBlank(known) ? '' : known;
  walk.start(FROM_CONTENT);
  walk.addContent(element, tag);
  return walk.result();
}

/** 2I: the tooltip, else the placeholder. */
function lastResort(element: Element, role: string, tag: string): string {
  const title = getAttribute(element, 'title');
  return normalizeSpace(isBlank(title) ? (placeholderOf(element, tag, role) ?? '') : title);
}
