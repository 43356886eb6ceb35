import { type AgentHistory, toCode } from '@browser-toolset/browser-agent';
import { type Context, Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { HTTPException } from 'hono/http-exception';
import { streamSSE } from 'hono/streaming';
import { z } from 'zod';
import { asError } from '../../demo/unknown-values.js';
import { shownPlace } from '../chat-routes.js';
import type { ModelWatch } from '../model-watch.js';
import { bodyOf, LONGEST_BODY } from '../request-body.js';
import type { ExportFormat, RunEvent, RunListEvent } from './api.js';
import type { BrowserRuns } from './browser-runs.js';
import { Feed } from './feed.js';
import { readRerun } from './rerun-variables.js';

const words = z.string().trim().min(1).max(20_000);
const newRun = z.strictObject({
  threadId: z.string().min(1).max(200),
  task: words,
  asksBeforeActions: z.boolean().default(false),
});
const said = z.strictObject({ words });
const answerBody = z.strictObject({
  questionId: z.string().min(1),
  /** A text for a question, a decision for an action. */
  answer: z.union([words, z.strictObject({ approved: z.boolean(), allOfKind: z.boolean().optional() })]),
});
const shownBody = z.strictObject({ questionId: z.string().min(1), show: shownPlace });
const approvedKind = z.strictObject({ key: z.string().max(2_000) });
const steering = z.enum(['pause', 'resume', 'stop']);
const stepNumber = z.coerce.number().int().min(0);

/** Runs of the browser agent: to begin, follow, steer, answer, look at, do again and take along. */
export function runRoutes(runs: BrowserRuns, model: ModelWatch): Hono {
  const app = new Hono();
  app.use(bodyLimit({ maxSize: LONGEST_BODY }));
  app.get('/', c => c.json(runs.list()));
  app.post('/', async c => {
    const wanted = await read(newRun, c);
    // A run of a model that cannot be asked would fail step after step.
    const problem = await model.problem();
    if (problem !== undefined) throw refusedRequest(503, `Not started. ${problem}`);
    return c.json(runs.start(wanted), 201);
  });
  app.get('/stream', c => followList(c, runs));
  app.get('/:id', async c => c.json(await runs.detail(c.req.param('id'))));
  app.delete('/:id', async c => {
    await runs.delete(c.req.param('id'));
    return c.json({ success: true });
  });
  app.get('/:id/stream', async c => followRun(c, runs, c.req.param('id')));
  addSteering(app, runs);
  addRecorded(app, runs);
  app.onError((error, c) => {
    if (error instanceof HTTPException) return c.json({ error: error.message }, error.status);
    return c.json({ error: asError(error).message }, 500);
  });
  return app;
}

function addSteering(app: Hono, runs: BrowserRuns): void {
  app.post('/:id/say', async c => {
    const { words } = await read(said, c);
    if (!runs.live(c.req.param('id')).run.say(words))
      throw refusedRequest(409, 'The agent has ended: start a follow-up.');
    return c.json({ success: true });
  });
  app.post('/:id/answer', async c => {
    const { questionId, answer } = await read(answerBody, c);
    const { allOfKind, ...decided } = typeof answer === 'string' ? {} : answer;
    const given = typeof answer === 'string' ? answer : decided;
    const isAnswered = runs.live(c.req.param('id')).answer(questionId, given, { ...(allOfKind && { allOfKind }) });
    if (!isAnswered) throw refusedRequest(409, 'The agent is no longer waiting for this answer.');
    return c.json({ success: true });
  });
  app.post('/:id/show', async c => {
    const { questionId, show } = await read(shownBody, c);
    await runs.live(c.req.param('id')).show(questionId, show);
    return c.json({ success: true });
  });
  app.post('/:id/take-back', async c => {
    runs.live(c.req.param('id')).takeBack((await read(approvedKind, c)).key);
    return c.json({ success: true });
  });
  app.post('/:id/:steering{pause|resume|stop}', c => {
    const { run } = runs.live(c.req.param('id'));
    run[steering.parse(c.req.param('steering'))]();
    return c.json({ success: true });
  });
}

function addRecorded(app: Hono, runs: BrowserRuns): void {
  app.get('/:id/steps/:step/picture', async c => {
    const step = stepNumber.safeParse(c.req.param('step'));
    const picture = step.success && (await runs.picture(c.req.param('id'), step.data));
    if (!picture) throw refusedRequest(404, 'There is no picture of this step.');
    return c.body(picture, 200, { 'content-type': 'image/jpeg', 'cache-control': 'private, max-age=86400, immutable' });
  });
  app.get('/:id/variables', async c => c.json(await runs.variables(c.req.param('id'))));
  app.post('/:id/rerun', async c => {
    const id = c.req.param('id');
    const history = await runs.history(id);
    const wanted = readRerun(history, await bodyOf(c.req.raw));
    if ('error' in wanted) return c.json(wanted, 400);
    await runs.rerun(id, history, wanted);
    return c.json({ success: true }, 202);
  });
  app.post('/:id/rerun/stop', c => {
    runs.stopRerun(c.req.param('id'));
    return c.json({ success: true });
  });
  app.get('/:id/export/:format{mastra|playwright|json}', async c => {
    const id = c.req.param('id');
    const format = c.req.param('format') as ExportFormat;
    const { type, ending, text } = EXPORTS[format];
    const history = await runs.history(id);
    const name = `${slug(history.task)}${ending}`;
    return c.body(text(history), 200, {
      'content-type': type,
      'content-disposition': `attachment; filename="${name}"`,
    });
  });
}

interface Export {
  readonly type: string;
  readonly ending: string;
  text(history: AgentHistory): string;
}

const EXPORTS: Record<ExportFormat, Export> = {
  mastra: {
    type: 'text/plain; charset=utf-8',
    ending: '.mastra.ts',
    text: history => toCode(history, { as: 'mastra' }),
  },
  playwright: {
    type: 'text/plain; charset=utf-8',
    ending: '.playwright.ts',
    text: history => toCode(history, { as: 'playwright' }),
  },
  json: { type: 'application/json', ending: '.history.json', text: history => `${JSON.stringify(history, null, 2)}\n` },
};

const LONGEST_NAME = 40;

/** A name for a file that every system takes. */
function slug(task: string): string {
  const plain = task
    .replace(/https?:\/\/\S+/g, '')
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, LONGEST_NAME)
    .replace(/^-+|-+$/g, '');
  return plain || 'run';
}

/** All of a run, and then what changes of it, for as long as the page listens. */
async function followRun(c: Context, runs: BrowserRuns, id: string): Promise<Response> {
  // Before it is read, so that nothing is missed in between.
  const feed = new Feed<RunEvent>(listener => runs.subscribe(id, listener));
  try {
    const first: RunEvent = { type: 'all', ...(await runs.detail(id)) };
    return streamSSE(c, stream => feed.pour(stream, first));
  } catch (error) {
    feed.close();
    throw error;
  }
}

function followList(c: Context, runs: BrowserRuns): Response {
  const feed = new Feed<RunListEvent>(listener => runs.subscribeList(listener));
  return streamSSE(c, stream => feed.pour(stream, { type: 'runs', runs: runs.list() }));
}

async function read<Schema extends z.ZodType>(schema: Schema, c: Context): Promise<z.output<Schema>> {
  const parsed = schema.safeParse(await bodyOf(c.req.raw));
  if (!parsed.success) throw refusedRequest(400, z.prettifyError(parsed.error));
  return parsed.data;
}

function refusedRequest(status: 400 | 404 | 409 | 503, message: string): HTTPException {
  return new HTTPException(status, { message });
}
