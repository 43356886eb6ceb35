import { elementsAround, getAttribute, localName } from '../dom/dom.js';

/** Adds a text to a running 32-bit hash (FNV-1a over UTF-16 code units). */
export function hash(text: string, seed = 0x811c9dc5): number {
  let value = seed;
  for (let i = 0; i < text.length; i++) value = Math.imul(value ^ text.charCodeAt(i), 0x01000193);
  return value >>> 0;
}

/** Adds a number to a running hash. */
export function mix(value: number, seed: number): number {
  return Math.imul(seed ^ value, 0x01000193) >>> 0;
}

/** An element as a walk read it. */
export interface ElementRecord {
  fingerprint: number;
  /** Hash of role and name. */
  identity: number;
  row: string;
  /** Hash of the tag names from the document down to the element. */
  path: number;
  /** Hash of the heading above it. */
  heading: number;
  /** Fingerprint of the interactive element before it, or {@link NO_FINGERPRINT}. */
  before: number;
}

/** An interactive element as the latest walk read it, with what identifies its replacement. */
export interface KnownElement extends ElementRecord {
  readonly node: WeakRef<Node>;
  /** Number of the latest capture that contains it. */
  capture: number;
  /** Fingerprint of the interactive element after it, or {@link NO_FINGERPRINT}. */
  after: number;
  /** Hash of the attributes that stay the same when a component is rendered again. */
  marks: number;
}

const STABLE_ATTRIBUTES = ['id', 'name', 'type', 'href', 'data-testid', 'value', 'for', 'aria-controls'];

export function stableAttributesHash(element: Element): number {
  let value = hash(localName(element));
  for (const attribute of STABLE_ATTRIBUTES) {
    const text = getAttribute(element, attribute);
    if (text !== null) value = hash(text, hash(attribute, value));
  }
  return value;
}

const tagHashes = new Map<string, number>();

/** Extends the path hash of a parent by one element. */
export function pathStep(parentPath: number, element: Element): number {
  const tag = localName(element);
  // For each element that is visited: a call of a shared function costs more here than all the rest.
  let value = tagHashes.get(tag);
  if (value === undefined) {
    value = hash(tag);
    tagHashes.set(tag, value);
  }
  return (Math.imul(parentPath, 31) + value) | 0;
}

export function pathHash(from: Node | null): number {
  return [...elementsAround(from)].reduceRight(pathStep, 0);
}
