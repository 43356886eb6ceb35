import { randomUUID } from 'node:crypto';
import { Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { z } from 'zod';
import type { ModelState, StudioState, ToolRun } from './api.js';
import type { Journal } from './journal.js';
import type { ModelWatch } from './model-watch.js';
import type { RecordedToolset } from './recorded-toolset.js';
import { bodyOf, LONGEST_BODY } from './request-body.js';
import type { Thumbnails } from './thumbnails.js';
import { describeTools, fieldErrorsOf, runByHand } from './tool-runs.js';

export interface PlaygroundParts {
  readonly state: () => StudioState;
  readonly toolset: RecordedToolset;
  readonly journal: Journal;
  readonly thumbnails: Thumbnails;
  readonly model: ModelWatch;
}

const threadId = z.string().min(1).max(200);
const handRun = z.object({ threadId, input: z.unknown().optional() });

/** The routes that Mastra's own API lacks: the state, tools by hand, and the journal. */
export function playgroundRoutes({ state, toolset, journal, thumbnails, model }: PlaygroundParts): Hono {
  const app = new Hono();
  app.use(bodyLimit({ maxSize: LONGEST_BODY }));
  app.get('/state', c => c.json(state()));
  app.get('/model', async c => c.json({ problem: await model.problem() } satisfies ModelState));
  app.get('/tools', c => c.json(describeTools(toolset.getTools())));

  app.post('/tools/:id', async c => {
    const tools = toolset.getTools();
    const id = c.req.param('id');
    const tool = Object.hasOwn(tools, id) ? tools[id] : undefined;
    if (!tool) return c.json({ error: `There is no tool ${id}.` }, 404);
    const body = handRun.safeParse(await bodyOf(c.req.raw));
    if (!body.success) return c.json({ error: z.prettifyError(body.error) }, 400);
    const callId = randomUUID();
    const output = await runByHand(tool, { ...body.data, callId, signal: c.req.raw.signal });
    const action = journal.find(body.data.threadId, callId);
    if (!action) return c.json({ error: 'The thread was deleted while the tool ran.' }, 410);
    return c.json({ action, fieldErrors: fieldErrorsOf(output) } satisfies ToolRun);
  });

  app.get('/threads/:threadId/actions', c => c.json(journal.summaries(c.req.param('threadId'))));
  app.get('/threads/:threadId/actions/:id', c => {
    const action = journal.find(c.req.param('threadId'), c.req.param('id'));
    return action ? c.json(action) : c.json({ error: 'This action is no longer stored.' }, 404);
  });
  app.get('/threads/:threadId/actions/:id/picture', async c => {
    const picture = await thumbnails.of(c.req.param('id'));
    if (!picture) return c.body(null, 204);
    return c.body(picture, 200, { 'content-type': 'image/jpeg', 'cache-control': 'private, max-age=86400, immutable' });
  });

  app.delete('/threads/:threadId', async c => {
    const id = c.req.param('threadId');
    await toolset.closeThreadSession(id);
    thumbnails.forget(id);
    journal.forget(id);
    return c.json({ success: true });
  });
  app.onError((error, c) => c.json({ error: error.message }, 500));
  return app;
}
