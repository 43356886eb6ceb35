import { anyElement } from '#page-engine/protocol.js';
import type { Session } from '../browser/session.js';
import type { ActionElement, BrowserAction } from '../policy/approval.js';
import type { RefEntry } from '../refs/registry.js';
import { logged } from '../results/errors.js';
import { browserAction } from './approvals.js';
import type { ToolDefinition, ToolInput } from './define.js';
import { meantInput } from './meant-input.js';
import { refEntryOf } from './risk.js';

/** An element that a call names, and where it is. */
export interface PreviewedElement extends ActionElement {
  ref: string;
  /** In CSS pixels of the viewport; absent where it cannot be seen. */
  box?: { x: number; y: number; width: number; height: number };
}

/** An action that a person decides about, and where it would act. */
export interface ActionPreview extends BrowserAction {
  /** Box of the element acted on, in CSS pixels of the viewport; absent where it cannot be seen. */
  box?: PreviewedElement['box'];
  /** All that the input names, each once, in its order: the fields of a form, then the button that sends it. */
  elements: PreviewedElement[];
}

export interface PreviewOptions {
  /** Scrolls into view what the call names, or the element of one ref; not while a person has control. */
  show?: 'all' | `@${string}`;
}

/** Milliseconds that a page may take to report where an element is, and to scroll to it. */
const BOX_MS = 5_000;
/** The fields of inputs that hold refs. */
const REF_FIELDS = new Set(['ref', 'from', 'to', 'submit']);

/** Describes a call without making it. Undefined for input that the tool does not take. */
export async function previewOf(
  tool: ToolDefinition,
  given: unknown,
  { session, show }: PreviewOptions & { session: Session },
): Promise<ActionPreview | undefined> {
  const { data } = tool.input.safeParse(meantInput(tool.input, given ?? {}));
  if (data === undefined) return undefined;
  const { action } = await browserAction(tool, data as ToolInput, session);
  const entries = new Set([...refsNamedIn(data)].flatMap(ref => refEntryOf(session, ref) ?? []));
  const mayScroll = show !== undefined && !session.person.control.isHeld;
  for (const entry of mayScroll ? entries : [])
    if (show === 'all' || show === entry.ref) await bringToView(session, entry);
  const elements = await Promise.all(
    [...entries].map(async (entry): Promise<PreviewedElement> => {
      const { role, name, row } = entry.shown;
      const box = await boxOfEntry(session, entry);
      return { ref: entry.ref, role, name, row, ...(box && { box }) };
    }),
  );
  const box = elements.find(({ ref }) => ref === action.ref)?.box;
  return { ...action, ...(box && { box }), elements: session.owner.secrets.hideIn(elements) };
}

function* refsNamedIn(input: unknown): Generator<unknown> {
  if (typeof input !== 'object' || input === null) return;
  for (const [field, value] of Object.entries(input))
    if (REF_FIELDS.has(field) && typeof value === 'string') yield value;
    else yield* refsNamedIn(value);
}

async function bringToView(session: Session, { node: { document, id } }: RefEntry): Promise<void> {
  const { activeTab: tab } = session;
  if (tab === undefined || tab.dialog !== undefined) return;
  const ignored = logged(session, 'an element could not be shown');
  await tab.engine.call(document.frame, 'reveal', { id }, { timeout: BOX_MS }).catch(ignored);
}

async function boxOfEntry(session: Session, { node: { document, id } }: RefEntry): Promise<PreviewedElement['box']> {
  const { activeTab: tab } = session;
  if (tab === undefined || tab.dialog !== undefined) return undefined;
  const locator = tab.engine.locator(document.frame, anyElement(document.doc, id));
  const ignored = logged(session, 'an element does not tell where it is');
  return (await locator.boundingBox({ timeout: BOX_MS }).catch(ignored)) ?? undefined;
}
