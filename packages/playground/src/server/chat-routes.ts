import { type Context, Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { streamSSE } from 'hono/streaming';
import { z } from 'zod';
import type { WaitingEvent, WaitingThread } from './api.js';
import { Feed } from './browser-agent/feed.js';
import { type ChatKey, type ChatRuns, UnawaitedAnswer } from './chat-runs.js';
import { bodyOf, LONGEST_BODY } from './request-body.js';

const callField = z.string().min(1).max(200);
const reply = z.string().max(20_000);
/** `all`, or the ref of one element. */
export const shownPlace = z.union([z.literal('all'), z.templateLiteral(['@', z.string().regex(/^e\d+$/)])]);
const call = z.strictObject({ tool: callField, input: z.unknown(), show: shownPlace.optional() });
const kindBody = z.strictObject({ key: z.string().max(2_000) });
const decisionBody = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('approval'),
    toolCallId: callField,
    approved: z.boolean(),
    allOfKind: z.string().max(2_000).optional(),
    reason: reply.optional(),
  }),
  z.strictObject({ kind: z.literal('question'), toolCallId: callField, answer: reply }),
]);

/** What a person decides in the chat: what waits, what it is, and whether it goes on. */
export function chatRoutes(runs: ChatRuns): Hono {
  const app = new Hono();
  app.use(bodyLimit({ maxSize: LONGEST_BODY }));
  app.use('/:agentId/*', async (c, next) => {
    if (!runs.has(c.req.param('agentId'))) return c.json({ error: 'There is no such agent.' }, 404);
    await next();
  });
  app.get('/:agentId/waiting/stream', async c => {
    const waiting = await runs.waitingThreads(c.req.param('agentId'));
    const eventOf = (threads: readonly WaitingThread[]): WaitingEvent => ({ type: 'waiting', threads });
    const feed = new Feed<WaitingEvent>(listener => waiting.subscribe(threads => listener(eventOf(threads))));
    return streamSSE(c, stream => feed.pour(stream, eventOf(waiting.all())));
  });
  app.get('/:agentId/:threadId/waiting', async c => c.json(await runs.waiting(keyOf(c))));
  app.post('/:agentId/:threadId/preview', async c => {
    const body = call.safeParse(await bodyOf(c.req.raw));
    if (!body.success) return c.json({ error: z.prettifyError(body.error) }, 400);
    const { show, ...described } = body.data;
    return c.json(await runs.preview(keyOf(c), described, { ...(show && { show }) }));
  });
  app.post('/:agentId/:threadId/decide', async c => {
    const body = decisionBody.safeParse(await bodyOf(c.req.raw));
    if (!body.success) return c.json({ error: z.prettifyError(body.error) }, 400);
    await runs.decide(keyOf(c), body.data);
    return c.json({ success: true });
  });
  app.get('/:agentId/:threadId/allowed', c => c.json(runs.allowed(keyOf(c))));
  app.post('/:agentId/:threadId/take-back', async c => {
    const body = kindBody.safeParse(await bodyOf(c.req.raw));
    if (!body.success) return c.json({ error: z.prettifyError(body.error) }, 400);
    runs.takeBack(keyOf(c), body.data.key);
    return c.json({ success: true });
  });
  app.post('/:agentId/:threadId/stop', async c => {
    await runs.stop(keyOf(c));
    return c.json({ success: true });
  });
  app.onError((error, c) => {
    if (error instanceof UnawaitedAnswer) return c.json({ error: error.message }, 409);
    // What a library says of its inside helps nobody at the page.
    process.stderr.write(`Chat: ${error.stack ?? error.message}\n`);
    return c.json({ error: 'The server could not do this. Its terminal says why.' }, 500);
  });
  return app;
}

function keyOf(c: Context): ChatKey {
  return { agentId: c.req.param('agentId') ?? '', threadId: c.req.param('threadId') ?? '' };
}
