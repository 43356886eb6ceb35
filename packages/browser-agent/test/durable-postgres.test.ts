import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { carefulBuyer, runProcess } from './durable-run.js';
import { ModelServer } from './model-server.js';
import { type Postgres, startPostgres } from './postgres.js';
import { Shop } from './shop.js';

/** How many runs are killed; the seed of their moments. */
const RUNS = Number(process.env.DURABLE_RUNS ?? 3);
const SEED = Number(process.env.DURABLE_SEED ?? Date.now() % 100_000);
/** Questions and requests of an undisturbed run; a run is killed at one of them. */
const EVENTS = 10;

const server = new ModelServer();
const shop = new Shop();
const careful = carefulBuyer(shop);
let postgres: Postgres | undefined;

beforeAll(async () => {
  await Promise.all([server.start(), shop.start()]);
  postgres = await startPostgres();
});
afterAll(async () => {
  await Promise.all([server.stop(), shop.stop(), postgres?.stop()]);
});

/** Numbers that are the same at each run with the seed. */
function dice(seed: number): (sides: number) => number {
  let state = seed;
  return sides => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return (state >>> 8) % sides;
  };
}

describe(`runs that are killed at random moments (seed ${SEED}), their state in PostgreSQL`, () => {
  const roll = dice(SEED);
  const moments = Array.from({ length: RUNS }, (_, n) => ({ n, event: roll(EVENTS), delay: roll(60) }));
  test.for(moments)(
    'run $n, killed $delay ms after event $event, goes on in another process, and orders once',
    { timeout: 120_000 },
    async ({ n, event, delay }, { skip }) => {
      if (postgres === undefined) return skip('PostgreSQL cannot be installed here');
      shop.reset();
      server.thinks(careful);
      const order = { database: postgres.url, runId: `run-${SEED}-${n}`, threadId: `ann-${SEED}-${n}` };
      const begin = (mode: 'start' | 'restart') =>
        runProcess({ mode, ...order, model: server.model, task: `Buy the red mug at ${shop.url}` });
      const first = begin('start');
      let seen = 0;
      const atEvent = (): void => {
        if (seen++ === event) setTimeout(() => first.child.kill('SIGKILL'), delay);
      };
      shop.onRequest = atEvent;
      server.mind = asked => {
        atEvent();
        return careful(asked);
      };
      expect(await first.ended).toBe('');
      shop.onRequest = () => undefined;
      server.mind = careful;
      const said = await begin('restart').ended;
      expect(said).toContain('"status":"success"');
      const { result } = JSON.parse(said) as { result: { success: boolean; history: { steps: { step: number }[] } } };
      expect(result, JSON.stringify(result, null, 1).slice(0, 6000)).toMatchObject({ success: true });
      expect(shop.orders).toEqual([{ items: ['Red mug'], name: 'Ann Lee', email: 'ann@example.com' }]);
      expect(result.history.steps.map(({ step }) => step)).toEqual(result.history.steps.map((_, i) => i));
    },
  );
});
