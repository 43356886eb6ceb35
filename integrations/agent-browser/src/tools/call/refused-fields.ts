import type { CommonResult } from '../../outcome/result.js';
import { Flag } from '../../page/protocol.js';
import type { Reading } from '../../snapshot/reading.js';
import { everyNode } from '../../snapshot/tree.js';
import type { Action } from './action.js';

/** Fields that the page or the browser refused because of an action, with what they say; undefined when there are none. */
export function refusedIn({ page }: Reading, action: Action): CommonResult['validation'] {
  if (page.refused.length === 0) return undefined;
  const nodes = new Map([...everyNode(page.roots)].map(node => [node.key, node]));
  const fields = page.refused.flatMap(({ doc, id, name, message, isOwn }) => {
    const key = `${doc}:${id}`;
    const was = action.before.get(key)?.flags ?? 0;
    // What had been refused before, in another form, has nothing to do with the action.
    if (!isOwn && (was & Flag.Invalid) !== 0) return [];
    const node = nodes.get(key);
    return [{ ...(node !== undefined && { ref: action.session.refs.refOf(node) }), name, message }];
  });
  return fields.length === 0 ? undefined : fields;
}
