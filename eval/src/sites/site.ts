import { serve } from '@hono/node-server';
import type { Hono } from 'hono';

/** A site with a memory of its own: what its server holds is the proof of what was done on it. */
export interface Site<State> {
  readonly name: string;
  /** What the server holds before anybody came. */
  newState(): State;
  app(state: State): Hono;
}

export interface ServedSite<State> extends AsyncDisposable {
  readonly url: string;
  readonly state: State;
}

/** Serves a site on a free port of the loopback interface, with a state that nobody has touched. */
export async function serveSite<State>(site: Site<State>): Promise<ServedSite<State>> {
  const state = site.newState();
  const listening = Promise.withResolvers<number>();
  const server = serve({ fetch: site.app(state).fetch, hostname: '127.0.0.1', port: 0 }, ({ port }) =>
    listening.resolve(port),
  );
  server.once('error', listening.reject);
  const port = await listening.promise;
  return {
    url: `http://127.0.0.1:${port}/`,
    state,
    [Symbol.asyncDispose]: async () => {
      const closed = Promise.withResolvers<void>();
      server.close(error => (error === undefined ? closed.resolve() : closed.reject(error)));
      // Pages that still poll must not keep it.
      if ('closeAllConnections' in server) server.closeAllConnections();
      await closed.promise;
    },
  };
}
