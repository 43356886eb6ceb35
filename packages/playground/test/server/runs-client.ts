import { expect } from 'vitest';
import type { RunDetail, RunEvent, RunSummary } from '../../src/server/browser-agent/api.js';
import type { Playground } from '../../src/server/playground.js';
import { eventsOf } from '../../web/api/event-stream.js';
import { after } from '../../web/browser-agent/run-detail.js';
import { ask } from './requests.js';

/** What the page does with runs, without a page. */
export class RunsClient {
  readonly #base: string;

  constructor({ url }: Playground) {
    this.#base = `${url}/playground/runs`;
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
