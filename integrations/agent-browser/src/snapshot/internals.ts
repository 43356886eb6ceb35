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
/** Properties that Chromium reports of a role whether the author set them or not, with the value that says nothing. */
const UNSET = new Map([
  ['invalid', 'false'],
  ['disabled', 'false'],
  ['required', 'false'],
  ['readonly', 'false'],
  ['multiselectable', 'false'],
  ['valuetext', ''],
]);
const UNSAID_ROLES = new Set(['generic', 'none', 'presentation', 'LabelText', 'Section']);
const RANGE_VALUE_ROLES = new Set(['meter', 'progressbar', 'scrollbar', 'slider', 'spinbutton']);

/** Reads the semantics that custom elements have by ElementInternals, which only the DevTools protocol tells. */
export class InternalsReader {
  constructor(readonly worlds: Worlds) {}

  /** Passes the semantics of its suspects to the engine of a document. Returns whether any have changed. */
  async read(frame: Frame, doc: string): Promise<boolean> {
    const world = await this.worlds.find(frame, doc);
    if (world === undefined) return false;
    const { session, id: contextId } = world;
    const objectGroup = 'internals';
    const internals = `browserToolsetEngines.get(${JSON.stringify(doc)}).internals`;
    const evaluate = (expression: string) =>
      session.send('Runtime.evaluate', { expression, contextId, objectGroup }).then(({ result }) => result.objectId);
    const [suspects, engine] = await Promise.all([evaluate(`${internals}.suspects`), evaluate(internals)]);
    if (suspects === undefined || engine === undefined) return false;
    const { result } = await session.send('Runtime.getProperties', { objectId: suspects, ownProperties: true });
    const elements = result.flatMap(({ name, value }) => (/^\d+$/.test(name) && value?.objectId) || []);
    const found = await semanticsOf(session, elements);
    const noted = await session.send('Runtime.callFunctionOn', {
      objectId: engine,
      functionDeclaration: 'function(found) { return this.note(found) }',
      arguments: [{ value: found }],
      returnByValue: true,
    });
    await session.send('Runtime.releaseObjectGroup', { objectGroup });
    return Number(noted.result.value) > 0;
  }
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
  if (node === undefined || node.ignored || UNSAID_ROLES.has(role)) return {};
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
