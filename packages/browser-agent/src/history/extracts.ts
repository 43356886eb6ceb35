import { z } from 'zod/v4';
import type { AgentHistory } from './history.js';

/** The pages of a long text that were read: the first and the last one, counted from 1, and how many it has. */
const pagesRead = z.object({ first: z.number(), last: z.number(), of: z.number() });

export const extractRecord = z.object({
  step: z.number(),
  /** The action that read it. */
  action: z.string(),
  content: z.string(),
  /** What `extract` was asked for. */
  query: z.string().optional(),
  /** Where it was read; left out for what comes from no page, such as a file. */
  url: z.string().optional(),
  title: z.string().optional(),
  pages: pagesRead.optional(),
});
/** A text that was read for the model, with where it comes from, as far as its action says so. */
export type Extract = z.infer<typeof extractRecord>;

const said = z.looseObject({
  query: z.string().optional().catch(undefined),
  url: z.string().optional().catch(undefined),
  title: z.string().optional().catch(undefined),
  page: z.number().optional().catch(undefined),
  pages: z.union([pagesRead, z.number()]).optional().catch(undefined),
});

/** The extracted texts with their sources, in order. */
export function extracted({ steps }: AgentHistory): Extract[] {
  return steps.flatMap(({ step, results }) =>
    results.flatMap(({ action, extractedContent: content, metadata }) =>
      content === undefined ? [] : [{ step, action, content, ...sourceIn(metadata) }],
    ),
  );
}

function sourceIn(metadata: Record<string, unknown> = {}): Pick<Extract, 'query' | 'url' | 'title' | 'pages'> {
  const { query, url, title, page, pages } = said.parse(metadata);
  const read = typeof pages === 'number' ? page !== undefined && { first: page, last: page, of: pages } : pages;
  return {
    ...(query !== undefined && { query }),
    ...(url !== undefined && { url }),
    ...(title !== undefined && { title }),
    ...(read && { pages: read }),
  };
}
