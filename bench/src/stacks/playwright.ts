import { type BrowserContext, chromium, type Page } from 'playwright-core';
import { chromiumPath, viewport } from '../chromium.ts';
import { domWalk, leanWalk } from '../page-code/dom-walk.ts';
import { ariaRefs } from './aria-refs.ts';
import type { Actions, FormActions, RefTarget, Stack, StackBrowser, StackThread } from './stack.ts';

/** The floors: playwright-core called directly, its own snapshot, and a walk of the page in one round trip. */
export const playwright: Stack = {
  name: 'playwright',
  packageName: 'playwright-core',
  async open(): Promise<StackBrowser> {
    const browser = await chromium.launch({ executablePath: chromiumPath(), headless: true });
    return {
      thread: async () => new PlaywrightThread(() => browser.newContext({ viewport })),
      close: () => browser.close(),
    };
  },
};

export class PlaywrightThread implements StackThread {
  readonly #newContext: () => Promise<BrowserContext>;
  #page: Page | undefined;

  constructor(newContext: () => Promise<BrowserContext>) {
    this.#newContext = newContext;
  }

  readonly snapshots = {
    aria: async () => this.page.ariaSnapshot({ mode: 'ai' }),
    walk: async () => this.#everyFrame(domWalk),
    lean: async () => this.#everyFrame(leanWalk),
  };

  get page(): Page {
    if (!this.#page) throw new Error('navigate first');
    return this.#page;
  }

  async navigate(url: string): Promise<void> {
    this.#page ??= await (await this.#newContext()).newPage();
    await this.#page.goto(url, { waitUntil: 'domcontentloaded' });
  }

  async prepareActions(): Promise<Actions> {
    const page = this.page;
    return {
      click: () => page.locator('#count').click(),
      type: text => page.locator('#name').fill(text),
      select: label => page.locator('#colour').selectOption({ label }),
    };
  }

  async prepareForm(): Promise<FormActions> {
    const page = this.page;
    const control = (name: string) => page.locator(`#${name.toLowerCase()}`);
    const setters = {
      textbox: (name: string, value: string) => control(name).fill(value),
      checkbox: (name: string, value: string) => control(name).setChecked(value === 'true'),
      combobox: (name: string, value: string) => control(name).selectOption({ label: value }),
    };
    const quietly = async (act: Promise<unknown>): Promise<string> => {
      await act;
      return '';
    };
    return {
      click: name => quietly(control(name).click()),
      type: (name, text) => quietly(control(name).fill(text)),
      check: (name, isOn) => quietly(control(name).setChecked(isOn)),
      select: (name, option) => quietly(control(name).selectOption({ label: option })),
      press: key => quietly(page.keyboard.press(key)),
      hover: name => quietly(control(name).hover()),
      async fill(fields) {
        for (const { kind, name, value } of fields) await setters[kind](name, value);
        return '';
      },
      evaluate: expression => quietly(page.evaluate(expression)),
    };
  }

  async interactiveRefs(): Promise<readonly RefTarget[]> {
    await this.page.waitForLoadState('load');
    return ariaRefs(await this.snapshots.aria(), this.page);
  }

  async browserPage(): Promise<Page> {
    return this.page;
  }

  async close(): Promise<void> {
    await this.#page?.context().close();
  }

  async #everyFrame(walk: () => string): Promise<string> {
    return (await Promise.all(this.page.frames().map(frame => frame.evaluate(walk)))).join('\n');
  }
}
