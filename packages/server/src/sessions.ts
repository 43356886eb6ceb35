import type { LiveSession } from '@browser-toolset/core';
import { isThreadOpen, type LiveBrowser } from './live-browser.js';
import { Refusal } from './requests.js';
import type { RestContext } from './rest-context.js';

/** The sessions of an agent that who asks may see: what they show, how many watch, and who drives. */
export async function listSessions(context: RestContext): Promise<{ sessions: object[] }> {
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
