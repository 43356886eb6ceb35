import { z } from 'zod/v4';
import { isFileUrl } from '#page-engine/names/hint-words.js';
import { openableUrl } from '../browser/tab/openable-url.js';
import type { Tab } from '../browser/tab/tab.js';
import { Action, withTimeout } from '../call/action.js';
import { defineTool } from '../call/define.js';
import { goTo } from '../call/go-to.js';
import { ToolError } from '../results/errors.js';

const tabField = z.object({ tab: z.string(), url: z.string(), title: z.string(), active: z.boolean() });

export const tabs = defineTool({
  id: 'browser_tabs',
  description: 'List, open, switch to or close tabs.',
  input: z
    .strictObject({
      action: z.enum(['list', 'new', 'switch', 'close']),
      tab: z.string().max(20).optional().describe('Tab id such as t2; close defaults to the active tab'),
      url: z.string().min(1).max(100_000).optional().describe('Only for new'),
    })
    .refine(({ action, tab }) => action !== 'switch' || tab !== undefined, {
      path: ['tab'],
      message: 'is required to switch',
    })
    .refine(({ action, tab }) => action === 'switch' || action === 'close' || tab === undefined, {
      path: ['tab'],
      message: 'is only allowed with action "switch" or "close"',
    })
    .refine(({ action, url }) => action === 'new' || url === undefined, {
      path: ['url'],
      message: 'is only allowed with action "new"',
    }),
  output: { tabs: z.array(tabField).optional() },
  policy: { worksInDialog: true, changesPage: ({ action }) => action !== 'list', allowedDuringNavigation: true },
  risk: (_, { url }) => ({ classes: isFileUrl(String(url ?? '').trim()) ? ['download'] : [] }),
  enters: 'nothing',
  async run(action, input) {
    const { session } = action;
    if (input.action === 'new') await open(action, input.url);
    else if (input.action === 'switch') await show(action, tabNamed(action, input.tab));
    else if (input.action === 'close') {
      await session.closeTab(tabNamed(action, input.tab));
      action.hasEffectBeside = true;
    }
    return { tabs: await list(action) };
  },
  headline: ({ tabs: all }) =>
    (all ?? [])
      .map(tab => `${tab.tab}${tab.active ? ' (active)' : ''} ${tab.url} ${JSON.stringify(tab.title)}`)
      .join('\n'),
});

function tabNamed(action: Action, id: string | undefined): Tab {
  if (id === undefined) return action.session.activeTab ?? action.tab;
  const tab = action.session.tab(id);
  if (tab !== undefined) return tab;
  const known = action.session.tabs.map(other => other.id).join(', ');
  throw new ToolError('invalid_input', `tab: there is no tab ${JSON.stringify(id)}; the open tabs are ${known}.`);
}

async function open(action: Action, url: string | undefined): Promise<void> {
  const goal = url === undefined ? undefined : openableUrl(action.session, url);
  const { session, signal, timeout } = action;
  if (session.tabs.length >= session.owner.config.sessions.maxTabs) {
    throw new ToolError(
      'invalid_input',
      `action: Tab limit reached: ${session.tabs.length} tabs are open. Close one first.`,
    );
  }
  const before = session.activeTab;
  const tab = await session.newTab();
  if (goal === undefined) return;
  try {
    await goTo(new Action(session, tab, signal, timeout), goal, 'domcontentloaded');
  } catch (error) {
    // A partly loaded page may be usable, but a tab whose navigation failed is closed.
    if (error instanceof ToolError && (error.code === 'navigation_failed' || error.code === 'url_blocked')) {
      await session.closeTab(tab);
      if (before !== undefined) await show(action, before);
    }
    throw error;
  }
}

async function show(action: Action, tab: Tab): Promise<void> {
  action.session.activate(tab);
  await withTimeout(action, tab.page.bringToFront(), { late: 'The tab did not come to the front' });
}

/** A page that hangs or has an open dialog is listed with its last known title. */
async function list(action: Action): Promise<z.output<typeof tabField>[]> {
  const { session } = action;
  return Promise.all(
    session.tabs.map(async tab => {
      if (tab.state === 'alive') await tab.probe();
      return { tab: tab.id, url: tab.url, title: tab.title, active: tab === session.activeTab };
    }),
  );
}
