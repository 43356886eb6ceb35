import { type Area, type Sightings, takeBetweenLooks } from '../../browser/tab/secret-sightings.js';
import { ToolError } from '../../outcome/errors.js';
import type { Action } from '../call/action.js';
import { areaOf, drawOn, type PictureKind, type Subject, takePicture } from './picture.js';

/** How often a picture is taken anew because the page showed a secret for a moment only. */
const TRIES = 3;

/**
 * A picture without secrets: the page is looked at before and after, and what was seen is covered on the picture.
 * Invariant: no picture leaves of which it is not known where the secrets on it stand.
 */
export async function takeCoveredPicture(action: Action, subject: Subject, kind: PictureKind): Promise<Buffer> {
  const { tab, limits } = action;
  const { sightings } = tab.engine;
  if (sightings === undefined) return takePicture(action, subject, kind);
  for (let tries = 0; tries < TRIES; tries++) {
    // What is not in the viewport is scrolled there now, not while the picture is taken.
    if (subject.ref !== undefined) await areaOf(action, subject);
    const taken = await takeBetweenLooks(
      () => sightings.look(tab.page, limits),
      before => {
        if (subject.fullPage) refusePinned(before);
        return takePicture(action, subject, kind);
      },
    );
    if (taken === undefined) continue;
    const { picture, covers } = taken;
    return covers.length === 0 ? picture : cover(action, picture, { covers, subject, kind });
  }
  throw new ToolError('browser_error', 'The page shows a secret for moments at a time: no picture of it can be taken.');
}

/** A picture of the whole page is taken with a larger viewport, in which such parts stand elsewhere. */
function refusePinned({ areas }: Sightings): void {
  if (![...areas.values()].some(({ pinned }) => pinned)) return;
  throw new ToolError('browser_error', 'A part of the page that does not scroll with it shows a secret.', {
    hint: 'Take the picture of the viewport or of one element.',
  });
}

async function cover(
  action: Action,
  picture: Buffer,
  { covers, subject, kind }: { covers: Area[]; subject: Subject; kind: PictureKind },
): Promise<Buffer> {
  const { x, y, scale } = await areaOf(action, subject);
  const moved = covers.map(area => ({ ...area, x: area.x - x, y: area.y - y }));
  return drawOn(action, picture, { kind, covers: moved, scale });
}
