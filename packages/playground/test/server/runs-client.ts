import { expect } from 'vitest';
import type { RunDetail, RunEvent, RunSummary } from '../../src/server/browser-agent/api.js';
import { eventsOf } from '../../src/server/events/event-stream.js';
import type { Playground } from '../../src/server/playground.js';
import { DEMO_TASKS } from '../../src/tasks/index.js';
import { after } from '../../web/browser-agent/run-detail.js';
import { ask } from './requests.js';

export const isWaiting = ({ run }: RunDetail): boolean => run.status === 'waiting';

/** What the page does with runs, without a page. */
export class RunsClient {
  readonly #base: string;
  readonly #shop: string;

  constructor({ url, demoUrl }: Playground) {
    this.#base = `${url}/playground/runs`;
    this.#shop = demoUrl;
  }

  async post(path: string, body: unknown = {}): Promise<{ status: number; answer: unknown }> {
    const { status, body: text } = await ask(`${this.#base}${path}`, { method: 'POST', body });
    return { status, answer: JSON.parse(text) };
  }

  async get<T>(path: string): Promise<T> {
    const { status, body } = await ask(`${this.#base}${path}`);
    expect({ path, status }).toEqual({ path, status: 200 });
    return JSON.parse(body) as T;
  }

  async start(task: string, more: object = {}): Promise<RunSummary> {
    const { status, answer } = await this.post('', { threadId: crypto.randomUUID(), task, ...more });
    expect({ status, answer }).toMatchObject({ status: 201 });
    return answer as RunSummary;
  }

  /** Starts one of the tasks that the playground suggests. */
  startTask(id: string, more: object = {}): Promise<RunSummary> {
    const task = DEMO_TASKS.find(demo => demo.id === id) ?? expect.fail(`no task ${id}`);
    return this.start(task.prompt(this.#shop), more);
  }

  /** A run that has asked which mug is wanted, and waits. */
  async askingForMug(): Promise<RunDetail['run']> {
    const { id } = await this.startTask('ask-for-a-mug');
    return (await this.until(id, isWaiting)).run;
  }

  /** A run that has put an Ember mug into the cart, and has ended. */
  async withMugInCart(): Promise<RunSummary> {
    const run = await this.askingForMug();
    const { id } = run;
    const answer = { questionId: run.question?.id, answer: 'Ember mug' };
    expect(await this.post(`/${id}/answer`, answer)).toMatchObject({ status: 200 });
    return (await this.ended(id)).run;
  }

  /** A run that has bought a mug, and has ended. */
  async withMugBought(): Promise<RunSummary> {
    const { id } = await this.startTask('buy-a-mug');
    return (await this.ended(id)).run;
  }

  detail(id: string): Promise<RunDetail> {
    return this.get(`/${id}`);
  }

  /** Follows a run until what is known of it fits. */
  async until(id: string, fits: (detail: RunDetail) => boolean): Promise<RunDetail> {
    const { body } = await fetch(`${this.#base}/${id}/stream`);
    let detail: RunDetail | undefined;
    for await (const event of eventsOf(body as ReadableStream<Uint8Array>)) {
      detail = after(detail, event as RunEvent);
      if (detail && fits(detail)) return detail;
    }
    throw new Error(`the stream of ${id} ended`);
  }

  ended(id: string): Promise<RunDetail> {
    return this.until(id, ({ run }) => run.status === 'ended');
  }
}
