import { isDisabled } from './control.js';
import { isFit } from './fit.js';
import { Guard } from './guard.js';
import { describeNow } from './identity.js';
import { hiddenControl } from './interactive.js';
import { beginPass, endPass } from './name.js';
import { deepElementFromPoint, factsOf, probe, widgetAt } from './probe.js';
import type { RawCapture, Refusal, Request, Target } from './protocol.js';
import { ElementIds } from './refs.js';
import { scrollBy, scrollerOf, scrollState } from './scroll.js';
import { ClosedRoots } from './shadow.js';
import { topModal } from './visible.js';
import { Walk } from './walk.js';

/** Marks the engine's refusals in the text of an error; what is inside is URI-encoded, so a page cannot write it. */
const REFUSAL = 'browser-toolset-refusal:';

class Engine {
  readonly ids = new ElementIds();
  readonly closedRoots = new ClosedRoots();
  readonly #guard = new Guard();
  #acted: WeakRef<Element> | undefined;

  /** Playwright's selector engine interface. */
  query(_root: Node, selector: string): Element | undefined {
    return this.queryAll(_root, selector)[0];
  }

  queryAll(_root: Node, selector: string): Element[] {
    const request = JSON.parse(decodeURIComponent(selector)) as Request;
    if (request.do === 'element') return [this.#element(request)];
    const answer = document.createElement('div');
    answer.textContent = JSON.stringify(this.#answer(request));
    return [answer];
  }

  #element(request: Extract<Request, { do: 'element' }>): Element {
    const { target, purpose } = request;
    const element = this.#find(target);
    if (purpose !== undefined) {
      if (isDisabled(element)) refuse({ code: 'disabled' });
      if (!isFit(element, purpose)) refuse({ code: 'unfit', facts: factsOf(element) });
      this.#acted = new WeakRef(element);
    }
    if (request.guard) this.#guard.arm(element, target.fingerprint);
    return element;
  }

  #find(target: Target): Element {
    const found = this.ids.find(target, () => this.#newcomers());
    return found instanceof Element ? found : refuse(found);
  }

  #answer(request: Exclude<Request, { do: 'element' }>): unknown {
    switch (request.do) {
      case 'capture':
        return this.#capture(request.maxNodes, request.acted ?? false);
      case 'facts': {
        const element = this.#find(request.target);
        return factsOf(hiddenControl(element) ?? element, describeNow(element));
      }
      case 'probe':
        return probe(this.ids.element(request.id), element => this.ids.idOf(element));
      case 'guard':
        return this.#guard.disarm();
      case 'scroll':
        return this.#scroll(request);
      case 'at': {
        const hit = deepElementFromPoint(request.x, request.y);
        const element = widgetAt(hit) ?? hit;
        return element === null ? null : { ...factsOf(element), id: this.ids.idOf(element) };
      }
      case 'ping':
        return { doc: this.ids.doc };
    }
  }

  #scroll(request: Extract<Request, { do: 'scroll' }>): unknown {
    const element = request.target === undefined ? undefined : this.#find(request.target);
    if (request.intoView) {
      element?.scrollIntoView({ block: 'center', inline: 'nearest', behavior: 'instant' });
      return scrollState(scrollerOf(undefined, 0, 1));
    }
    return scrollBy(scrollerOf(element, request.dx, request.dy), request.dx, request.dy);
  }

  /** Everything that can be acted on at this moment, to look for what replaced an element that is gone. */
  #newcomers(): Element[] {
    const walk = this.#walk(Number.POSITIVE_INFINITY);
    const elements: Element[] = [];
    for (const node of walk.nodes) {
      const element = node[6] === 0 ? undefined : this.ids.element(node[1]);
      if (element !== undefined) elements.push(element);
    }
    return elements;
  }

  #walk(maxNodes: number): Walk {
    beginPass();
    try {
      const walk = new Walk(this.ids, this.closedRoots, maxNodes);
      walk.from(topModal() ?? document.body ?? document.documentElement);
      return walk;
    } finally {
      endPass();
    }
  }

  #capture(maxNodes: number, withActed: boolean): RawCapture {
    const acted = withActed ? this.#acted?.deref() : undefined;
    this.ids.sweep();
    this.closedRoots.beginWalk();
    const walk = this.#walk(maxNodes);
    const scroller = scrollState(scrollerOf(undefined, 0, 1));
    return {
      doc: this.ids.doc,
      lastId: this.ids.last,
      title: document.title,
      url: location.href,
      nodes: walk.nodes,
      rows: walk.rowTexts,
      scroll: [scroller.top, scroller.height, scroller.viewportHeight],
      modal: topModal() !== undefined,
      elementCount: walk.elementCount,
      suspects: this.closedRoots.suspects.length,
      ...this.#guard.disarm(),
      ...(acted?.isConnected && { acted: factsOf(acted) }),
      ...(walk.cut && { cut: true }),
    };
  }
}

function refuse(refusal: Refusal): never {
  throw new Error(`${REFUSAL}${encodeURIComponent(JSON.stringify(refusal))};`);
}

/**
 * Makes the engine of one document and leaves it on the global object of its isolated world, where the DevTools
 * protocol reaches it to hand closed shadow roots over. Pages cannot see that world.
 */
export function createEngine(): Engine {
  const engine = new Engine();
  Object.defineProperty(globalThis, 'browserToolsetEngine', { value: engine, configurable: true });
  return engine;
}
