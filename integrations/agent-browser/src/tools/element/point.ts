import type { Frame } from 'playwright-core';
import type { z } from 'zod/v4';
import { ToolError } from '../../outcome/errors.js';
import type { elementField } from '../../outcome/result.js';
import type { BoxesAnswer } from '../../page/answers.js';
import type { ElementAt } from '../../page/protocol.js';
import type { Action } from '../call/action.js';

export interface Point {
  x: number;
  y: number;
}

/** Frames inside frames are looked into this deep. */
const FRAME_DEPTH = 10;

interface RefOrPoint extends Partial<Point> {
  ref?: string;
}

/** For `refine` of an input that names an element or a point. */
export const refOrPoint: [(input: RefOrPoint) => boolean, { message: string }] = [
  ({ ref, x, y }) => (ref === undefined ? x !== undefined && y !== undefined : x === undefined && y === undefined),
  { message: 'either ref or both x and y are needed' },
];

/**
 * A point of a picture of the viewport, in CSS pixels of what is in sight. Outside of that Chromium would take the event
 * and hit nothing.
 */
export async function toPoint(action: Action, { x = 0, y = 0 }: Partial<Point>): Promise<Point> {
  const boxes = await action.ask<BoxesAnswer>(action.tab.page.mainFrame(), { do: 'boxes', ids: [] });
  const [width, height] = boxes.viewport.map(size => Math.round(size * boxes.scale)) as [number, number];
  if (x >= 0 && y >= 0 && x < width && y < height) return { x: x / boxes.scale, y: y / boxes.scale };
  throw new ToolError('invalid_input', `x, y: (${x}, ${y}) is outside the viewport of ${width} x ${height}.`);
}

export function isInViewport({ tab }: Action, { x, y }: Point): boolean {
  const size = tab.page.viewportSize();
  return x >= 0 && y >= 0 && (size === null || (x < size.width && y < size.height));
}

/** The element at a point: the nearest that can be acted on, else the topmost; through frames. */
export async function elementAt(action: Action, point: Point): Promise<ElementAt | undefined> {
  let frame: Frame | null = action.tab.page.mainFrame();
  let { x, y } = point;
  let found: ElementAt | undefined;
  for (let depth = 0; frame !== null && depth < FRAME_DEPTH; depth++) {
    const hit: ElementAt | null = await action.ask<ElementAt | null>(frame, { do: 'at', x, y });
    if (hit === null) break;
    found = hit;
    if (hit.inner === undefined) break;
    ({ x, y } = hit.inner);
    frame = await action.tab.engine.contentFrame(frame, hit, action.limits);
  }
  return found;
}

/** The element at a point, as a result tells it. */
export function told(action: Action, found: ElementAt | undefined): z.output<typeof elementField> | undefined {
  if (found === undefined) return undefined;
  const { ref, node } = action.session.refs.entryOf(found.doc, found.id) ?? {};
  const { role, tag } = found;
  return {
    ...(ref !== undefined && { ref }),
    role,
    name: found.name.slice(0, 200),
    tag,
    ...(node?.hint !== undefined && { hint: node.hint }),
  };
}

/** Such as `button "Save"`, or `button [icon-save]` for one without a name. */
export function elementWords({ role, name, hint }: z.output<typeof elementField>): string {
  return `${role} ${hint === undefined ? JSON.stringify(name.slice(0, 80)) : `[${hint}]`}`;
}
