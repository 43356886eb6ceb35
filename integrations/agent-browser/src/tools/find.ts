import { z } from 'zod/v4';
import { ToolError } from '../outcome/errors.js';
import { pruneToContent } from '../snapshot/prune.js';
import { capture } from '../snapshot/reading.js';
import { everyNode, isInteractive, type SnapshotNode } from '../snapshot/tree.js';
import type { Action } from './action.js';
import { defineTool } from './define.js';

const MATCHES = 20;
const TEXT_LIMIT = 160;

export const find = defineTool({
  id: 'browser_find',
  description: 'Find text or elements on the page and scroll to the first match.',
  input: z
    .strictObject({
      text: z.string().min(1).max(1000).optional(),
      regex: z.string().min(1).max(1000).optional(),
      role: z.string().min(1).max(60).optional(),
    })
    .refine(({ text, regex, role }) => (text ?? regex ?? role) !== undefined, {
      message: 'text, regex or role is needed',
    }),
  output: {
    matches: z
      .array(z.object({ ref: z.string().optional(), role: z.string().optional(), text: z.string() }))
      .optional(),
    total: z.number().optional(),
  },
  policy: { readOnly: true },
  async run(action, { text, regex, role }) {
    const { session, tab } = action;
    const page = await capture(tab, action.limits);
    session.refs.replace(page, true);
    tab.hasRead(page.doc, pruneToContent(page.roots));
    const says =
      text === undefined ? matcher(regex) : (value: string) => value.toLowerCase().includes(text.toLowerCase());
    const found = [...everyNode(page.roots)].filter(
      node =>
        (role === undefined || node.role === role) &&
        says(node.value === undefined ? node.name : `${node.name} ${node.value}`),
    );
    const first = found[0];
    if (first === undefined) throw new ToolError('element_not_found', 'Nothing on the page matches.');
    await scrollTo(action, first);
    const matches = found.slice(0, MATCHES).map(node => ({
      ...(isInteractive(node) && { ref: session.refs.refOf(node) }),
      role: node.role,
      text: around(node.name, text),
    }));
    return { matches, total: found.length };
  },
  headline: ({ matches, total }) =>
    [
      ...(matches ?? []).map(
        match => `${match.role} ${JSON.stringify(match.text)}${match.ref === undefined ? '' : ` ${match.ref}`}`,
      ),
      (total ?? 0) > (matches?.length ?? 0) ? `… ${(total ?? 0) - (matches?.length ?? 0)} more` : '',
    ]
      .filter(Boolean)
      .join('\n'),
});

function matcher(source: string | undefined): (value: string) => boolean {
  if (source === undefined) return () => true;
  try {
    const expression = new RegExp(source, 'iu');
    return value => expression.test(value.slice(0, 2000));
  } catch (cause) {
    throw new ToolError(
      'invalid_input',
      `regex: ${cause instanceof Error ? cause.message : 'is no regular expression'}`,
      { cause },
    );
  }
}

/** The match with the text around it. */
function around(name: string, text: string | undefined): string {
  const at = text === undefined ? 0 : name.toLowerCase().indexOf(text.toLowerCase());
  const start = Math.max(0, at - TEXT_LIMIT / 2);
  return name.slice(start, start + TEXT_LIMIT);
}

async function scrollTo(action: Action, node: SnapshotNode): Promise<void> {
  if (node.distance === 0) return;
  const { document, id } = node;
  const target = { doc: document.doc, id, fingerprint: 0, lastId: document.lastId };
  await action.ask(document.frame, { do: 'scroll', target, dx: 0, dy: 0, intoView: true });
}
