import type { CDPSession, Frame } from 'playwright-core';
import type { Worlds } from '../browser/tab/worlds.js';

interface ShadowNode {
  shadowRoots?: { backendNodeId: number; shadowRootType?: string }[];
}

/** Looks at most at so many elements of one document in one capture. */
const LIMIT = 300;

/**
 * Finds closed shadow roots through the DevTools protocol (`DOM.describeNode`, `DOM.resolveNode`) and hands them to the
 * engine of their document.
 */
export class ClosedShadowRoots {
  constructor(readonly worlds: Worlds) {}

  /** Looks into what the engine of this frame's document suspects. Returns how many roots it found. */
  async adopt(frame: Frame, doc: string): Promise<number> {
    const world = await this.worlds.find(frame, doc);
    if (world === undefined) return 0;
    const { session, id: contextId } = world;
    const closedRoots = `browserToolsetEngines.get(${JSON.stringify(doc)}).closedRoots`;
    const evaluate = async (expression: string) => {
      const { result } = await session.send('Runtime.evaluate', { expression, contextId, objectGroup: 'closed-roots' });
      return result.objectId;
    };
    const suspects = await evaluate(`${closedRoots}.suspects.slice(0, ${LIMIT})`);
    const engine = await evaluate(closedRoots);
    if (suspects === undefined || engine === undefined) return 0;
    const { result } = await session.send('Runtime.getProperties', { objectId: suspects, ownProperties: true });
    const elements = result.flatMap(property => (/^\d+$/.test(property.name) ? [property.value?.objectId] : []));
    const counts = await Promise.all(
      elements.map(objectId =>
        objectId === undefined ? 0 : this.#adoptFrom(session, { objectId, engine, contextId }),
      ),
    );
    await evaluate(`${closedRoots}.settle(${elements.length})`);
    await session.send('Runtime.releaseObjectGroup', { objectGroup: 'closed-roots' });
    return counts.reduce((sum, count) => sum + count, 0);
  }

  async #adoptFrom(session: CDPSession, at: { objectId: string; engine: string; contextId: number }): Promise<number> {
    const { node } = await session.send('DOM.describeNode', { objectId: at.objectId, depth: 0, pierce: true });
    const closed = ((node as ShadowNode).shadowRoots ?? []).filter(root => root.shadowRootType === 'closed');
    for (const root of closed) {
      const { object } = await session.send('DOM.resolveNode', {
        backendNodeId: root.backendNodeId,
        executionContextId: at.contextId,
        objectGroup: 'closed-roots',
      });
      await session.send('Runtime.callFunctionOn', {
        objectId: at.engine,
        functionDeclaration: 'function(root) { this.adopt(root) }',
        arguments: [{ objectId: object.objectId }],
      });
    }
    return closed.length;
  }
}
