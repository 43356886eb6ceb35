import { z } from 'zod/v4';
import type { RefEntry } from '../../refs/registry.js';
import type { Action } from './action.js';

/** Events by which a page learns of text. */
const INPUT_EVENTS = new Set(['beforeinput', 'change', 'input', 'keydown', 'keypress', 'keyup', 'textInput']);
/** Attributes of fields that offer something upon what is typed, whoever listens to that. */
const OFFERS = new Set(['aria-autocomplete', 'aria-controls', 'aria-expanded', 'aria-haspopup', 'aria-owns', 'list']);
const OFFERING_ROLES = new Set(['combobox', 'searchbox']);

const described = z.object({
  node: z.object({ backendNodeId: z.number(), attributes: z.array(z.string()).optional() }),
});

/**
 * Whether a page may do something upon what is put into a field: somebody listens to the field itself, or its attributes
 * say that it offers something. Who listens around it (hotkeys, the root of a framework) does so for all fields, and says
 * nothing of this one. What cannot be found out is taken for a yes.
 */
export async function reactsToInput({ tab }: Action, { node, told }: RefEntry): Promise<boolean> {
  if (OFFERING_ROLES.has(told.role) && node.kind !== 'select') return true;
  const world = tab.engine.lines.get(node.document.frame)?.world;
  if (world === undefined) return true;
  const { session, uniqueId } = world;
  try {
    const { result } = await session.send('Runtime.callFunctionOn', {
      functionDeclaration: 'function(doc, id) { return browserToolsetEngines.get(doc).ids.element(id) }',
      arguments: [{ value: node.document.doc }, { value: node.id }],
      uniqueContextId: uniqueId,
      objectGroup: GROUP,
    });
    if (result.objectId === undefined) return false;
    const { backendNodeId, attributes = [] } = described.parse(
      await session.send('DOM.describeNode', { objectId: result.objectId }),
    ).node;
    if (isOffering(attributes)) return true;
    // Listeners are told by the world that they were added in.
    const { object } = await session.send('DOM.resolveNode', { backendNodeId, objectGroup: GROUP });
    if (object.objectId === undefined) return true;
    const { listeners } = await session.send('DOMDebugger.getEventListeners', { objectId: object.objectId });
    return listeners.some(({ type }) => INPUT_EVENTS.has(type));
  } catch {
    // The document is gone, and what came of it is worth another look.
    return true;
  } finally {
    // A document that is gone has taken its objects with it.
    session.send('Runtime.releaseObjectGroup', { objectGroup: GROUP }).catch(() => undefined);
  }
}

const GROUP = 'browser-toolset-listeners';

/** @param attributes Names and values in turn (`DOM.Node.attributes`). */
function isOffering(attributes: readonly string[]): boolean {
  for (let i = 0; i < attributes.length; i += 2) {
    const [name = '', value = ''] = [attributes[i], attributes[i + 1]];
    if (OFFERS.has(name) || (name === 'autocomplete' && value === 'off') || (name === 'type' && value === 'search'))
      return true;
  }
  return false;
}
