import { AgentBrowser } from '@mastra/agent-browser';
import { inBatches } from '../batches.ts';
import { chromiumPath, viewport } from '../chromium.ts';
import { pathKey } from '../page-code/path-key.ts';
import { schemasAsSent } from './mastra-tools.ts';
import {
  type Actions,
  type RefTarget,
  type Stack,
  type StackBrowser,
  type StackThread,
  succeeded,
  type ToolSchema,
} from './stack.ts';

/** Mastra's official provider, in its default scope: a browser for each thread. */
export const mastra: Stack = {
  name: 'mastra',
  packageName: '@mastra/agent-browser',
  async open(): Promise<StackBrowser> {
    const browser = newAgentBrowser();
    return { thread: async id => new MastraThread(browser, id), close: () => browser.close() };
  },
  async toolSchemas(): Promise<readonly ToolSchema[]> {
    return schemasAsSent(newAgentBrowser().getTools());
  },
};

const newAgentBrowser = () => new AgentBrowser({ headless: true, executablePath: chromiumPath(), viewport });

class MastraThread implements StackThread {
  readonly #browser: AgentBrowser;
  readonly #id: string;

  constructor(browser: AgentBrowser, id: string) {
    this.#browser = browser;
    this.#id = id;
  }

  readonly snapshots = { interactive: () => this.#snapshot(true), full: () => this.#snapshot(false) };

  async navigate(url: string): Promise<void> {
    this.#browser.setCurrentThread(this.#id);
    await this.#browser.ensureReady();
    succeeded(await this.#browser.goto({ url }, this.#id));
  }

  async prepareActions(): Promise<Actions> {
    const tree = await this.#snapshot(true);
    const ref = (role: string) => {
      const found = new RegExp(`- ${role} .*(@e\\d+)`).exec(tree)?.[1];
      if (!found) throw new Error(`no ${role} in the snapshot of the plain page`);
      return found;
    };
    const [button, textbox, combobox] = [ref('button'), ref('textbox'), ref('combobox')];
    return {
      click: async () => succeeded(await this.#browser.click({ ref: button }, this.#id)),
      type: async text => succeeded(await this.#browser.type({ ref: textbox, text, clear: true }, this.#id)),
      select: async label => succeeded(await this.#browser.select({ ref: combobox, label }, this.#id)),
    };
  }

  async interactiveRefs(): Promise<readonly RefTarget[]> {
    const manager = await this.#browser.getManagerForThread(this.#id);
    await manager.getPage().waitForLoadState('load');
    const lines = (await this.#snapshot(true)).matchAll(/- (\w+).*?(@e\d+)/g);
    const resolve = async ([, role = '', ref = '']: RegExpExecArray): Promise<RefTarget> => {
      const locator = manager.getLocatorFromRef(ref);
      const count = await locator?.count();
      return { ref, role, key: count ? await locator?.first().evaluate(pathKey) : undefined };
    };
    return inBatches([...lines], 25, resolve);
  }

  close(): Promise<void> {
    return this.#browser.closeThreadSession(this.#id);
  }

  async #snapshot(interactiveOnly: boolean): Promise<string> {
    const result = succeeded(await this.#browser.snapshot({ interactiveOnly }, this.#id));
    return result.snapshot;
  }
}
