import type { Page } from 'playwright-core';
import { drawOnPicture } from '../browser/tab/draw-on-picture.js';
import { takeBetweenLooks } from '../browser/tab/secret-sightings.js';
import type { Tab } from '../browser/tab/tab.js';

const JPEG = { type: 'jpeg', quality: 80 } as const;
/** How often a picture is taken anew because a secret on it moved, came or went. */
const TRIES = 3;

/**
 * What a page shows now, as JPEG in base64. The frames of a screencast are of what it showed before, and none tells whether
 * another one is under way. Undefined when it is not known where a secret stands on it.
 * @param blank A page to cover secrets in.
 * @param timeout Of each step, in milliseconds; rejects when a page needs longer.
 */
export async function lastPicture(
  { page, engine }: Tab,
  { blank, timeout }: { blank(): Promise<Page>; timeout: number },
): Promise<string | undefined> {
  const take = (): Promise<Buffer> =>
    page.screenshot({ ...JPEG, scale: 'css', animations: 'allow', caret: 'initial', timeout });
  const { sightings } = engine;
  if (sightings === undefined) return (await take()).toString('base64');
  for (let tries = 0; tries < TRIES; tries++) {
    const taken = await takeBetweenLooks(() => sightings.look(page, { timeout }), take);
    if (!taken?.isStill) continue;
    const { picture, covers, scale } = taken;
    const data = picture.toString('base64');
    return covers.length === 0 ? data : drawOnPicture(await blank(), { data, ...JPEG }, { covers, scale });
  }
  return undefined;
}
