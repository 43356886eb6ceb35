import type { Locator, Page } from 'playwright-core';
import type { RunSummary } from '../../src/server/browser-agent/api.js';
import { BROWSER_AGENT_ID } from '../../src/server/browser-agent/browser-runs.js';
import type { Playground } from '../../src/server/playground.js';
import { formatRoute } from '../../web/layout/route.js';
import { RunsClient } from '../server/runs-client.js';

/** The page of the browser agent, as its reader finds it. */
export class RunPage {
  constructor(readonly page: Page) {}

  /** Opens it with a new task. */
  static async open(page: Page): Promise<RunPage> {
    await page.getByRole('button', { name: /^Browser agent/ }).click();
    await page.getByText('What should Browser agent do?').waitFor();
    return new RunPage(page);
  }

  /** Opens it with a run that has ended. */
  static async show(page: Page, summary: RunSummary): Promise<RunPage> {
    const run = await RunPage.#at(page, summary);
    await run.ending.waitFor();
    return run;
  }

  /** Opens it with a run that waits for an answer: which mug is wanted. */
  static async showAsking(page: Page, playground: Playground): Promise<RunPage> {
    const run = await RunPage.#at(page, await new RunsClient(playground).askingForMug());
    await run.steering.getByRole('button', { name: 'Ember mug' }).waitFor();
    return run;
  }

  static async #at(page: Page, { threadId, id }: RunSummary): Promise<RunPage> {
    const fragment = formatRoute({ agentId: BROWSER_AGENT_ID, threadId, runId: id });
    await page.goto(new URL(fragment, page.url()).href);
    return new RunPage(page);
  }

  get main(): Locator {
    return this.page.getByRole('main');
  }

  get steering(): Locator {
    return this.page.getByRole('region', { name: 'Steer the run' });
  }

  get ending(): Locator {
    return this.page.getByRole('region', { name: 'Outcome' });
  }

  get history(): Locator {
    return this.page.getByRole('region', { name: 'History' });
  }

  get rerun(): Locator {
    return this.page.getByRole('form', { name: 'Rerun' });
  }

  step(number: number): Locator {
    return this.page.getByRole('article', { name: `Step ${number}`, exact: true });
  }

  async begin(task: string): Promise<void> {
    await this.main.getByRole('button', { name: task }).click();
  }

  /** Begins the task that asks for a mug, and waits for its question. */
  async beginToAsk(): Promise<void> {
    await this.begin('Ask me which mug');
    await this.steering.getByRole('button', { name: 'Ember mug' }).waitFor();
  }

  async answer(mug: string): Promise<void> {
    await this.steering.getByRole('button', { name: mug }).click();
    await this.ending.getByText(`Done: 1 × ${mug} added to your cart.`).waitFor();
  }
}
