import { createServer } from 'node:http';
import type { CDPSession } from 'playwright-core';
import { mouse } from '../live/clicks.ts';
import { listenOnLoopback, stopListening } from '../live/listening.ts';
import { threadId } from '../live/live-server.ts';
import { serveLive } from '../live/servers/ours.ts';
import { LiveViewer } from '../live/viewer.ts';
import { succeeded } from '../stacks/stack.ts';
import { newToolset } from '../toolset.ts';
import { NodeCoverage, PageCoverage } from './coverage.ts';
import { binding, quietPlace, walkedPage } from './page.ts';
import type { WalkFiles, Walks } from './walks.ts';

// A process of its own: what is counted in it was called by this toolset, and a test runner counts nothing in between.
process.env.MASTRA_TELEMETRY_DISABLED = '1';

type Executed<T = object> = Promise<{ success: false } | ({ success: true } & T)>;

/** The tools that are walked, as far as they are called here. */
interface WalkedTools {
  browser_click: { execute(input: { ref: string }, context: object): Executed<{ changes?: string }> };
  browser_snapshot: { execute(input: object, context: object): Executed };
}

/**
 * What timers do by chance, what one slow round does otherwise, and the few pictures of a page that comes to rest, which
 * fall into a round each where rounds are slow, are not in most of so many rounds.
 */
const ROUNDS = 15;

const walkedSite = createServer((_, response) => response.setHeader('content-type', 'text/html').end(walkedPage));
const walkedToolset = await newToolset();
const walkedTools = walkedToolset.tools as unknown as WalkedTools;
const live = await serveLive(walkedToolset);
try {
  console.log(JSON.stringify(await walk(`http://127.0.0.1:${await listenOnLoopback(walkedSite)}/`)));
} finally {
  await live.close();
  await walkedToolset.close();
  await stopListening(walkedSite);
}

async function walk(url: string): Promise<Walks> {
  const session = walkedToolset.session(threadId);
  succeeded(await session.navigate({ url }));
  const { refs } = succeeded(await session.snapshot({}));
  const [ref] = Object.entries(refs).find(([, { role }]) => role === 'button') ?? [];
  if (ref === undefined) throw new Error('The button has no ref.');
  const page = await walkedToolset.getActivePage(threadId);
  if (page === null) throw new Error('The thread has no page.');
  const cdp = await page.context().newCDPSession(page);
  const counting = { cdp, node: await NodeCoverage.start(), page: await PageCoverage.start(cdp) };
  const context = { agent: { agentId: 'bench', toolCallId: 'walk', messages: [], threadId } };

  const click = await filesOf(counting, async () => {
    const { changes } = succeeded(await walkedTools.browser_click.execute({ ref }, context));
    if (!changes?.includes('Order ')) throw new Error('The click does not tell of the line that it added.');
  });
  if (click.page.length === 0)
    throw new Error('The page runs other code than the sources make: build the toolset first.');
  const snapshot = await filesOf(counting, async () => {
    succeeded(await walkedTools.browser_snapshot.execute({}, context));
  });
  const shown = Promise.withResolvers<unknown>();
  // A picture that comes meanwhile is no part of the way of a press.
  const viewer = await LiveViewer.open(`${live.url}&maxFps=0.1`, shown.resolve);
  // Nobody can press on what nobody is shown yet.
  await shown.promise;
  const heard = await clicksOf(cdp);
  const viewersMouse = await filesOf(counting, async () => {
    const isHeard = heard();
    viewer.send(mouse('mousePressed', quietPlace));
    viewer.send(mouse('mouseReleased', quietPlace));
    await isHeard;
    // The browser has told the toolset by now, whose messages came before this answer.
    await cdp.send('Runtime.evaluate', { expression: '0' });
  });
  await viewer.close();
  counting.node.stop();
  return { click, snapshot, viewersMouse };
}

interface Counting {
  node: NodeCoverage;
  page: PageCoverage;
}

/** The files that ran in most rounds, but for the first, which sets up what the others find. */
async function filesOf({ node, page }: Counting, act: () => Promise<void>): Promise<WalkFiles> {
  await act();
  const rounds: WalkFiles[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    await page.take();
    await node.take();
    await act();
    rounds.push({ node: await node.take(), page: await page.take() });
  }
  return { node: inMost(rounds.map(files => files.node)), page: inMost(rounds.map(files => files.page)) };
}

function inMost(rounds: string[][]): string[] {
  const ran = new Set(rounds.flat());
  return [...ran].filter(file => rounds.filter(files => files.includes(file)).length > rounds.length / 2).sort();
}

/** Answers with a promise of the next click that the page hears of. */
async function clicksOf(cdp: CDPSession): Promise<() => Promise<void>> {
  let resolve: (() => void) | undefined;
  cdp.on('Runtime.bindingCalled', ({ name }) => {
    if (name === binding) resolve?.();
  });
  await cdp.send('Runtime.enable');
  await cdp.send('Runtime.addBinding', { name: binding });
  return () =>
    new Promise(heard => {
      resolve = heard;
    });
}
