import type { GeneratedIndex } from './generated-index.js';

/** The memory of one walk over a page. Invariant: none of it outlives the pass, for the page may change after. */
export interface Pass {
  /** Element visits left for names, so that widgets nested a thousand deep do not cost their square. */
  visits: number;
  /** By tree scope: the labels of each control. */
  readonly labels: Map<Node, Map<Element, Element[]>>;
  /** By tree scope: the element that owns an id by aria-owns. */
  readonly owners: Map<Node, Map<string, Element>>;
  /** By tree scope: which of its elements can have generated text. */
  readonly generated: Map<Node, GeneratedIndex>;
  /** What elements say by their content: a row is read before its cells, and a cell before the link in it. */
  readonly contents: Map<Element, string>;
  /** Whether a landmark or image has a name from its author. */
  readonly named: Map<Element, boolean>;
  /** By parent: what its items or cells are, for they come in long runs. */
  readonly listContext: Map<Element, string>;
  readonly tableContext: Map<Element, string>;
}

const FIRST_VISITS = 40_000;
/** Of ordinary pages an element is part of a handful of names at most: its row, cell, link. */
const VISITS_PER_NAME = 8;

let current: Pass | undefined;

function newPass(): Pass {
  return {
    visits: FIRST_VISITS,
    labels: new Map(),
    owners: new Map(),
    generated: new Map(),
    contents: new Map(),
    named: new Map(),
    listContext: new Map(),
    tableContext: new Map(),
  };
}

/** Starts a pass: until `endPass`, what was looked up is remembered */
export function beginPass(): void {
  current = newPass();
}

export function endPass(): void {
  current = undefined;
}

/** The pass under way, or one for its caller alone. */
export function currentPass(): Pass {
  return current ?? newPass();
}

/** The pass for one more name that takes a walk. */
export function passForName(): Pass {
  const pass = currentPass();
  pass.visits += VISITS_PER_NAME;
  return pass;
}
