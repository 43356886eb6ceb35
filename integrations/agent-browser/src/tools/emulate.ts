import { z } from 'zod/v4';
import { deviceNamed, noSuchDevice } from '../browser/chromium/devices.js';
import type { Emulated } from '../browser/chromium/emulation.js';
import { ToolError } from '../outcome/errors.js';
import type { Action } from './action.js';
import { defineTool } from './define.js';

const size = z.strictObject({
  width: z.number().int().min(1).max(10_000),
  height: z.number().int().min(1).max(10_000),
});
const place = z.strictObject({
  latitude: z.number().min(-90).max(90),
  longitude: z.number().min(-180).max(180),
  accuracy: z.number().min(0).max(1_000_000).optional(),
});
const scheme = z.enum(['light', 'dark', 'no-preference']);

export const emulate = defineTool({
  id: 'browser_emulate',
  description: 'Change what pages see of the device. Without input, say what they see.',
  input: z.strictObject({
    device: z.string().min(1).max(100).optional().describe('Such as iPhone 15; opens the tabs again'),
    viewport: size.optional(),
    colorScheme: scheme.optional(),
    geolocation: place.optional(),
    offline: z.boolean().optional(),
    reset: z.boolean().optional().describe('First takes all changes back'),
  }),
  output: {
    emulation: z
      .object({
        device: z.string().optional(),
        viewport: size,
        colorScheme: scheme.optional(),
        geolocation: place.optional(),
        offline: z.boolean(),
      })
      .optional(),
  },
  policy: { changesPage: true, optIn: true },
  async run(action, { reset, device, viewport, colorScheme, geolocation, offline }) {
    const { emulation } = action.session;
    const before = emulation.options;
    const named = device === undefined ? undefined : deviceNamed(device);
    if (device !== undefined && named === undefined)
      throw new ToolError('invalid_input', `device: ${noSuchDevice(device)}.`);
    if (named !== undefined && !emulation.canChangeDevice)
      throw new ToolError('browser_error', 'The device of a browser with a profile, or of a remote one, is its own.');
    if (reset) emulation.reset();
    const change = { device: named?.name, viewport, colorScheme, geolocation, offline };
    emulation.change(Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined)));
    if (emulation.options.device !== before.device) await openAgain(action);
    else await emulation.apply(action.tab.page.context(), before);
    return { emulation: stateOf(emulation.options) };
  },
  headline: ({ emulation }) => (emulation === undefined ? '' : `Pages see ${inWords(emulation)}.`),
});

/** A device is there from the beginning of a context: the session gets another one, with all that it had. */
async function openAgain({ session, signal }: Action): Promise<void> {
  await session.hibernate();
  await session.ready(signal);
  const { recovered } = session.effects.current;
  if (recovered !== undefined) session.effects.note({ recovered: { ...recovered, was: 'another device' } });
}

function stateOf({ device, viewport, colorScheme, geolocation, offline }: Emulated): Emulated {
  return {
    ...(device !== undefined && { device }),
    viewport,
    ...(colorScheme !== undefined && { colorScheme }),
    ...(geolocation !== undefined && { geolocation }),
    offline,
  };
}

function inWords({ device, viewport, colorScheme, geolocation, offline }: Emulated): string {
  const parts = [
    device,
    `a viewport of ${viewport.width} x ${viewport.height}`,
    colorScheme && `the ${colorScheme} colour scheme`,
    geolocation && placeInWords(geolocation),
    offline ? 'no network' : undefined,
  ];
  return parts.filter(Boolean).join(', ');
}

function placeInWords({ latitude, longitude, accuracy }: NonNullable<Emulated['geolocation']>): string {
  return `the place ${latitude}, ${longitude}${accuracy === undefined ? '' : ` (within ${accuracy} m)`}`;
}
