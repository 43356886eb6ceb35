import type { JSHandle, Page } from 'playwright-core';
import { PAGE_ENGINE_SOURCE } from '../../src/generated/page-engine.js';
import type { CaptureAnswer, RawCapture } from '../../src/protocol.js';

/** In nodes: more than any page has. */
const MOST_NODES = 1_000_000;

/**
 * An engine that is kept in a page while that changes, beside one that has just begun: what the kept one remembers, and
 * reuses, must not be seen in its captures.
 */
export class EnginePair {
  private constructor(
    readonly page: Page,
    readonly kept: JSHandle,
    readonly freshSource: string,
  ) {}

  /** The kept engine captures the page once. `freshSource` is an expression like `PAGE_ENGINE_SOURCE`. */
  static async open(page: Page, freshSource = PAGE_ENGINE_SOURCE) {
    const pair = new EnginePair(page, await page.evaluateHandle(PAGE_ENGINE_SOURCE), freshSource);
    await pair.#capture(pair.kept);
    return pair;
  }

  /** The captures of the page as it is now, of both engines at once: nothing changes between them. */
  async compare(): Promise<{ kept: string; fresh: string }> {
    const fresh = await this.page.evaluateHandle(this.freshSource);
    const pair = await this.page.evaluateHandle(([one, other]) => ({ one, other }), [this.kept, fresh] as const);
    const texts = await pair.evaluate(({ one, other }, selector) => {
      const ask = (engine: unknown) =>
        (engine as { query(root: Node, selector: string): Element }).query(document, selector).textContent ?? '';
      return [ask(one), ask(other)];
    }, selectorOf());
    await Promise.all([fresh.dispose(), pair.dispose()]);
    const [kept = '', own = ''] = texts.map(text => comparable(text));
    return { kept, fresh: own };
  }

  async #capture(engine: JSHandle): Promise<void> {
    await engine.evaluate(
      (made, selector) => (made as { query(root: Node, selector: string): Element }).query(document, selector),
      selectorOf(),
    );
  }
}

const selectorOf = (): string => encodeURIComponent(JSON.stringify({ do: 'capture', maxNodes: MOST_NODES }));

/** A capture without what each engine counts for itself: the document, shadow roots so far, and elements as it met them. */
function comparable(answer: string): string {
  const { capture } = JSON.parse(answer) as CaptureAnswer;
  const { doc, lastId, shadowRoots, nodes, ...others } = capture ?? ({ nodes: [] } as unknown as RawCapture);
  const ids = new Map<number, number>();
  const renumbered = (id: number): number => {
    if (!ids.has(id)) ids.set(id, ids.size + 1);
    return ids.get(id) ?? 0;
  };
  const lines = nodes.map(([depth, id, role, name, flags, distance, fingerprint, row, props]) => {
    const { opened, ...rest } = props ?? {};
    const all = { ...rest, ...(opened !== undefined && { opened: renumbered(opened) }) };
    return JSON.stringify([depth, renumbered(id), role, name, flags, distance, fingerprint, row, all]);
  });
  return [JSON.stringify(others), ...lines].join('\n');
}
