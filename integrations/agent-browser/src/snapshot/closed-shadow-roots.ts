import type { CDPSession, Frame, Page } from 'playwright-core';

interface ShadowNode {
  shadowRoots?: { backendNodeId: number; shadowRootType?: string }[];
}

/** Looks at most at so many elements of one document in one capture. */
const LIMIT = 300;
const WORLD = /^__playwright_utility_world/;

/**
 * Finds closed shadow roots through the DevTools protocol (`DOM.describeNode`, `DOM.resolveNode`) and hands them to the
 * engine of their document. Nothing is attached to a page that has no suspects.
 */
export class ClosedShadowRoots {
  #sessions = new Map<Frame, { session: CDPSession; worlds: Map<string, number> }>();

  constructor(readonly page: Page) {}

  /** Looks into what the engine of this frame's document suspects. Returns how many roots it found. */
  async adopt(frame: Frame): Promise<number> {
    const { session, worlds } = await this.#attach(frame);
    let found = 0;
    for (const contextId of worlds.values()) found += await this.#adoptIn(session, contextId);
    return found;
  }

  async dispose(): Promise<void> {
    const sessions = [...this.#sessions.values()];
    this.#sessions.clear();
    await Promise.allSettled(sessions.map(({ session }) => session.detach()));
  }

  /** A frame of another process has a DevTools session of its own; one of the same process shares its page's. */
  async #attach(frame: Frame): Promise<{ session: CDPSession; worlds: Map<string, number> }> {
    const context = this.page.context();
    let owner = frame;
    let session: CDPSession | undefined;
    while (session === undefined) {
      const known = this.#sessions.get(owner);
      if (known !== undefined) return known;
      const parent = owner.parentFrame();
      if (parent === null) session = await context.newCDPSession(this.page);
      else {
        session = await context.newCDPSession(owner).catch(() => undefined);
        if (session === undefined) owner = parent;
      }
    }
    const worlds = new Map<string, number>();
    session.on('Runtime.executionContextCreated', ({ context: created }) => {
      if (WORLD.test(created.name)) worlds.set(created.uniqueId, created.id);
    });
    session.on('Runtime.executionContextDestroyed', event => {
      worlds.delete(event.executionContextUniqueId);
    });
    session.on('Runtime.executionContextsCleared', () => worlds.clear());
    await session.send('Runtime.enable');
    const attached = { session, worlds };
    this.#sessions.set(owner, attached);
    return attached;
  }

  async #adoptIn(session: CDPSession, contextId: number): Promise<number> {
    const evaluate = async (expression: string) => {
      const { result } = await session.send('Runtime.evaluate', { expression, contextId, objectGroup: 'closed-roots' });
      return result.objectId;
    };
    const suspects = await evaluate(`globalThis.browserToolsetEngine?.closedRoots.suspects.slice(0, ${LIMIT})`);
    if (suspects === undefined) return 0;
    const engine = await evaluate('globalThis.browserToolsetEngine.closedRoots');
    const { result } = await session.send('Runtime.getProperties', { objectId: suspects, ownProperties: true });
    const elements = result.flatMap(property => (/^\d+$/.test(property.name) ? [property.value?.objectId] : []));
    const counts = await Promise.all(
      elements.map(async objectId => {
        if (objectId === undefined || engine === undefined) return 0;
        return this.#adoptFrom(session, { objectId, engine, contextId });
      }),
    );
    await session.send('Runtime.evaluate', {
      expression: `browserToolsetEngine.closedRoots.settle(${elements.length})`,
      contextId,
    });
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
