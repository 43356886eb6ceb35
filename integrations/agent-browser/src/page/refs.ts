import { getAttribute, isConnected, localName } from './dom.js';
import { parentInFlatTree } from './flat-tree.js';
import { hash } from './hash.js';
import { describeNow } from './identity.js';
import type { ElementNow, Refusal, Target } from './protocol.js';
import { Rows } from './row.js';

/** What the walk knew of an element when it was last seen: enough to recognise what replaces it. */
interface Known {
  node: WeakRef<Node>;
  fingerprint: number;
  /** Hash of the tag names from the document down to the element. */
  path: number;
  /** Hash of the attributes that stay the same when a component is rendered again. */
  marks: number;
}

const STABLE_ATTRIBUTES = ['id', 'name', 'type', 'href', 'data-testid', 'value', 'for', 'aria-controls'];

function marksOf(element: Element): number {
  let value = hash(localName(element));
  for (const attribute of STABLE_ATTRIBUTES) {
    const text = getAttribute(element, attribute);
    if (text !== null) value = hash(text, hash(attribute, value));
  }
  return value;
}

/**
 * The elements of one document by id. An id is given once and never again, so that an old one fails
 * rather than means something else.
 */
export class ElementIds {
  readonly doc = Math.random().toString(36).slice(2, 12);
  #ids = new WeakMap<Node, number>();
  #known = new Map<number, Known>();
  #last = 0;

  get last(): number {
    return this.#last;
  }

  idOf(node: Node): number {
    let id = this.#ids.get(node);
    if (id === undefined) {
      id = ++this.#last;
      this.#ids.set(node, id);
    }
    return id;
  }

  /** Whether this is the node of an id. */
  has(node: Node, id: number): boolean {
    return this.#ids.get(node) === id;
  }

  /** Remembers an element that can be acted on, as it is now. */
  remember(element: Element, id: number, fingerprint: number, path: number): void {
    const known = this.#known.get(id);
    if (known === undefined) {
      this.#known.set(id, { node: new WeakRef(element), fingerprint, path, marks: marksOf(element) });
    } else {
      known.fingerprint = fingerprint;
      known.path = path;
    }
  }

  /** Remembers an element for later look-ups by id alone. */
  rememberContainer(element: Element, id: number): void {
    if (!this.#known.has(id)) this.#known.set(id, { node: new WeakRef(element), fingerprint: 0, path: 0, marks: 0 });
  }

  /** Forgets elements that were collected or removed; called once a walk, when enough have come together. */
  sweep(): void {
    if (this.#known.size < 2000) return;
    for (const [id, known] of this.#known) if (known.node.deref() === undefined) this.#known.delete(id);
  }

  element(id: number): Element | undefined {
    const node = this.#known.get(id)?.node.deref();
    return node instanceof Element && isConnected(node) ? node : undefined;
  }

  /**
   * The element that a target names, or why it is not handed out.
   * Invariant: what is returned is the very element, with the role, name and row the agent was told.
   */
  find(target: Target, newcomers: () => Element[]): Element | Refusal {
    if (target.doc !== this.doc) return { code: 'stale', candidates: [] };
    const element = this.element(target.id);
    if (element === undefined) return this.#gone(target, newcomers());
    if (target.fingerprint === 0) return element;
    const now = describeNow(element);
    return now.fingerprint === target.fingerprint ? element : { code: 'changed', now };
  }

  /**
   * A replacement must be the only element with the same role, name and row, must have come after the agent was
   * told of the ref (a namesake that stood beside it then is another element), and must stand at the same
   * place of the tree with the same stable attributes.
   */
  #gone(target: Target, elements: Element[]): Refusal {
    const known = this.#known.get(target.id);
    const rows = new Rows();
    const candidates: { id: number; element: Element; now: ElementNow }[] = [];
    for (const element of elements) {
      const now = describeNow(element, rows);
      if (now.fingerprint === target.fingerprint) candidates.push({ id: this.idOf(element), element, now });
    }
    const only = candidates.length === 1 ? candidates[0] : undefined;
    const proven =
      only !== undefined &&
      known !== undefined &&
      only.id > target.lastId &&
      pathOf(only.element) === known.path &&
      marksOf(only.element) === known.marks;
    for (const { id, element, now } of candidates) this.remember(element, id, now.fingerprint, pathOf(element));
    return {
      code: 'stale',
      candidates: candidates.map(candidate => candidate.id),
      ...(proven && { replacement: { id: only.id, now: only.now } }),
    };
  }
}

const tagHashes = new Map<string, number>();

/** Extends the path hash of a parent by one element. */
export function pathStep(parentPath: number, element: Element): number {
  const tag = localName(element);
  let value = tagHashes.get(tag);
  if (value === undefined) {
    value = hash(tag);
    tagHashes.set(tag, value);
  }
  return (Math.imul(parentPath, 31) + value) | 0;
}

export function pathOf(from: Node | null): number {
  const chain: Element[] = [];
  for (let node = from; node !== null; node = parentInFlatTree(node)) {
    if (node instanceof Element) chain.push(node);
  }
  let path = 0;
  for (let i = chain.length - 1; i >= 0; i--) path = pathStep(path, chain[i] as Element);
  return path;
}
