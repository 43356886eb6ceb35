import type { Frame } from 'playwright-core';
import { z } from 'zod/v4';
import type { Point } from '#page-engine/dom/geometry.js';
import { lettersOf } from '#page-engine/names/hint-words.js';
import { Flag, type PlaceAnswer } from '#page-engine/protocol.js';
import { cutText, shortText } from '#page-engine/text/cut-text.js';
import { looseness, matchLoosely, matchTexts, type Pattern } from '../actions/text-match.js';
import type { Action } from '../call/action.js';
import { defineTool, headlineOf } from '../call/define.js';
import { offsetInPage } from '../call/point.js';
import { capture } from '../diff/page-view.js';
import { ToolError } from '../results/errors.js';
import { everyNode, isInteractive, type PageSnapshot, type SnapshotNode } from '../snapshot/tree.js';

/** The position of an element, and its ref. `text`: that of a part of the node, which is the place of the match. */
type ElementPlace = Pick<FoundMatch, 'ref' | 'where' | 'x' | 'y'> & { text?: string };

type PlacedNode = [node: SnapshotNode, place: ElementPlace];

async function placesIn(
  action: Action,
  { frame, text }: { frame: Frame; text: string | undefined },
  nodes: readonly SnapshotNode[],
): Promise<PlacedNode[]> {
  const ids = nodes.map(({ id }) => id);
  // A box that only listens may hold many things, each at a place of its own: a calendar, a chart, a board.
  const texts = nodes.map(({ role, name }) =>
    role === 'clickable' && text !== undefined && lettersOf(name) !== lettersOf(text) ? text : null,
  );
  const answers = await action.ask(frame, 'places', { ids, texts });
  const found = nodes.flatMap((node, index) => {
    const answer = answers[index];
    return answer == null ? [] : [{ node, answer }];
  });
  const first = found[0];
  if (first === undefined) return [];
  const { id, corner } = first.answer;
  const off = await offsetInPage(action, { ...first.node, id }, { x: corner[0], y: corner[1] });
  return found.map(({ node, answer }) => {
    const { id, now, isPart } = answer;
    const ref = action.session.refs.grant(node, id, now);
    return [node, { ref, ...inPage(action, answer, off), ...(isPart && { text: now.name }) }];
  });
}

function inPage(action: Action, { where, x, y }: PlaceAnswer, off: Point | undefined): Omit<ElementPlace, 'ref'> {
  if (where !== 'in view' || off === undefined) return { where };
  const at = { x: Math.round(x + off.x), y: Math.round(y + off.y) };
  const height = action.tab.page.viewportSize()?.height ?? Number.POSITIVE_INFINITY;
  if (at.y < 0) return { where: 'above' };
  return at.y > height ? { where: 'below' } : { where, ...at };
}

const MATCHES = 20;
const MATCH_TEXT_LIMIT = 160;
/** In characters of an element's content that are searched. */
const WORDS_LIMIT = 1_000;

const matchField = z.object({
  ref: z.string(),
  role: z.string().optional(),
  text: z.string(),
  where: z.enum(['in view', 'above', 'below']),
  /** The centre in CSS pixels of the viewport. */
  x: z.number().optional(),
  y: z.number().optional(),
  /** Text of the list item, table row or card that contains it. */
  row: z.string().optional(),
});
type FoundMatch = z.output<typeof matchField>;

export const find = defineTool({
  id: 'browser_find',
  description:
    'Find text, a regex or a role anywhere on the page, including off screen. Scrolls to the best match; each match has a ref.',
  input: z
    .strictObject({
      text: z.string().min(1).max(1000).optional(),
      regex: z.string().min(1).max(1000).optional(),
      role: z.string().min(1).max(60).optional(),
    })
    .refine(({ text, regex, role }) => (text ?? regex ?? role) !== undefined, {
      message: 'give at least one of text, regex and role',
    })
    .refine(({ text, regex }) => text === undefined || regex === undefined, {
      path: ['regex'],
      message: 'cannot be combined with text',
    }),
  output: { matches: z.array(matchField).optional(), total: z.number().optional() },
  policy: { readOnly: true, scrolls: true },
  risk: 'none',
  enters: 'nothing',
  async run(action, { text, regex, role }) {
    const { session, tab } = action;
    let page = await capture(tab, action.limits);
    let matches = await matchesIn(page, { text, regex, role });
    if (matches.length === 0 && page.cut) {
      page = await capture(tab, action.limits, 'deep');
      matches = await matchesIn(page, { text, regex, role });
    }
    // A cancelled call that searched for long must not replace what the next one has read.
    action.signal.throwIfAborted();
    // The result reports only the matches and no other changes.
    session.refs.observe(page);
    const first = matches[0];
    if (first === undefined) {
      Object.assign(action.facts, { matches: [], total: 0 });
      throw new ToolError('element_not_found', nothing(page));
    }
    await action.ask(first.node.document.frame, 'reveal', { id: first.node.id });
    const shown = matches.slice(0, MATCHES);
    const nodes = shown.map(({ node }) => node);
    session.refs.recordShown(nodes.filter(isInteractive));
    const families = Map.groupBy(nodes, ({ document }) => document.frame);
    const placed = await Promise.all([...families].map(([frame, family]) => placesIn(action, { frame, text }, family)));
    const places = new Map(placed.flat());
    const found = shown.flatMap(match => {
      const place = places.get(match.node);
      return place === undefined ? [] : [{ ...matchFields(match), ...place }];
    });
    // A text gets the ref of its element, which may be a match, too.
    const refs = found.map(({ ref }) => ref);
    const once = found.filter(({ ref }, index) => refs.indexOf(ref) === index);
    return { matches: once, total: matches.length - found.length + once.length };
  },
  headline: ({ matches = [], total = 0 }) =>
    headlineOf(
      ...matches.map(({ role, text, row, ref, where, x, y }) =>
        [role, JSON.stringify(text), row && `in ${JSON.stringify(row)}`, ref, x === undefined ? where : `at ${x},${y}`]
          .filter(Boolean)
          .join(' '),
      ),
      total > matches.length ? `… ${total - matches.length} more` : '',
    ),
});

function nothing(page: PageSnapshot): string {
  if (!page.cut) return 'Nothing on the page matches.';
  return 'Nothing matches in the part of the page that was searched. The page is too large to be searched completely.';
}

async function matchesIn({ roots }: PageSnapshot, { role, ...pattern }: Pattern & { role?: string }): Promise<Match[]> {
  const nodes = [...everyNode(roots)].filter(node => (node.flags & Flag.HiddenText) === 0);
  const ofRole = role === undefined ? nodes : nodes.filter(node => node.role === role.toLowerCase());
  const found = await search(ofRole, { ...pattern, isByRole: role !== undefined });
  return found.length > 0 || role !== undefined ? found : searchAcross(roots, pattern);
}

interface Match {
  node: SnapshotNode;
  text: string;
  /** Where in the text it matches. */
  at: number;
}

/** The matches, best first. */
async function search(
  nodes: readonly SnapshotNode[],
  { text, ...pattern }: Pattern & { isByRole: boolean },
): Promise<Match[]> {
  const texts = nodes.map(node => matchText(node, pattern.isByRole));
  const positions = await matchTexts(texts, { text, regex: pattern.regex });
  const found = positions.flatMap(({ index, at }) => {
    const node = nodes[index];
    return node === undefined ? [] : [{ node, text: texts[index] ?? '', at }];
  });
  if (text === undefined) return found;
  const ranks = new Map(found.map(match => [match, rankOf(match, text)]));
  return found.sort((one, other) => (ranks.get(one) ?? 0) - (ranks.get(other) ?? 0));
}

function rankOf({ node, text }: Match, wanted: string): number {
  return Math.min(...[text, node.name, node.value ?? ''].filter(Boolean).map(name => looseness(name, wanted)));
}

/** The text of a node to search. With a role given, a node without a name is searched by its content. */
function matchText(node: SnapshotNode, isByRole: boolean): string {
  const name = node.name === '' && isByRole ? nodeWords(node) : node.name;
  return node.value === undefined ? name : `${name} ${node.value}`.trim();
}

function nodeWords(node: SnapshotNode): string {
  let words = '';
  for (const { name, flags } of everyNode(node.children)) {
    if (name !== '' && (flags & Flag.HiddenText) === 0) words += ` ${name}`;
    if (words.length > WORDS_LIMIT) break;
  }
  return words.trim();
}

/** Searches across siblings: text that reads as one may be several elements, such as a link within a sentence. */
async function searchAcross(roots: readonly SnapshotNode[], { text, regex }: Pattern): Promise<Match[]> {
  const families = [roots, ...[...everyNode(roots)].map(node => node.children)].filter(family => family.length > 1);
  const texts = families.map(family => family.map(node => node.name).join(' '));
  const found = text === undefined ? await matchTexts(texts, { regex }) : matchLoosely(texts, text);
  return found.flatMap(({ index, at }) => {
    const node = nodeAt(families[index] ?? [], at);
    return node === undefined ? [] : [{ node, text: texts[index] ?? '', at }];
  });
}

function nodeAt(family: readonly SnapshotNode[], offset: number): SnapshotNode | undefined {
  let end = 0;
  return family.find(node => {
    end += node.name.length + 1;
    return offset < end;
  });
}

function matchFields({ node, text, at }: Match): Pick<FoundMatch, 'role' | 'text' | 'row'> {
  const from = at - MATCH_TEXT_LIMIT / 2;
  const word = from <= 0 ? 0 : text.indexOf(' ', from) + 1;
  const start = word > at || word < from ? at : word;
  return {
    role: node.role,
    text: cutText(text.slice(start), MATCH_TEXT_LIMIT),
    ...(isInteractive(node) && node.row !== '' && { row: shortText(node.row, MATCH_TEXT_LIMIT) }),
  };
}
