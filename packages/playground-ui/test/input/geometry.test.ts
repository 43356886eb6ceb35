import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type ClientRect,
  mapToClientCoords,
  mapToViewportCoords,
  type ViewportSize,
} from '../../src/input/geometry.js';

const size = (min: number, max: number) => fc.double({ min, max, noNaN: true });
/** A page that has scrolled gives rectangles with any start; browser zoom and device pixels give fractions. */
const rects: fc.Arbitrary<ClientRect> = fc.record({
  left: size(-5000, 5000),
  top: size(-5000, 5000),
  width: size(40, 4000),
  height: size(40, 4000),
});
const viewports = fc
  .record({ width: fc.integer({ min: 200, max: 3840 }), height: fc.integer({ min: 200, max: 2160 }) })
  .chain(({ width, height }) =>
    fc.record({
      width: fc.constant(width),
      height: fc.constant(height),
      offsetTop: fc.integer({ min: 0, max: 100 }),
      pageScaleFactor: fc.constantFrom(1, 0.5, 1.25, 2, 5),
    }),
  );
const share = size(0, 0.999);

/** A place on the page by its share of what is seen of it. */
function placeOn({ width, height, offsetTop = 0, pageScaleFactor = 1 }: ViewportSize, x: number, y: number) {
  return { x: (x * width) / pageScaleFactor, y: (y * (height - offsetTop)) / pageScaleFactor };
}

describe('a place on the page', () => {
  it('is found again from where it is shown, within a thousandth of a pixel', () => {
    fc.assert(
      fc.property(rects, viewports, share, share, (rect, viewport, x, y) => {
        const place = placeOn(viewport, 0.0005 + x * 0.999, 0.0005 + y * 0.999);
        const shown = mapToClientCoords(place, rect, viewport);
        const found = shown && mapToViewportCoords(shown, rect, viewport);
        expect(found?.x).toBeCloseTo(place.x, 3);
        expect(found?.y).toBeCloseTo(place.y, 3);
      }),
    );
  });

  it('is shown inside of the rectangle', () => {
    fc.assert(
      fc.property(rects, viewports, share, share, (rect, viewport, x, y) => {
        const shown = mapToClientCoords(placeOn(viewport, x, y), rect, viewport) ?? expect.fail('it has an area');
        expect(shown.x).toBeGreaterThanOrEqual(rect.left - 1e-6);
        expect(shown.x).toBeLessThanOrEqual(rect.left + rect.width + 1e-6);
        expect(shown.y).toBeGreaterThanOrEqual(rect.top - 1e-6);
        expect(shown.y).toBeLessThanOrEqual(rect.top + rect.height + 1e-6);
      }),
    );
  });

  it('moves with the host page: scrolling the host changes nothing', () => {
    fc.assert(
      fc.property(rects, viewports, size(-3000, 3000), share, share, (rect, viewport, scrolled, x, y) => {
        const point = { x: rect.left + x * rect.width, y: rect.top + y * rect.height };
        const before = mapToViewportCoords(point, rect, viewport, { clamp: true });
        const moved = { ...rect, top: rect.top - scrolled };
        const after = mapToViewportCoords({ x: point.x, y: point.y - scrolled }, moved, viewport, { clamp: true });
        expect(after?.x).toBeCloseTo(before?.x ?? Number.NaN, 3);
        expect(after?.y).toBeCloseTo(before?.y ?? Number.NaN, 3);
      }),
    );
  });

  it('is the same at any zoom of the host', () => {
    fc.assert(
      fc.property(rects, viewports, fc.constantFrom(0.25, 0.9, 1.1, 3), share, share, (rect, viewport, zoom, x, y) => {
        const at = (factor: number) =>
          mapToViewportCoords(
            { x: (rect.left + x * rect.width) * factor, y: (rect.top + y * rect.height) * factor },
            {
              left: rect.left * factor,
              top: rect.top * factor,
              width: rect.width * factor,
              height: rect.height * factor,
            },
            viewport,
            { clamp: true },
          );
        expect(at(zoom)?.x).toBeCloseTo(at(1)?.x ?? Number.NaN, 3);
        expect(at(zoom)?.y).toBeCloseTo(at(1)?.y ?? Number.NaN, 3);
      }),
    );
  });

  it.each([
    ['beside a tall picture', { left: 0, top: 0, width: 1000, height: 300 }, { x: 100, y: 150 }],
    ['above a wide picture', { left: 0, top: 0, width: 300, height: 1000 }, { x: 150, y: 100 }],
    ['outside of the rectangle', { left: 10, top: 10, width: 320, height: 180 }, { x: 5, y: 100 }],
  ])('is not %s', (_, rect, point) => {
    expect(mapToViewportCoords(point, rect, { width: 1280, height: 720 })).toBeUndefined();
  });

  it('is the nearest pixel for a drag that has left the view', () => {
    fc.assert(
      fc.property(rects, viewports, size(-9000, 9000), size(-9000, 9000), (rect, viewport, x, y) => {
        const place = mapToViewportCoords({ x, y }, rect, viewport, { clamp: true }) ?? expect.fail('it is clamped');
        const { offsetTop, pageScaleFactor, width, height } = viewport;
        expect(place.x).toBeGreaterThanOrEqual(0);
        expect(place.x * pageScaleFactor).toBeLessThan(width);
        expect(place.y).toBeGreaterThanOrEqual(0);
        expect(place.y * pageScaleFactor).toBeLessThan(height - offsetTop);
      }),
    );
  });

  it('is none where nothing has an area', () => {
    const rect = { left: 0, top: 0, width: 0, height: 0 };
    expect(mapToViewportCoords({ x: 0, y: 0 }, rect, { width: 1280, height: 720 })).toBeUndefined();
    const shown = { left: 0, top: 0, width: 100, height: 100 };
    expect(mapToViewportCoords({ x: 0, y: 0 }, shown, { width: 0, height: 0 }, { clamp: true })).toBeUndefined();
    expect(mapToClientCoords({ x: 0, y: 0 }, rect, { width: 1280, height: 720 })).toBeUndefined();
  });
});

it('hits a target of five pixels by its centre, shown at a width of 300', () => {
  const viewport = { width: 1280, height: 720 };
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 1275 }),
      fc.integer({ min: 0, max: 715 }),
      fc.integer({ min: 169, max: 900 }),
      (left, top, height) => {
        const rect = { left: 12, top: 34, width: 300, height };
        const shown = mapToClientCoords({ x: left + 2.5, y: top + 2.5 }, rect, viewport) ?? expect.fail('it is shown');
        // A pointer stands on a device pixel; half of one is what rounding takes away at a ratio of two.
        const place = mapToViewportCoords(
          { x: Math.round(shown.x * 2) / 2, y: Math.round(shown.y * 2) / 2 },
          rect,
          viewport,
        );
        expect(place?.x).toBeGreaterThanOrEqual(left);
        expect(place?.x).toBeLessThanOrEqual(left + 5);
        expect(place?.y).toBeGreaterThanOrEqual(top);
        expect(place?.y).toBeLessThanOrEqual(top + 5);
      },
    ),
  );
});

it('begins below what the browser shows above the page, and knows of pinch zoom', () => {
  const viewport = { width: 400, height: 300, offsetTop: 50, pageScaleFactor: 2 };
  const rect = { left: 0, top: 0, width: 400, height: 300 };
  expect(mapToViewportCoords({ x: 200, y: 170 }, rect, viewport)).toEqual({ x: 100, y: 60 });
  expect(mapToViewportCoords({ x: 200, y: 40 }, rect, viewport)).toBeUndefined();
  expect(mapToClientCoords({ x: 100, y: 60 }, rect, viewport)).toEqual({ x: 200, y: 170 });
});

it('knows a picture that fills its rectangle', () => {
  const rect = { left: 0, top: 0, width: 100, height: 100 };
  expect(mapToViewportCoords({ x: 50, y: 5 }, rect, { width: 200, height: 100 }, { fit: 'fill' })).toEqual({
    x: 100,
    y: 5,
  });
});
