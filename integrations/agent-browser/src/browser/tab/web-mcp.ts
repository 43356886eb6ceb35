import type { Frame } from 'playwright-core';
import { z } from 'zod/v4';
import { cutText } from '#page-engine/text/cut-text.js';
import { singleSpaced } from '#page-engine/text/line-breaks.js';
import { isTimeout, logged, plainMessage, ToolError } from '../../results/errors.js';
import type { Session } from '../session.js';
import { PageSessions } from './page-sessions.js';
import type { Tab } from './tab.js';

/** The limits of a page's tools, of which it can register any number and length. */
export const MOST_TOOLS = 50;
const TOOL_NAME_LIMIT = 100;
const LONGEST_DESCRIPTION = 300;
const LONGEST_SCHEMA = 2_000;
/** For what is reported beside a result, which must not wait for a busy page. */
const BESIDE_RESULT_MS = 1_000;

export const offeredTool = z.object({ name: z.string(), description: z.string(), inputSchema: z.unknown().optional() });
/** A tool in the page's own words. `inputSchema` is omitted when it is long. */
export type OfferedTool = z.output<typeof offeredTool>;

/** Calls back when the active page may offer other tools (WebMCP). Chromium sends these events only to subscribers. */
export function watchPageTools(session: Session, callback: () => void): () => void {
  let watched: PageSessions | undefined;
  const leave = (): void => {
    watched?.stop();
    watched = undefined;
  };
  const enter = (): void => {
    leave();
    const page = session.activeTab?.page;
    if (page === undefined || page.isClosed()) return;
    watched = new PageSessions(page, async cdp => {
      cdp.on('WebMCP.toolsAdded', callback);
      cdp.on('WebMCP.toolsRemoved', callback);
      await cdp.send('WebMCP.enable');
    });
    watched.start().catch(logged(session, 'tools of the page are reported late'));
  };
  const stops = [
    session.events.on('activePage', () => {
      enter();
      callback();
    }),
    session.events.on('url', callback),
    session.events.on('closed', () => {
      leave();
      callback();
    }),
    leave,
  ];
  enter();
  return () => {
    for (const stop of stops) stop();
  };
}

/** The tools that a page offers in so many milliseconds, up to `MOST_TOOLS`. @throws ToolError when the page cannot be asked. */
export async function pageToolsOf(tab: Tab, timeout: number): Promise<OfferedTool[]> {
  return (await pageOffers(tab, timeout)).slice(0, MOST_TOOLS).map(({ tool }) => tool);
}

export async function offeredNames(tab: Tab): Promise<string[]> {
  // A page that is busy or without WebMCP is read all the same.
  const offers = await pageToolsOf(tab, BESIDE_RESULT_MS).catch(() => []);
  return offers.map(({ name }) => name);
}

export interface Offer {
  frame: Frame;
  fullName: string;
  tool: OfferedTool;
}

export async function pageOffers({ page }: Tab, timeout: number): Promise<Offer[]> {
  const main = page.mainFrame();
  const found = await Promise.all(
    page.frames().map(async frame => {
      try {
        return (await frame.webmcp.tools({ timeout })).map(tool => ({ frame, ...offerOf(tool) }));
      } catch (error) {
        // A child frame may be gone; if the browser lacks WebMCP, the main frame's error reports it.
        if (frame !== main) return [];
        throw new ToolError('browser_error', `The page cannot be asked for its tools: ${plainMessage(error)}`, {
          hint: 'Use the other tools instead.',
          ...(!isTimeout(error) && { canRetry: false }),
        });
      }
    }),
  );
  return found.flat();
}

function offerOf({ name, description, inputSchema }: OfferedTool): Omit<Offer, 'frame'> {
  const schema = inputSchema !== undefined && JSON.stringify(inputSchema).length <= LONGEST_SCHEMA;
  return {
    fullName: name,
    tool: {
      name: cutText(singleSpaced(name), TOOL_NAME_LIMIT),
      description: cutText(singleSpaced(description), LONGEST_DESCRIPTION),
      ...(schema && { inputSchema }),
    },
  };
}
