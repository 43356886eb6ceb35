import type { Frame } from 'playwright-core';
import {
  type ElementChange,
  type ElementFacts,
  Flag,
  type LookChange,
  type Missed,
  type PressedAt,
  type PressSights,
  type RawCapture,
  type RawNode,
  type RefusedField,
  type SelectionNow,
} from '../page/protocol.js';

/** The document that a node lives in, as it was captured. */
interface DocumentOf {
  frame: Frame;
  /** Name of the document: another one, even at the same url, has another. */
  doc: string;
  /** The highest element id that existed when the document was captured. */
  lastId: number;
}

/** One element or text run of a captured page. */
export interface SnapshotNode {
  /** The same for the same element, and for no other, as long as its document lives. */
  readonly key: string;
  readonly id: number;
  readonly document: DocumentOf;
  readonly role: string;
  readonly name: string;
  /** Bits of {@link Flag}. */
  readonly flags: number;
  /** Distance from the viewport in CSS pixels; 0 inside. */
  distance: number;
  /** Hash of role, name and row; 0 for what cannot be acted on. */
  readonly fingerprint: number;
  /** Text of the list item, table row or card that holds the element. */
  readonly row: string;
  readonly value?: string;
  readonly level?: number;
  readonly tag?: string;
  readonly domId?: string;
  readonly editable?: boolean;
  readonly kind?: 'select' | 'file';
  readonly hint?: string;
  readonly text?: string;
  readonly takes?: string;
  readonly does?: 'submit' | 'download';
  readonly popup?: 'menu' | 'listbox' | 'tree' | 'grid' | 'dialog';
  readonly opened?: number;
  readonly options?: readonly string[];
  /** It stands below what it opened from, wherever the document has it. */
  readonly isTied?: true;
  children: SnapshotNode[];
}

/** A page with its frames, at one moment. */
export interface PageSnapshot {
  title: string;
  url: string;
  /** Document of the main frame. */
  doc: string;
  /** The highest element id given out in it. */
  lastId: number;
  scroll: { top: number; length: number; viewport: number };
  /** A modal dialog hides the rest; only the dialog is in the tree. */
  modal: boolean;
  /** The page has more nodes than are captured. */
  cut: boolean;
  elementCount: number;
  /** The new state of a guarded element that an event was kept from. */
  blocked?: ElementChange | undefined;
  /** A guarded press, or its click, would have hit another element and was kept from the page. */
  missed?: Missed | undefined;
  /** Milliseconds until what comes or goes in the main frame by an animation has done so. */
  fading?: number | undefined;
  /** Facts of the element that was last acted on in each frame. */
  acted: ReadonlyMap<Frame, ElementFacts>;
  /** Fields that were refused since the moment that was asked for. */
  refused: readonly (RefusedField & { doc: string })[];
  /** What is selected. */
  selection?: SelectionNow | undefined;
  /** Where the page stood when the latest action pressed it. */
  pressed?: PressedAt | undefined;
  /** What looks other than before the latest action. */
  looks: readonly (LookChange & { doc: string })[];
  /** What was seen of the latest press beside the elements. */
  sights: readonly (PressSights & { doc: string })[];
  roots: SnapshotNode[];
  /** The same with what an open popup keeps from being read, where it was compared with how it was. */
  whole?: readonly SnapshotNode[] | undefined;
}

export function isInteractive(node: SnapshotNode): boolean {
  return (node.flags & Flag.Interactive) !== 0;
}

/** Whether a node stands for an element, not for a row that lines were put below. */
export function isOfPage({ key, id, document }: SnapshotNode): boolean {
  return key === `${document.doc}:${id}`;
}

/** Builds the tree of one document from the walk's flat list. */
export function buildTree(capture: RawCapture, frame: Frame): SnapshotNode[] {
  const document: DocumentOf = { frame, doc: capture.doc, lastId: capture.lastId };
  const roots: SnapshotNode[] = [];
  const open: SnapshotNode[] = [];
  for (const raw of capture.nodes) {
    const node = toNode(raw, capture, document);
    const depth = raw[0];
    open.length = Math.min(open.length, depth);
    const parent = open[open.length - 1];
    (parent?.children ?? roots).push(node);
    open.push(node);
  }
  measureContainers(roots);
  return roots;
}

/** A container is as near as the nearest thing in it. */
function measureContainers(nodes: readonly SnapshotNode[]): number {
  let nearest = Number.POSITIVE_INFINITY;
  for (const node of nodes) {
    const inside = node.children.length > 0 ? measureContainers(node.children) : 0;
    if (node.distance < 0) node.distance = inside;
    if (node.distance < nearest) nearest = node.distance;
  }
  return nearest;
}

function toNode(raw: RawNode, capture: RawCapture, document: DocumentOf): SnapshotNode {
  const [, id, role, name, flags, distance, fingerprint, row, props] = raw;
  const rowText = capture.rows[row] ?? '';
  return {
    key: `${document.doc}:${id}`,
    id,
    document,
    role,
    name,
    flags,
    distance,
    fingerprint,
    row: rowText,
    ...props,
    children: [],
  };
}

/** Every node of some trees, parents before children. */
export function* everyNode(nodes: readonly SnapshotNode[]): Generator<SnapshotNode> {
  const stack = [...nodes].reverse();
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    yield node;
    for (let i = node.children.length - 1; i >= 0; i--) stack.push(node.children[i] as SnapshotNode);
  }
}

/** The iframe elements of a document, those inside other documents left out. */
export function holdersIn(roots: readonly SnapshotNode[]): SnapshotNode[] {
  const holders: SnapshotNode[] = [];
  const visit = (node: SnapshotNode): void => {
    if (node.role === 'iframe') holders.push(node);
    else for (const child of node.children) visit(child);
  };
  for (const root of roots) visit(root);
  return holders;
}

/** A node as a reader will see it. */
export interface ViewNode {
  node: SnapshotNode;
  role: string;
  name: string;
  children: ViewNode[];
  /** Texts of its row that stand behind it in its line. */
  beside?: readonly ViewNode[];
  /** Nodes that its line tells of without lines of their own. */
  standsFor?: readonly SnapshotNode[];
  /** Its text is told nowhere else. */
  isWhole?: boolean;
}
