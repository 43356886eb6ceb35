import { z } from 'zod/v4';
import type { Session } from '../browser/session.js';
import { offeredNames } from '../browser/tab/web-mcp.js';
import type { Action } from '../call/action.js';
import { defineTool, refField } from '../call/define.js';
import {
  capture,
  compare,
  lateEffects,
  noteRead,
  type PageView,
  report,
  smallPageText,
  viewText,
} from '../diff/page-view.js';
import type { Lines } from '../refs/registry.js';
import { offersLine } from '../results/effects.js';
import { ToolError } from '../results/errors.js';
import { nextPart } from '../snapshot/budget.js';
import { pruneToContent, pruneToInteractive, toBeRead } from '../snapshot/prune.js';
import { renderHeader, summarizeLines } from '../snapshot/render.js';
import { everyNode, isInteractive, type PageSnapshot, type SnapshotNode } from '../snapshot/tree.js';

/** The subtrees of a document's elements with these ids. */
function withinDocument(roots: readonly SnapshotNode[], doc: string, ids: ReadonlySet<number>): SnapshotNode[] {
  return roots.flatMap(node =>
    node.document.doc === doc && ids.has(node.id) ? [node] : withinDocument(node.children, doc, ids),
  );
}

/** Keeps only nodes in the viewport, with their ancestors. */
function withinViewport(roots: readonly SnapshotNode[]): SnapshotNode[] {
  return roots.flatMap(node => {
    const children = withinViewport(node.children);
    return node.distance === 0 || children.length > 0 ? [{ ...node, children }] : [];
  });
}

const refRecord = z.record(
  z.string(),
  z.object({ role: z.string(), name: z.string().optional(), row: z.string().optional() }),
);

export const snapshot = defineTool({
  id: 'browser_snapshot',
  description:
    'Read the page as text. Each element you can act on has a ref (@e12). Lists controls, headings and short texts unless interactiveOnly=false. clickable: reacts to clicks but has no ARIA role; haspopup: opens a menu or dialog; hidden-text: not visible to users.',
  input: z.strictObject({
    interactiveOnly: z.boolean().optional().describe('Default true; false includes all text'),
    scope: z.enum(['page', 'viewport', 'modal']).optional(),
    ref: refField.optional().describe('Only the content of this element'),
    maxDepth: z.number().int().min(1).max(1000).optional(),
    maxTokens: z.number().int().min(100).max(1_000_000).optional(),
    next: z.string().max(40).optional().describe('Cursor of a truncated snapshot'),
    diff: z.boolean().optional().describe('Only what changed since you last looked'),
  }),
  output: {
    tree: z.string().optional(),
    refs: refRecord.optional().describe('Refs in the lines shown, and as many of the folded ones as fit'),
    elementCount: z.number().optional(),
    pixelsAbove: z.number().optional(),
    pixelsBelow: z.number().optional(),
    truncated: z
      .object({ shown: z.number(), total: z.number(), next: z.string(), what: z.string().optional() })
      .optional(),
  },
  policy: { readOnly: true, describesContentBoundaries: true },
  risk: 'none',
  enters: 'nothing',
  async run(action, input) {
    const maxTokens = input.maxTokens ?? action.session.owner.config.snapshot.maxTokens;
    if (input.next !== undefined) return continued(action, input.next, maxTokens);
    if (input.diff) return difference(action, maxTokens);
    const detail = input.interactiveOnly === false ? 'exact' : 'plain';
    const page = await capture(action.tab, action.limits, detail);
    const { session } = action;
    const { interactiveOnly, scope, ref, maxDepth } = input;
    const parts = scope === 'modal' && !page.modal ? await partsOfModal(action, page) : undefined;
    const changes = await lateEffects(session, action.tab, page, action.limits);
    session.refs.observe(page);
    const all = parts ?? page.roots;
    const only = ref === undefined ? undefined : action.entry(ref).node.key;
    const asked = only === undefined ? all : [...everyNode(all)].filter(({ key }) => key === only);
    const roots = scope === 'viewport' ? withinViewport(asked) : asked;
    const isByDefault = interactiveOnly === undefined && maxDepth === undefined;
    const small = isByDefault ? smallPageText(session, roots, maxTokens) : undefined;
    const isUsual = interactiveOnly !== false && scope !== 'viewport' && maxDepth === undefined;
    const views =
      interactiveOnly === false ? toBeRead(pruneToContent(roots)) : pruneToInteractive(roots, parts !== undefined);
    const usual = viewText(session, views, { maxTokens, maxDepth, isUsual });
    const { body, total } = small ?? usual;
    noteRead({ tab: action.tab, refs: session.refs }, page, body.shown);
    const refs = programsRead(session, body);
    // For nodes that are not in the text, the agent still knows their earlier state.
    const isWhole = scope === undefined && ref === undefined && maxDepth === undefined && body.rest.length === 0;
    if (isWhole) session.refs.give(page);
    else session.refs.recordShown([...body.shown, ...body.folded]);
    const offers = session.owner.config.webMcp ? offersLine(await offeredNames(action.tab)) : undefined;
    const hasMore = body.text !== usual.body.text;
    const header = [renderHeader(page, hasMore), ...(offers === undefined ? [] : [offers])].join('\n');
    const isAll = small !== undefined || interactiveOnly === false;
    return { ...answer(session, { body, total, ...refs, header, page, isAll }), ...(changes && { changes }) };
  },
  headline: ({ tree, truncated }) =>
    truncated === undefined
      ? (tree ?? '')
      : `${tree}\n… ${truncated.total - truncated.shown} more lines${truncated.what ? ` (${truncated.what})` : ''}: browser_snapshot next=${truncated.next}`,
});

/** The parts of a modal that makes the rest of the page inert without having the role of a dialog. */
async function partsOfModal(action: Action, { roots, doc }: PageSnapshot): Promise<SnapshotNode[]> {
  const ids = await action.ask(action.tab.page.mainFrame(), 'overlay', {});
  const parts = withinDocument(roots, doc, new Set(ids));
  if (parts.length > 0) return parts;
  throw new ToolError('element_not_found', 'No modal dialog is open.', {
    hint: 'Take a browser_snapshot without scope.',
  });
}

interface Shown extends PageView, ReturnType<typeof programsRead> {
  header: string;
  page: PageSnapshot;
  /** It contains more than controls. */
  isAll?: boolean;
}

/**
 * In characters: the refs of folded elements fill up the record to this length, because a page can have tens of
 * thousands of them.
 */
const LONGEST_RECORD = 60_000;

/** Fields of the result for programs: the elements of a text, including folded ones. */
function programsRead({ refs }: Session, body: Lines) {
  const elementCount = [...body.shown, ...(body.folded ?? [])].filter(isInteractive).length;
  return { refs: refs.record(body, LONGEST_RECORD), elementCount };
}

function answer(session: Session, { header, body, page, total, refs, elementCount, isAll = false }: Shown) {
  const nothing = isAll
    ? '(no text, no interactive elements)'
    : '(no interactive elements; use interactiveOnly=false to see the text)';
  const tree = `${header}\n${body.text || nothing}`;
  const truncated =
    body.rest.length === 0
      ? undefined
      : {
          shown: body.shownLines,
          total,
          next: session.pages.keep({ page, rest: body.rest, age: session.refs.age }),
          what: summarizeLines(body.unfolded.length > 0 ? body.unfolded : body.rest),
        };
  return {
    tree,
    refs,
    elementCount,
    ...(truncated && { truncated }),
    pixelsAbove: Math.max(0, Math.round(page.scroll.top)),
    pixelsBelow: Math.max(0, Math.round(page.scroll.length - page.scroll.viewport - page.scroll.top)),
  };
}

function continued({ session, tab }: Action, cursor: string, maxTokens: number) {
  const kept = session.pages.take(cursor);
  if (kept === undefined || kept.age !== session.refs.age) {
    throw new ToolError(
      'invalid_input',
      `next: the cursor ${JSON.stringify(cursor)} has expired; take a new browser_snapshot.`,
    );
  }
  const body = nextPart(kept.rest, maxTokens);
  session.refs.recordShown(body.shown);
  tab.known?.recordShown(body.shown);
  return answer(session, {
    ...programsRead(session, body),
    header: '…',
    body,
    page: kept.page,
    total: kept.rest.length,
  });
}

async function difference({ session, tab, limits }: Action, maxTokens: number) {
  const { changes, shown } = report(session, tab, await compare(tab, limits), { maxTokens });
  return { tree: changes, ...programsRead(session, { shown }) };
}
