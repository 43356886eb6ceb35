import type { Page } from 'playwright-core';
import { nameEveryElement } from '../page-code/name-elements.ts';
import {
  callTool,
  type ModelTool,
  newToolset,
  packageName,
  type Session,
  type SnapshotResult,
  type Toolset,
} from '../toolset.ts';
import { schemasAsSent } from './mastra-tools.ts';
import {
  type Actions,
  type FormActions,
  type RefTarget,
  type Stack,
  type StackBrowser,
  type StackThread,
  succeeded,
  type ToolSchema,
} from './stack.ts';

// Large enough that nothing is folded away: the bars compare whole pages. What a default call costs is a variant of its own.
const wholePage = 1_000_000;

export const ours: Stack = {
  name: 'ours',
  packageName,
  async open(): Promise<StackBrowser> {
    const toolset = await newToolset({ allowEvaluate: true });
    return { thread: async id => new OurThread(toolset, id), close: () => toolset.close() };
  },
  async toolSchemas(): Promise<readonly ToolSchema[]> {
    return schemasAsSent((await newToolset()).tools);
  },
};

class OurThread implements StackThread {
  readonly #toolset: Toolset;
  readonly #id: string;

  constructor(toolset: Toolset, id: string) {
    this.#toolset = toolset;
    this.#id = id;
  }

  readonly snapshots = {
    interactive: async () => (await this.#snapshot({ maxTokens: wholePage })).tree,
    full: async () => (await this.#snapshot({ interactiveOnly: false, maxTokens: wholePage })).tree,
    default: async () => (await this.#snapshot({})).tree,
  };

  async navigate(url: string): Promise<void> {
    succeeded(await this.#session.navigate({ url }));
  }

  async prepareActions(): Promise<Actions> {
    const { refs } = await this.#snapshot({});
    const ref = (role: string) => {
      const found = Object.entries(refs).find(([, element]) => element.role === role)?.[0];
      if (!found) throw new Error(`no ${role} in the snapshot of the plain page`);
      return found;
    };
    const [button, textbox, combobox] = [ref('button'), ref('textbox'), ref('combobox')];
    return {
      click: async () => succeeded(await this.#session.click({ ref: button })),
      type: async text => succeeded(await this.#session.type({ ref: textbox, text })),
      select: async label => succeeded(await this.#session.select({ ref: combobox, labels: [label] })),
    };
  }

  async prepareForm(): Promise<FormActions> {
    const { refs } = await this.#snapshot({});
    const refOf = (name: string) => {
      const ref = Object.keys(refs).find(key => refs[key]?.name === name);
      if (ref === undefined) throw new Error(`no "${name}" in the snapshot of the framework page`);
      return ref;
    };
    return {
      click: name => this.#call('browser_click', { ref: refOf(name) }),
      type: (name, text) => this.#call('browser_type', { ref: refOf(name), text }),
      check: name => this.#call('browser_click', { ref: refOf(name) }),
      select: (name, option) => this.#call('browser_select', { ref: refOf(name), labels: [option] }),
      press: key => this.#call('browser_press', { keys: key }),
      hover: name => this.#call('browser_hover', { ref: refOf(name) }),
      fill: fields =>
        this.#call('browser_fill_form', {
          fields: fields.map(({ kind, name, value }) => ({
            ref: refOf(name),
            value: kind === 'checkbox' ? value === 'true' : value,
          })),
        }),
      evaluate: expression => this.#call('browser_evaluate', { expression }),
    };
  }

  /**
   * Refs are followed by name, through nothing but the public snapshot: every element of the page is given a name of its own
   * first. What a name could change is checked: the renamed page must have as many refs as it had before.
   */
  async interactiveRefs(): Promise<readonly RefTarget[]> {
    const page = await this.browserPage();
    await page.waitForLoadState('load');
    const before = Object.keys((await this.#snapshot({ maxTokens: wholePage })).refs).length;
    const naming = page.frames().map((frame, index) => frame.evaluate<[string, string][]>(nameEveryElement(index)));
    const keyOf = new Map((await Promise.all(naming)).flat());
    const { refs } = await this.#snapshot({ maxTokens: wholePage });
    const targets = Object.entries(refs).map(([ref, { role, name = '' }]) => ({ ref, role, key: keyOf.get(name) }));
    if (targets.length !== before)
      console.warn(`ours: ${before} refs, ${targets.length} once every element has a name`);
    return targets;
  }

  async browserPage(): Promise<Page> {
    const page = await this.#toolset.getActivePage(this.#id);
    if (!page) throw new Error('the thread has no page');
    return page;
  }

  async close(): Promise<void> {
    await this.#session.close({});
  }

  get #session(): Session {
    return this.#toolset.session(this.#id);
  }

  async #call(name: string, input: object): Promise<string> {
    const tool = (this.#toolset.tools as unknown as Record<string, ModelTool>)[name];
    if (tool === undefined) throw new Error(`the toolset has no ${name}`);
    return (await callTool(tool, input, this.#id)).text;
  }

  async #snapshot(input: Parameters<Session['snapshot']>[0]): Promise<SnapshotResult> {
    return succeeded(await this.#session.snapshot(input));
  }
}
