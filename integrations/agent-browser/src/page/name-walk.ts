import { firstChild, getAttribute, hasAttribute, nextSibling, nodeType } from './dom.js';
import { type EmbeddedValue, embeddedValueOf } from './embedded-value.js';
import { mayHaveGeneratedText, pseudoText, replacementText } from './generated-text.js';
import { labelsOf } from './labels.js';
import { isBlank, NameText } from './name-text.js';
import { childOf, type NameSink, nativeNameOf } from './native-name.js';
import { currentPass, type Pass } from './pass.js';
import { labellersOf, ownedBy } from './references.js';
import { isAriaHidden, isHiddenTarget, renderingOf } from './rendering.js';
import { roleOf } from './role.js';
import { shadowRootOf, tagOf, treeScopeOf } from './tree-scope.js';

/** Deeper nesting than any page means; a call stack ends somewhere. */
const DEEPEST = 250;

const NO_TEXT = new Set(['script', 'style', 'noscript', 'template', 'svg:script', 'svg:style']);
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

/** Steps 2A to 2I of AccName 1.2, section 4.3.2, for the elements that make up the name of one element. */
export class NameWalk implements NameSink {
  readonly #root: Element;
  readonly #pass: Pass = currentPass();
  #text = new NameText();
  #visited = new Set<Element>();
  #reading: Reading = FROM_CONTENT;
  #scope: Node;
  #depth = 0;

  constructor(root: Element) {
    this.#root = root;
    this.#scope = treeScopeOf(root);
  }

  /** Reads anew; a self-reference is the only way in which the root's own text may come in from elsewhere. */
  start(reading: Reading, rootIsRead: boolean): void {
    this.#text = new NameText();
    this.#visited = new Set(rootIsRead ? [this.#root] : []);
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
    const labellers = labellersOf(element);
    if (labellers.length === 0) return false;
    if (!labellers.includes(element)) this.#visited.add(element);
    const start = this.#text.length;
    for (const labeller of labellers) this.#read(labeller, true);
    return this.#text.length > start;
  }

  /** 2F: generated text, children and owned elements. */
  addContent(element: Element, tag: string): void {
    if (REPLACED.has(tag)) return;
    if (tag.startsWith('svg:') || !mayHaveGeneratedText(element, this.#scope, this.#pass)) {
      this.#addChildren(element, tag, true);
      return;
    }
    this.#addPseudo(element, '::before');
    const replacement = replacementText(element);
    if (replacement === undefined) this.#addChildren(element, tag, true);
    else this.#text.add(replacement);
    this.#addPseudo(element, '::after');
  }

  /** Reads something that is elsewhere in the page, with a space before and after. */
  #read(target: Element, byReference: boolean): void {
    if (this.#text.isFull) return;
    const reading = this.#reading;
    const scope = this.#scope;
    this.#reading = { includeHidden: isHiddenTarget(target, this.#pass), byReference, everything: true };
    this.#scope = treeScopeOf(target);
    this.#text.gap();
    this.#visit(target);
    this.#text.gap();
    this.#reading = reading;
    this.#scope = scope;
  }

  #visit(element: Element): void {
    if (this.#text.isFull || this.#depth >= DEEPEST || this.#pass.visits <= 0) return;
    const tag = tagOf(element);
    if (tag === 'br') {
      this.#text.gap();
      return;
    }
    this.#pass.visits--;
    this.#depth++;
    this.#text.edge(element);
    if (!NO_TEXT.has(tag)) this.#addRendered(element, tag);
    this.#text.edge(element);
    this.#depth--;
  }

  /** 2A. */
  #addRendered(element: Element, tag: string): void {
    if (!this.#reading.includeHidden) {
      if (isAriaHidden(element)) return;
      const rendering = renderingOf(element, this.#pass);
      if (rendering === 'none') return;
      if (rendering === 'unseen') {
        this.#addChildren(element, tag, false);
        return;
      }
    }
    if (!this.#reading.byReference && this.addLabellers(element)) return;
    if (this.#visited.has(element)) return;
    this.#visited.add(element);
    this.#addAlternative(element, tag);
  }

  /** 2C to 2I. */
  #addAlternative(element: Element, tag: string): void {
    const role = roleOf(element);
    // Only the root's own reference brings it here, and it is not embedded in itself.
    const value = element === this.#root ? undefined : embeddedValueOf(element, role);
    if (value !== undefined) {
      this.#addValue(value, element, tag);
      return;
    }
    const label = getAttribute(element, 'aria-label');
    if (!isBlank(label)) {
      this.#text.add(label);
      return;
    }
    const start = this.#text.length;
    if (role !== 'none') nativeNameOf(tag)?.(element, this);
    if (this.#text.length === start && this.#givesText(role, tag)) this.addContent(element, tag);
    if (this.#text.length === start && role !== 'none') this.#text.add(getAttribute(element, 'title') ?? '');
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
        this.#visit(option);
      }
      this.#reading = reading;
      this.#text.gap();
    }
  }

  #addPseudo(element: Element, pseudo: '::before' | '::after'): void {
    const generated = pseudoText(element, pseudo);
    if (generated === undefined) return;
    if (generated.apart) this.#text.gap();
    this.#text.add(generated.text);
    if (generated.apart) this.#text.gap();
  }

  /** Children in the flat tree, then what aria-owns adds to them. */
  #addChildren(element: Element, tag: string, withText: boolean): void {
    const root = shadowRootOf(element);
    const assigned = tag === 'slot' ? (element as HTMLSlotElement).assignedNodes() : [];
    if (root) this.#addNodes(siblingsFrom(firstChild(root)), root, withText);
    else if (assigned[0] !== undefined) this.#addNodes(assigned, treeScopeOf(assigned[0]), withText);
    else if (tag === 'details' && !hasAttribute(element, 'open')) this.#addSummary(element);
    else this.#addNodes(siblingsFrom(firstChild(element)), this.#scope, withText);
    for (const owned of ownedBy(element)) this.#visit(owned);
  }

  #addSummary(details: Element): void {
    const summary = childOf(details, 'summary');
    if (summary !== undefined) this.#visit(summary);
  }

  #addNodes(nodes: Iterable<Node>, scope: Node, withText: boolean): void {
    const outer = this.#scope;
    this.#scope = scope;
    for (const node of nodes) {
      if (this.#text.isFull) break;
      const type = nodeType(node);
      if (type === Node.ELEMENT_NODE) this.#visit(node as Element);
      else if (type === Node.TEXT_NODE && withText) this.#text.add((node as Text).data);
    }
    this.#scope = outer;
  }
}

function* siblingsFrom(first: Node | null): Iterable<Node> {
  for (let node = first; node !== null; node = nextSibling(node)) yield node;
}
