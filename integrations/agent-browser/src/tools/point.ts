import { ToolError } from '../outcome/errors.js';
import type { ElementFacts } from '../page/protocol.js';
import type { Action } from './action.js';

export interface Point {
  x: number;
  y: number;
}

/** A point of the viewport in CSS pixels. Outside of it Chromium would take the event and hit nothing. */
export function toPoint(action: Action, x: number | undefined, y: number | undefined): Point {
  const size = action.tab.page.viewportSize();
  const at = { x: x ?? 0, y: y ?? 0 };
  if (size !== null && (at.x >= size.width || at.y >= size.height)) {
    throw new ToolError(
      'invalid_input',
      `x, y: (${at.x}, ${at.y}) is outside the viewport of ${size.width} x ${size.height}.`,
    );
  }
  return at;
}

/** What stands at a point: the nearest element that can be acted on, else the topmost. */
export async function elementAt(
  action: Action,
  point: Point,
): Promise<{ ref?: string; role: string; name: string; tag: string } | undefined> {
  type Hit = (ElementFacts & { id: number; doc: string }) | null;
  const hit = await action.ask<Hit>(action.tab.page.mainFrame(), { do: 'at', ...point });
  if (hit === null) return undefined;
  const ref = action.session.refs.entryOf(hit.doc, hit.id)?.ref;
  return { ...(ref !== undefined && { ref }), role: hit.role, name: hit.name.slice(0, 200), tag: hit.tag };
}
