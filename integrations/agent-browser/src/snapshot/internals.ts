import type { CDPSession, Frame } from 'playwright-core';
import type { Worlds } from '../browser/tab/worlds.js';

type AxNode = Awaited<ReturnType<typeof axNodeOf>>;

/** Boolean and token properties of Chromium's accessibility tree, and the ARIA attributes that set them. */
const ATTRIBUTES: Readonly<Record<string, string>> = {
  checked: 'aria-checked',
  pressed: 'aria-pressed',
  expanded: 'aria-expanded',
  selected: 'aria-selected',
  disabled: 'aria-disabled',
  required: 'aria-required',
  readonly: 'aria-readonly',
  invalid: 'aria-invalid',
  multiselectable: 'aria-multiselectable',
  hasPopup: 'aria-haspopup',
  level: 'aria-level',
  valuemin: 'aria-valuemin',
  valuemax: 'aria-valuemax',
  valuetext: 'aria-valuetext',
};
/** Properties that Chromium reports of a role whether the author set them or not, with the value that means nothing. */
const UNSET = new Map([
  ['invalid', 'false'],
  ['disabled', 'false'],
  ['required', 'false'],
  ['readonly', 'false'],
  ['multiselectable', 'false'],
  ['valuetext', ''],
]);
const UNREPORTED_ROLES = new Set(['generic', 'none', 'presentation', 'LabelText', 'Section']);
const RANGE_VALUE_ROLES = new Set(['meter', 'progressbar', 'scrollbar', 'slider', 'spinbutton']);

/**
 * Passes the semantics that custom elements have by ElementInternals, which only the DevTools protocol reports, to the
 * engine of a document that suspects them. Returns whether any have changed.
 */
export async function readInternals(worlds: Worlds, frame: Frame, doc: string): Promise<boolean> {
  const suspects = await suspectsOf(worlds, frame, { doc, part: 'internals' });
  if (suspects === undefined) return false;
  const { session, engine, elements } = suspects;
  const found = await semanticsOf(session, elements);
  const noted = await session.send('Runtime.callFunctionOn', {
    objectId: engine,
    functionDeclaration: 'function(found) { return this.note(found) }',
    arguments: [{ value: found }],
    returnByValue: true,
  });
  await session.send('Runtime.releaseObjectGroup', { objectGroup: 'internals' });
  return Number(noted.result.value) > 0;
}

/**
 * The elements about which a part of a document's engine asks, with that part, in an object group of its name.
 * Undefined where the document is gone.
 */
export async function suspectsOf(
  worlds: Worlds,
  frame: Frame,
  { doc, part, most = Number.POSITIVE_INFINITY }: { doc: string; part: string; most?: number },
) {
  const world = await worlds.find(frame, doc);
  if (world === undefined) return undefined;
  const { session, id: contextId } = world;
  const asking = `browserToolsetEngines.get(${JSON.stringify(doc)}).${part}`;
  const evaluate = async (expression: string) =>
    (await session.send('Runtime.evaluate', { expression, contextId, objectGroup: part })).result.objectId;
  const [list, engine] = await Promise.all([evaluate(`${asking}.suspects.slice(0, ${most})`), evaluate(asking)]);
  if (list === undefined || engine === undefined) return undefined;
  return { session, contextId, engine, elements: await objectsIn(session, list) };
}

/** The objects in a list. */
export async function objectsIn(session: CDPSession, objectId: string): Promise<string[]> {
  const { result } = await session.send('Runtime.getProperties', { objectId, ownProperties: true });
  return result.flatMap(({ name, value }) => (/^\d+$/.test(name) && value?.objectId) || []);
}

async function semanticsOf(session: CDPSession, elements: readonly string[]): Promise<Record<string, string>[]> {
  // Chromium makes the tree for each question anew, unless it is kept meanwhile.
  await session.send('Accessibility.enable');
  try {
    const nodes = await Promise.allSettled(elements.map(objectId => axNodeOf(session, objectId)));
    return nodes.map(node => (node.status === 'fulfilled' ? attributesFrom(node.value) : {}));
  } finally {
    await session.send('Accessibility.disable');
  }
}

async function axNodeOf(session: CDPSession, objectId: string) {
  const { nodes } = await session.send('Accessibility.getPartialAXTree', { objectId, fetchRelatives: false });
  return nodes[0];
}

function attributesFrom(node: AxNode): Record<string, string> {
  const role = String(node?.role?.value ?? 'generic');
  if (node === undefined || node.ignored || UNREPORTED_ROLES.has(role)) return {};
  const attributes: Record<string, string> = { role };
  for (const { name, value } of node.properties ?? []) {
    const attribute = ATTRIBUTES[name];
    const text = String(value.value);
    if (attribute !== undefined && UNSET.get(name) !== text) attributes[attribute] = text;
  }
  const label = node.name?.sources?.find(({ attribute }) => attribute === 'aria-label');
  const text = label?.superseded ? undefined : label?.attributeValue?.value;
  if (text) attributes['aria-label'] = String(text);
  if (RANGE_VALUE_ROLES.has(role) && node.value !== undefined) attributes['aria-valuenow'] = String(node.value.value);
  return attributes;
}
