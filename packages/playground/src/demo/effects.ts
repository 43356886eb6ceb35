import { z } from 'zod';

/** The fields of a tool result that say what an action did; anything else in it is ignored. */
const effects = z.object({
  success: z.boolean().optional().catch(undefined),
  code: z.string().optional().catch(undefined),
  url: z.string().optional().catch(undefined),
  navigated: z.boolean().optional().catch(undefined),
  newTab: z.object({ url: z.string() }).optional().catch(undefined),
  dialog: z.object({ type: z.string(), message: z.string() }).optional().catch(undefined),
  download: z.object({ fileName: z.string(), fileSize: z.number().optional() }).optional().catch(undefined),
  /** Of a form. */
  fields: z
    .array(z.object({ error: z.unknown().optional() }))
    .optional()
    .catch(undefined),
  /** Of one field. */
  value: z.string().optional().catch(undefined),
  changeCounts: z.object({ added: z.number(), changed: z.number(), removed: z.number() }).optional().catch(undefined),
});

export type EffectKind = 'failed' | 'navigated' | 'tab' | 'dialog' | 'download' | 'changes';

/** One thing that an action brought about, in a few words. */
export interface Effect {
  readonly kind: EffectKind;
  readonly text: string;
}

/** The effects of an action, each in a few words. */
export function describeEffects(result: unknown): string[] {
  return effectsOf(result).map(effect => effect.text);
}

export function effectsOf(result: unknown): Effect[] {
  const parsed = effects.parse(result);
  const { success, code, url, navigated, newTab, dialog, download, changeCounts } = parsed;
  const told: Record<EffectKind, string | false | undefined> = {
    failed: success === false && `failed${code ? ` with ${code}` : ''}`,
    navigated: navigated && `went to ${url}`,
    tab: newTab && `opened a tab with ${newTab.url}`,
    dialog: dialog && `${dialog.type} dialog “${dialog.message}”`,
    download:
      download &&
      `downloaded ${download.fileName}${download.fileSize === undefined ? '' : ` (${download.fileSize} bytes)`}`,
    changes: changeCounts !== undefined && (describeCounts(changeCounts) ?? entered(parsed) ?? 'nothing changed'),
  };
  return Object.entries(told).flatMap(([kind, text]) => (text ? [{ kind: kind as EffectKind, text }] : []));
}

function describeCounts(counts: Record<'added' | 'changed' | 'removed', number>): string | undefined {
  const told = Object.entries(counts).flatMap(([what, count]) => (count > 0 ? [`${count} ${what}`] : []));
  return told.length === 0 ? undefined : told.join(', ');
}

/** What an action put into fields, which are no changes beside it. */
function entered({ success, fields, value }: z.output<typeof effects>): string | undefined {
  const filled = fields?.filter(({ error }) => error === undefined).length ?? 0;
  if (filled > 0) return filled === 1 ? 'filled 1 field' : `filled ${filled} fields`;
  return success && value !== undefined ? 'filled 1 field' : undefined;
}
