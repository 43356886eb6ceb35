import type { Frame } from 'playwright-core';
import {
  type DefaultAction,
  type ElementChange,
  type ElementFacts,
  Flag,
  type Missed,
  NO_FINGERPRINT,
  type PressedAt,
  type RawCapture,
  type RawNode,
  type RefusedField,
  type SelectionNow,
  type StyleChange,
  UNMEASURED,
  type VisualReport,
} from '#page-engine/protocol.js';

/** The document of a node, at the time of the capture. */
interface DocumentOf {
  frame: Frame;
  /** Identifies the document: each document has its own, even at the same URL. */
  doc: string;
  /** The highest element id that the document had given out at the time of the capture. */
  lastId: number;
}

/** One element or text run of a captured page. */
export interface SnapshotNode {
  /** Identifies the element for as long as its document lives; no other element ever gets the same key. */
  readonly key: string;
  readonly id: number;
  readonly document: DocumentOf;
  readonly role: string;
  readonly name: string;
  /** Bits of {@link Flag}. */
  readonly flags: number;
  /** Distance from the viewport in CSS pixels; 0 inside. */
  distance: number;
  /** Hash of role, name and row, or {@link NO_FINGERPRINT}. */
  readonly fingerprint: number;
  /** Text of the list item, table row or card that contains the element. */
  readonly row: string;
  readonly value?: string;
  readonly level?: number;
  readonly tag?: string;
  readonly domId?: string;
  readonly editable?: boolean;
  readonly kind?: 'select' | 'file';
  readonly isSecret?: true;
  readonly hint?: string;
  readonly text?: string;
  readonly takes?: string;
  readonly does?: DefaultAction;
  readonly popup?: 'menu' | 'listbox' | 'tree' | 'grid' | 'dialog';
  readonly opened?: number;
  readonly options?: readonly string[] | number;
  /** The node was moved below the element that opened it, away from its place in the document. */
  readonly isTied?: true;
  children: SnapshotNode[];
}

/** A page and its frames, captured at one moment. */
export interface PageSnapshot {
  title: string;
  url: string;
  doc: string;
  /** The highest element id that the main document has given out. */
  lastId: number;
  scroll: { top: number; length: number; viewport: number };
  /** A modal dialog is open: the tree contains only the dialog. */
  modal: boolean;
  /** The page has more nodes than the capture holds. */
  cut: boolean;
  elementCount: number;
  /** The new state of a guarded element that changed before an input event, which was kept from the page. */
  blocked?: ElementChange | undefined;
  /** A guarded press, or its click, whose hit target was another element; it was kept from the page. */
  missed?: Missed | undefined;
  /** Milliseconds until the animations in the main frame that show or hide elements have ended. */
  fading?: number | undefined;
  /** The number of visible signs that something is being loaded, such as spinners. */
  loading: number;
  /** The element that was last acted on in each frame. */
  acted: ReadonlyMap<Frame, ElementFacts>;
  /** Fields that failed validation since the time given in the capture options. */
  refused: readonly (RefusedField & { doc: string })[];
  selection?: SelectionNow | undefined;
  /** The scroll position at the time of the latest press. */
  pressed?: PressedAt | undefined;
  /** Elements whose styling has changed since the latest action. */
  styleChanges: readonly (StyleChange & { doc: string })[];
  /** Visible effects of the latest press that are not in the elements: content that slid into view, canvases drawn. */
  visualEffects: readonly (VisualReport & { doc: string })[];
  roots: SnapshotNode[];
  /**
   * The tree with the parts that an open popup hides from the accessibility tree; set when the capture was compared
   * with an earlier one.
   */
  whole?: readonly SnapshotNode[] | undefined;
}

export function isInteractive(node: SnapshotNode): boolean {
  return (node.flags & Flag.Interactive) !== 0;
}

/** Whether a node is an element of the page, as opposed to a row that was added to group lines. */
export function isOfPage({ key, id, document }: SnapshotNode): boolean {
  return key === `${document.doc}:${id}`;
}

/** A node that is no element of the page: it stands for others, at the place of one of them. */
export function madeNode({ key, id, document, distance }: SnapshotNode, role: string, name = ''): SnapshotNode {
  const none = { flags: 0, fingerprint: NO_FINGERPRINT, row: '', children: [] };
  return { key: `${key}:${role}`, id, document, distance, role, name, ...none };
}

/** Builds the tree of one document from the flat list that the engine returns. */
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

/** Gives each container the distance of its nearest descendant. Returns the distance of the nearest node. */
function measureContainers(nodes: readonly SnapshotNode[]): number {
  let nearest = Number.POSITIVE_INFINITY;
  for (const node of nodes) {
    const inside = node.children.length > 0 ? measureContainers(node.children) : 0;
    if (node.distance === UNMEASURED) node.distance = inside;
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
    name: props?.shown ?? name,
    flags,
    distance,
    fingerprint,
    row: rowText,
    ...props,
    children: [],
  };
}

/** Yields every node of the trees, or of the views of them, in preorder. */
export function* everyNode<Node extends { children: Node[] }>(nodes: readonly Node[]): Generator<Node> {
  const stack = [...nodes].reverse();
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    yield node;
    for (let i = node.children.length - 1; i >= 0; i--) stack.push(node.children[i] as Node);
  }
}

/** A node as it is rendered, after pruning. */
export interface ViewNode {
  node: SnapshotNode;
  role: string;
  name: string;
  children: ViewNode[];
  /** Texts of its row that are rendered after it in the same line. */
  beside?: readonly ViewNode[];
  /** Nodes that this node's line stands for and that have no lines of their own. */
  standsFor?: readonly SnapshotNode[];
  /** Its text is rendered nowhere else, so it is not truncated like a name. */
  isWhole?: boolean;
}

export function hasInteractive(item: ViewNode): boolean {
  return isInteractive(item.node) || item.children.some(hasInteractive);
}
