import { z } from 'zod/v4';
import { definedOnly } from '../browser/chromium/context-options.js';
import { colorScheme, deviceNamed, geolocationField, noSuchDevice, size } from '../browser/chromium/devices.js';
import type { Emulation } from '../browser/chromium/emulation.js';
import type { Action } from '../call/action.js';
import { defineTool } from '../call/define.js';
import { ToolError } from '../results/errors.js';

export const emulate = defineTool({
  id: 'browser_emulate',
  description:
    'Emulate a device, viewport, color scheme, location or offline mode. With no input, report the current settings.',
  input: z.strictObject({
    device: z.string().min(1).max(100).optional().describe('Such as iPhone 15; reopens the tabs'),
    viewport: size.optional(),
    colorScheme: colorScheme.optional(),
    geolocation: geolocationField.optional(),
    offline: z.boolean().optional(),
    reset: z.boolean().optional().describe('Undo all earlier changes before applying the rest'),
  }),
  output: {
    emulation: z
      .object({
        device: z.string().optional(),
        /** Omitted for the existing context of a remote browser, whose pages were not resized. */
        viewport: size.optional(),
        colorScheme: colorScheme.optional(),
        geolocation: geolocationField.optional(),
        offline: z.boolean(),
      })
      .optional(),
  },
  policy: { changesPage: true, optIn: true },
  risk: 'none',
  enters: 'nothing',
  async run(action, { reset, device, ...rest }) {
    const { emulation } = action.session;
    const before = emulation.options;
    const { changed } = emulation;
    const named = device === undefined ? undefined : deviceNamed(device);
    if (device !== undefined && named === undefined)
      throw new ToolError('invalid_input', `device: ${noSuchDevice(device)}.`);
    if (named !== undefined && !emulation.canChangeDevice)
      throw new ToolError(
        'browser_error',
        'Device emulation is not available with a profile or a remote browser that has its own context.',
        { canRetry: false },
      );
    if (reset) emulation.changed = {};
    emulation.change(definedOnly({ device: named?.name, ...rest }));
    if (emulation.options.device !== before.device) await openAgain(action, changed);
    else {
      const pages = action.session.tabs.map(({ page }) => page);
      await emulation.apply({ context: action.tab.page.context(), pages }, before);
      action.session.events.emit('resized');
    }
    return { emulation: emulation.seen };
  },
  headline: ({ emulation }) => (emulation === undefined ? '' : `Pages see ${inWords(emulation)}.`),
});

/** A device can only be set when a context is created, so the session gets a new one, with its state restored. */
async function openAgain({ session, signal }: Action, before: Emulation['changed']): Promise<void> {
  try {
    await session.owner.reopen(signal);
  } catch (error) {
    // The next call then opens the session with its previous settings.
    session.emulation.changed = before;
    throw error;
  }
  const { recovered } = session.effects.current;
  if (recovered !== undefined) session.effects.note({ recovered: { ...recovered, was: 'a different device' } });
}

type EmulatedView = Emulation['seen'];

function inWords({ device, viewport, colorScheme, geolocation, offline }: EmulatedView): string {
  const parts = [
    device,
    viewport && `a viewport of ${viewport.width} x ${viewport.height}`,
    colorScheme && `the ${colorScheme} colour scheme`,
    geolocation && placeInWords(geolocation),
    offline ? 'no network' : undefined,
  ];
  return parts.filter(Boolean).join(', ') || "the browser's own device";
}

function placeInWords({ latitude, longitude, accuracy }: NonNullable<EmulatedView['geolocation']>): string {
  return `the place ${latitude}, ${longitude}${accuracy === undefined ? '' : ` (within ${accuracy} m)`}`;
}
