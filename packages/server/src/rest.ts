import { ERROR_CODES, type LiveSession } from '@browser-toolset/core';
import { z } from 'zod/v4';
import type { Access } from './access.js';
import { DEFAULT_THREAD, isThreadOpen, type LiveBrowser, type LiveThread } from './live-browser.js';
import { BodyTooLong, type LiveRequest, type LiveResponse, Refusal } from './requests.js';
import { parsed, threadIdSchema } from './stream-request.js';
import type { Threads } from './threads.js';

/** A request of the REST routes, and what answers it. */
interface RestContext {
  access: Access;
  threads: Threads;
  agentId: string;
  /** The part of the path behind the agent. */
  route: string;
  request: LiveRequest;
  browserOf(): Promise<LiveBrowser>;
}

/** The sessions of an agent that who asks may see: what they show, how many watch, and who drives. */
async function listSessions(context: RestContext): Promise<{ sessions: object[] }> {
  const { access, agentId, request, threads } = context;
  const mayAsk = (await access.findRight(request, { agentId, threadId: undefined })) !== false;
  const source = await browserFor(context, mayAsk);
  const sessions = [];
  for (const session of await sessionsOf(source, threads.watchedOf(source))) {
    if ((await access.findRight(request, { agentId, threadId: session.threadId })) === false) continue;
    const view = threads.find({ source, threadId: session.threadId });
    const control = view?.holder === undefined ? 'agent' : 'human';
    sessions.push({ ...session, viewers: view?.viewerCount ?? 0, control });
  }
  if (!mayAsk && sessions.length === 0) throw unauthorized();
  return { sessions };
}

/** Who has no right to anything does not learn which agents there are. */
async function browserFor(context: RestContext, mayAsk: boolean): Promise<LiveBrowser> {
  return context.browserOf().catch((error: unknown) => {
    throw mayAsk ? error : unauthorized();
  });
}

function unauthorized(): Refusal {
  return new Refusal('unauthorized', 'Nobody gave you the right to this live view.');
}

/** Of a browser that does not tell its sessions, the ones that are watched are known. */
async function sessionsOf(source: LiveBrowser, watched: string[]): Promise<readonly LiveSession[]> {
  if (source.liveSessions) return source.liveSessions();
  return Promise.all(
    watched.map(async threadId => {
      const isOpen = await isThreadOpen({ source, threadId });
      const url = isOpen ? await source.getCurrentUrl(threadId) : null;
      return { threadId, isOpen, ...(url !== null && { url }) };
    }),
  );
}

type ThreadBody = { threadId?: string | undefined };
type Reader = (context: RestContext) => Promise<object>;
interface Writer<Body> {
  schema: z.ZodType<Body>;
  run(thread: LiveThread, body: Body): Promise<object>;
}

/** Longest body of a request, in bytes. */
const LONGEST_BODY = 64 * 1024;

const ALLOWED_HEADERS = 'authorization, content-type, x-viewer';

const threadBody = z.object({ threadId: threadIdSchema });
/** CSS pixels: less is no page, and more than a few screens a picture that no viewer can take. */
const pageSide = z.number().int().min(100).max(4096);
const urlText = z.string().min(1).max(10_000);

const READERS: Record<string, Reader> = {
  sessions: listSessions,
  async tabs(context) {
    const threadId = parsed(threadIdSchema, context.request.url.searchParams.get('threadId') ?? undefined);
    await context.access.rightTo(context.request, { agentId: context.agentId, threadId });
    const thread = { source: await context.browserOf(), threadId };
    await requireOpen(thread);
    return tabsOf(thread);
  },
};

const WRITERS: Record<string, Writer<ThreadBody>> = {
  relaunch: writer(threadBody, async ({ source, threadId }) => {
    await offered(source.launch, 'start').call(source, threadId);
    return { success: true };
  }),
  close: writer(threadBody, async thread => {
    await requireOpen(thread);
    await closeThread(thread);
    return { success: true };
  }),
  tabs: writer(
    z.discriminatedUnion('action', [
      z.object({ threadId: threadIdSchema, action: z.literal('list') }),
      z.object({ threadId: threadIdSchema, action: z.literal('new'), url: urlText.optional() }),
      z.object({ threadId: threadIdSchema, action: z.enum(['switch', 'close']), tab: z.string().min(1).max(100) }),
    ]),
    async (thread, body) => {
      await requireOpen(thread);
      const { source, threadId } = thread;
      offered(source.liveTabs, 'list tabs');
      if (body.action === 'new') await offered(source.openTab, 'open tabs').call(source, body.url, threadId);
      if (body.action === 'switch') await offered(source.switchTab, 'switch tabs').call(source, body.tab, threadId);
      if (body.action === 'close') await offered(source.closeTab, 'close tabs').call(source, body.tab, threadId);
      return tabsOf(thread);
    },
  ),
  navigate: writer(
    z.union([
      z.object({ threadId: threadIdSchema, url: urlText }),
      z.object({ threadId: threadIdSchema, direction: z.enum(['back', 'forward', 'reload']) }),
    ]),
    async (thread, body) => {
      await requireOpen(thread);
      const { source, threadId } = thread;
      if ('url' in body) await offered(source.visit, 'navigate').call(source, body.url, threadId);
      else await offered(source.travel, 'navigate').call(source, body.direction, threadId);
      return { url: await source.getCurrentUrl(threadId) };
    },
  ),
  viewport: writer(
    z.object({ threadId: threadIdSchema, width: pageSide, height: pageSide }),
    async (thread, { width, height }) => {
      await requireOpen(thread);
      await offered(thread.source.resize, 'resize its pages').call(thread.source, { width, height }, thread.threadId);
      return { success: true };
    },
  ),
};

/** Answers a REST request; throws a `Refusal` when it is not done. */
export async function answerRest(context: RestContext): Promise<LiveResponse> {
  const { route, request, access } = context;
  const runs = new Map<string, Reader>();
  if (Object.hasOwn(READERS, route)) runs.set('GET', READERS[route] as Reader);
  if (Object.hasOwn(WRITERS, route)) runs.set('POST', write(WRITERS[route] as Writer<ThreadBody>));
  if (runs.size === 0) throw new Refusal('not_found', `There is no ${route} here.`);
  const methods = [...runs.keys()].join(', ');
  if (request.method === 'OPTIONS') return preflight(context, methods);
  const run = runs.get(request.method);
  if (run === undefined) throw new Refusal('method_not_allowed', `Use ${methods}.`, { allow: methods });
  access.checkOrigin(request, request.method === 'GET');
  return { status: 200, headers: {}, body: await run(context) };
}

/** A page of another origin asks whether it may send JSON. */
function preflight({ access, request }: RestContext, methods: string): LiveResponse {
  access.checkOrigin(request);
  const headers = { 'access-control-allow-methods': methods, 'access-control-allow-headers': ALLOWED_HEADERS };
  return { status: 204, headers, body: undefined };
}

/** Reads the body of a request that changes something, checks the right to it, and does it. */
function write({ schema, run }: Writer<ThreadBody>): Reader {
  return async context => {
    const { access, agentId, request, threads } = context;
    const body = parsed(schema, await readJson(request));
    const { threadId } = body;
    const right = await access.rightTo(request, { agentId, threadId });
    const thread = { source: await context.browserOf(), threadId };
    if (right !== 'control') throw new Refusal('view_only', 'You may watch, but not act.');
    const mayAct = threads.find(thread)?.mayAct(request.headers.get('x-viewer') ?? undefined) ?? true;
    if (!mayAct) throw new Refusal('another_in_control', 'Another person has control.');
    return run(thread, body).catch(error => fail(error));
  };
}

function writer<Body extends ThreadBody>(
  schema: z.ZodType<Body>,
  run: (thread: LiveThread, body: Body) => Promise<object>,
): Writer<ThreadBody> {
  // The schema that made the body is the one of the same entry.
  return { schema, run: (thread, body) => run(thread, body as Body) };
}

async function readJson(request: LiveRequest): Promise<unknown> {
  // Pages of other origins may send other types without asking first (Fetch, section 3.2).
  const type = request.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase();
  if (type !== 'application/json') throw new Refusal('not_json', 'Send application/json.');
  try {
    return JSON.parse(await request.readBody(LONGEST_BODY));
  } catch (error) {
    if (error instanceof BodyTooLong) throw new Refusal('too_long', `Send at most ${LONGEST_BODY} bytes.`);
    if (error instanceof SyntaxError) throw new Refusal('invalid_request', 'The body is no JSON.');
    throw error;
  }
}

async function requireOpen(thread: LiveThread): Promise<void> {
  if (await isThreadOpen(thread)) return;
  throw new Refusal('unknown_thread', `Thread ${thread.threadId ?? DEFAULT_THREAD} has no browser.`);
}

function tabsOf({ source, threadId }: LiveThread): object {
  return { tabs: offered(source.liveTabs, 'list tabs').call(source, threadId) };
}

/** Sessions of browsers that can tell them are closed by name, so is the default one; of others it is the browser itself. */
async function closeThread({ source, threadId }: LiveThread): Promise<void> {
  if (threadId === undefined && source.liveSessions === undefined) return source.close();
  await offered(source.closeThreadSession, 'close one thread').call(source, threadId ?? DEFAULT_THREAD);
}

function offered<Method>(method: Method | undefined, what: string): Method {
  if (method === undefined) throw new Refusal('not_supported', `This browser cannot ${what} from here.`);
  return method;
}

/** A refusal by the browser is the fault of the request: a url that cannot be had, a tab that is not there. */
function fail(error: unknown): never {
  if (error instanceof Refusal) throw error;
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const reason = error instanceof Error ? error.message : String(error);
  throw new Refusal('navigation_failed', Object.hasOwn(ERROR_CODES, code) ? `${code}: ${reason}` : reason);
}
