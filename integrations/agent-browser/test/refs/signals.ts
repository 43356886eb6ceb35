import { EventEmitter, once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { Route } from '../fixtures.js';

/** What a test tells its page behind the agent's back, over a stream of events, and the page's answers. */
export class Signals {
  #stream: ServerResponse | undefined;
  readonly #done = new EventEmitter();

  /** Paths that the site of the page serves: it listens at the first one, and posts to the other when it listens or is done. */
  readonly routes: Record<string, Route> = {
    '/signals': (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(': open\n\n');
      this.#stream = response;
    },
    '/done': (request, response) => {
      response.end();
      this.#done.emit('done', request.url?.split('?')[1] ?? '');
    },
  };

  /** Resolves when the page says that it listens, or that it has done what it was told, to what it says of it. */
  async isDone(): Promise<string> {
    const [said] = (await once(this.#done, 'done')) as [string];
    return said;
  }

  async send(data: string): Promise<string> {
    const done = this.isDone();
    this.#stream?.write(`data: ${data}\n\n`);
    return done;
  }
}
