import { BrowserToolset } from '@browser-toolset/agent-browser';
import { afterAll, beforeAll, expect } from 'vitest';
import { atWorkerEnd } from '../../../scripts/testing/endings.js';
import { type AgentHistory, BrowserAgent, type BrowserAgentConfig } from '../src/index.js';
import { WAITS } from '../src/rerun/waits.js';
import { type Asked, type Mind, ModelServer, refOn, says } from './model-server.js';
import { Shop } from './shop.js';

interface Stage {
  server: ModelServer;
  shop: Shop;
  browser: BrowserToolset;
  /** An agent whose model is this mind. */
  agent(mind: Mind, config?: Partial<BrowserAgentConfig>): BrowserAgent;
  /** One without a model, which gives up soon where a rerun does not find an element. */
  impatient(): BrowserAgent;
}

/**
 * The toolset of this worker, for files that want no options. All sessions of a file stay open, and the one that keeps
 * Chromium from one file to the next.
 */
const common = new BrowserToolset({ sessions: { max: 100, idleMs: 86_400_000 } });
let keeper: Promise<unknown> | undefined;

/** Closes the sessions of a file, but for the one that keeps Chromium, which would end with the last. */
async function closeSessions(): Promise<void> {
  const threads = common.liveSessions().map(({ threadId }) => threadId);
  if (threads.length === 0) return;
  if (keeper === undefined) atWorkerEnd(() => common.close());
  keeper ??= common.session('keeps-chromium').navigate({ url: 'about:blank' });
  await keeper;
  await Promise.all(threads.filter(id => id !== 'keeps-chromium').map(id => common.closeThreadSession(id)));
}

/** A model server, a shop and a browser for one test file. */
export function stage(options?: ConstructorParameters<typeof BrowserToolset>[0]): Stage {
  const server = new ModelServer();
  const shop = new Shop();
  const browser = options === undefined ? common : new BrowserToolset(options);
  beforeAll(async () => {
    await Promise.all([server.start(), shop.start()]);
  });
  afterAll(async () => {
    await (browser === common ? closeSessions() : browser.close());
    await Promise.all([server.stop(), shop.stop()]);
  });
  const agent = (mind: Mind, config: Partial<BrowserAgentConfig> = {}): BrowserAgent =>
    new BrowserAgent({ browser, model: server.thinks(mind), vision: false, modelBackoff: 1, ...config });
  const impatient = (): BrowserAgent =>
    new BrowserAgent(
      { browser, model: server.thinks(() => ({ status: 500 })) },
      { waits: { ...WAITS, shortest: 500, between: 100 } },
    );
  return { server, shop, browser, agent, impatient };
}

/**
 * Records how a red mug is bought, once for a test file, and answers with the history. Each time the shop is as it was
 * before, and the model answers no more.
 */
export function purchaseRecorder({ server, shop, agent }: Stage): () => Promise<AgentHistory> {
  const record = async (): Promise<AgentHistory> => {
    shop.reset();
    const { history, success } = await agent(buyerOf('Red mug')).run({ task: 'Buy the red mug', url: shop.url }).result;
    expect(success).toBe(true);
    return history;
  };
  let recorded: Promise<AgentHistory> | undefined;
  return async () => {
    recorded ??= record();
    const history = await recorded;
    shop.reset();
    server.thinks(() => ({ status: 500 }));
    return JSON.parse(JSON.stringify(history));
  };
}

/** The part of a question that shows the page. */
export function pageOf(asked: Asked): Asked {
  return { ...asked, text: asked.text.slice(asked.text.lastIndexOf('<browser_state>')) };
}

/** Buys a mug as somebody would who reads the page. */
export function buyerOf(item: string, { name = 'Ann Lee', email = 'ann@example.com' } = {}): Mind {
  return asked => {
    const shown = pageOf(asked);
    const { text } = shown;
    if (text.includes('heading "Thank you"')) return says([{ done: { text: `Ordered the ${item}.`, success: true } }]);
    if (text.includes('heading "Checkout"')) {
      const fields = [
        { ref: refOn(shown, 'textbox', 'Full name'), value: name },
        { ref: refOn(shown, 'textbox', 'Email'), value: email },
      ];
      const order = { click: { ref: refOn(shown, 'button', 'Place order') } };
      return says([{ fill_form: { fields } }, order], { nextGoal: 'Fill in the address and order' });
    }
    if (text.includes('link "Checkout"'))
      return says([{ click: { ref: refOn(shown, 'link', 'Checkout') } }], { nextGoal: 'Go to the checkout' });
    const row = text.slice(text.indexOf(item));
    return says([{ click: { ref: refOn({ ...asked, text: row }, 'button', 'Add to cart') } }], {
      nextGoal: `Put the ${item} into the cart`,
    });
  };
}
