import { firstChild, getAttribute, hasAttribute, nextSibling, nodeType } from '../dom.js';
import { isAriaHidden, isHiddenTarget, renderingOf } from '../visibility/rendering.js';
import { hasAria, shadowRootOf, tagOf, treeScopeOf } from '../visibility/tree-scope.js';
import { type EmbeddedValue, embeddedValueOf } from './embedded-value.js';
import { generatedTextOf, type PseudoText } from './generated-text.js';
import { labelsOf } from './labels.js';
import { isBlank, NameText } from './name-text.js';
import { childOf } from '../visibility/tree-scope.js';
import { type NameSink, nativeNameOf } from './native-name.js';
import { type Pass, passForName } from './pass.js';
import { labellersOf, ownedBy } from './references.js';
import { roleOf } from './role.js';

/** Deeper nesting than any page means; a call stack ends somewhere. */
const DEEPEST = 150;

const SILENT_TAGS = new Set(['script', 'style', 'noscript', 'template', 'svg:script', 'svg:style']);
/** Elements whose children are not what they show. */
const REPLACED = new Set(['audio', 'embed', 'iframe', 'img', 'input', 'object', 'select', 'textarea', 'video']);

/**
 * Roles whose text belongs to the name of an element around them. AccName 1.2 (2H) takes every descendant; browsers
 * leave out groups, landmarks and composite widgets, so that a tree item is not called by all the items below it.
 */
const PART_OF_NAME = new Set([
  '',
  ...`button cell checkbox columnheader gridcell heading link menuitem menuitemcheckbox menuitemradio option radio row
  rowheader switch tab tooltip treeitem caption code contentinfo definition deletion emphasis insertion list listitem
  mark none paragraph region rowgroup strong subscript suggestion superscript table term time`.split(/\s+/),
]);
/** Groups to WAI-ARIA that are mere text to everybody else. */
const GROUPS_OF_TEXT = new Set(['address', 'hgroup']);

/** Each says something of its own, however closely they stand together. */
const CELLS = new Set(['cell', 'columnheader', 'gridcell', 'rowheader']);

/** How the part of the page that is being read was come to. */
export interface Reading {
  /** A reference named something hidden, so that all of it counts (2A). */
  includeHidden: boolean;
  /** Inside aria-labelledby, which is not followed twice (2B). */
  byReference: boolean;
  /** Inside a reference, label or caption, where every role gives its text. */
  everything: boolean;
}

export const FROM_CONTENT: Reading = { includeHidden: false, byReference: false, everything: false };

/** Inline and block wrappers without a role or a native name of their own; most of what is inside links and buttons. */
const PLAIN = new Set(['span', 'div', 'b', 'i', 'u', 'small', 'font', 'bdi', 'label', 'abbr', 'center', 'wbr']);

/** Steps 2A to 2I of AccName 1.2, section 4.3.2, for the elements that make up the name of one element. */
export class NameWalk implements NameSink {
  readonly #root: Element;
  readonly #pass: Pass = passForName();
  #text = new NameText();
  /** Elements read so far; a set as soon as a reference can lead to one of them again. */
  #trail: Element[] = [];
  #visited: Set<Element> | undefined;
  #reading: Reading = FROM_CONTENT;
  #scope: Node;
  #depth = 0;
  /** Something was left out, for there was too much. */
  #isCut = false;

  constructor(root: Element) {
    this.#root = root;
    this.#scope = treeScopeOf(root);
  }

  /** Reads anew, the root itself counting as read. */
  start(reading: Reading): void {
    if (this.#text.length > 0) this.#text = new NameText();
    this.#trail = [this.#root];
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

  /** 2B: true when the elements that aria-labelledby names say anything. */
  addLabellers(element: Element): boolean {
    const start = this.#text.length;
    for (const labeller of labellersOf(element)) this.#read(labeller, true);
    return this.#text.length > start;
  }

  /** 2F: generated text, children and owned elements. */
  addContent(element: Element, tag: string): void {
    if (REPLACED.has(tag)) return;
    const start = this.#text.length;
    this.#addContent(element, tag);
    // Nothing but what is in the element has its part in it: it reads the same wherever it is read from.
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

  /** 2C: what the root says where it stands in the name of another element. */
  addEmbedded(tag: string, role: string): void {
    const value = embeddedValueOf(this.#root, role);
    if (value !== undefined) this.#addValue(value, this.#root, tag);
  }

  #isNew(element: Element): boolean {
    if (this.#visited === undefined) this.#trail.push(element);
    else if (this.#visited.has(element)) return false;
    else this.#visited.add(element);
    return true;
  }

  /** Goes to something that is elsewhere in the page and may have been read, or be met again. */
  #follow(target: Element): void {
    this.#visited ??= new Set(this.#trail);
    this.#visit(target);
  }

  /** Reads a referenced element, with a space before and after. */
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
    if (this.#text.isFull || this.#depth >= DEEPEST || this.#pass.visits <= 0) {
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
    if (!SILENT_TAGS.has(tag)) this.#addRendered(element, tag);
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
    // A slot is nothing but what is in it, whatever its attributes say.
    if (isSlot) this.addContent(element, tag);
    else if (aria || !PLAIN.has(tag)) this.#addAlternative(element, tag);
    else this.#addContentOrTitle(element, tag);
  }

  /** 2C to 2E. */
  #addAlternative(element: Element, tag: string): void {
    const role = roleOf(element);
    if (CELLS.has(role)) this.#text.gap();
    // A reference to itself, or to something around it, brings the root here; it is not embedded in itself.
    const value = element === this.#root ? undefined : embeddedValueOf(element, role);
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

  /** Children in the flat tree, then what aria-owns adds to them; without text, when only some of them are visible. */
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
