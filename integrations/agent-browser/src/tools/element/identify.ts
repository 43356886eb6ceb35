import type { ElementIdentity } from '@browser-toolset/core';
import type { Frame } from 'playwright-core';
import type { Session } from '../../browser/session.js';
import type { Tab } from '../../browser/tab/tab.js';
import { plainMessage } from '../../outcome/errors.js';
import type { RefEntry } from '../../refs/ref-entry.js';

/** Milliseconds that a page may take to answer. */
const ANSWER = 2_000;

/** How the markup tells the elements of refs, by ref as it was given. What cannot be told is left out. */
export async function identify(
  { activeTab: tab, refs: known, owner, threadId }: Session,
  refs: readonly string[],
): Promise<Record<string, ElementIdentity>> {
  // A page that shows a dialog answers nothing.
  if (tab === undefined || tab.dialog !== undefined) return {};
  const entries = refs.flatMap(ref => {
    const lookup = known.find(ref);
    return 'found' in lookup ? [{ ref, entry: lookup.found }] : [];
  });
  const found = [...Map.groupBy(entries, ({ entry }) => entry.node.document.frame)].map(([frame, inFrame]) =>
    identifyIn(tab, frame, inFrame).catch(error => {
      owner.log.debug('a frame does not tell the paths of its elements', { threadId, error: plainMessage(error) });
      return [];
    }),
  );
  return Object.fromEntries((await Promise.all(found)).flat());
}

type Asked = { ref: string; entry: RefEntry };

async function identifyIn(
  tab: Tab,
  frame: Frame,
  asked: readonly Asked[],
): Promise<[ref: string, identity: ElementIdentity][]> {
  const [around, paths] = await Promise.all([
    pathOfFrame(tab, frame),
    pathsIn(
      tab,
      frame,
      asked.map(({ entry }) => entry.node),
    ),
  ]);
  return asked.flatMap(({ ref, entry: { node } }, i) => {
    const path = paths[i];
    if (path == null || around === undefined) return [];
    const { tag = '', domId } = node;
    return [[ref, { tag, ...(domId !== undefined && { id: domId }), path: `${around}${path}` }]];
  });
}

function pathsIn(tab: Tab, frame: Frame, nodes: readonly RefEntry['node'][]): Promise<(string | null)[]> {
  const doc = nodes[0]?.document.doc ?? '';
  const ids = nodes.map(({ id, document }) => (document.doc === doc ? id : 0));
  return tab.engine.ask<(string | null)[]>(frame, { do: 'paths', doc, ids }, { timeout: ANSWER });
}

/** The way to the document of a frame; undefined where the frame is gone. */
async function pathOfFrame(tab: Tab, frame: Frame): Promise<string | undefined> {
  const parent = frame.parentFrame();
  if (parent === null) return '';
  const holder = tab.capture.holders.get(frame);
  if (holder === undefined) return undefined;
  const [around, [path]] = await Promise.all([pathOfFrame(tab, parent), pathsIn(tab, parent, [holder])]);
  return path == null || around === undefined ? undefined : `${around}${path} >> `;
}
