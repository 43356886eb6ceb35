import { PostgresStore } from '@mastra/pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { seedNote, trials } from '../../../scripts/testing/trials.js';
import { carefulBuyer, runProcess } from './durable-run.js';
import { ModelServer } from './model-server.js';
import { type Postgres, startPostgres } from './postgres.js';
import { Shop } from './shop.js';

/** How many runs are killed, how many at once, and the seed of their moments. */
const RUNS = trials.size({ slice: 6, full: 60 });
const LANES = 6;
const [SEED = 0] = trials.seeds({ slice: 1, full: 1 });
/** Questions and requests of an undisturbed run; a run is killed at one of them. */
const EVENTS = 10;

/** What one run after another is played with: a shop holds the orders of one. */
const lanes = Array.from({ length: LANES }, () => ({ server: new ModelServer(), shop: new Shop() }));
let postgres: Postgres;

beforeAll(async () => {
  await Promise.all(lanes.flatMap(({ server, shop }) => [server.start(), shop.start()]));
  postgres = await startPostgres();
  // Processes that make Mastra's tables at the same time get into each other's way.
  const store = new PostgresStore({ id: 'durable', connectionString: postgres.url });
  await store.init();
  await store.close();
});
afterAll(async () => {
  await Promise.all([...lanes.flatMap(({ server, shop }) => [server.stop(), shop.stop()]), postgres?.stop()]);
});

/** Numbers that are the same at each run with the seed. */
function dice(seed: number): (sides: number) => number {
  let state = seed;
  return sides => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return (state >>> 8) % sides;
  };
}

interface Killed {
  n: number;
  event: number;
  delay: number;
}

/** Kills a run, lets another process go on with it, and looks at what became of it. */
async function play({ n, event, delay }: Killed, { server, shop }: (typeof lanes)[number], database: string) {
  const what = `${seedNote(SEED)}, run ${n} killed ${delay} ms after event ${event}`;
  const careful = carefulBuyer(shop);
  shop.reset();
  server.thinks(careful);
  const order = { database, runId: `run-${SEED}-${n}`, threadId: `ann-${SEED}-${n}` };
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
  expect(await first.ended, what).toBe('');
  shop.onRequest = () => undefined;
  server.mind = careful;
  const said = await begin('restart').ended;
  expect(said, what).toContain('"status":"success"');
  const { result } = JSON.parse(said) as { result: { success: boolean; history: { steps: { step: number }[] } } };
  expect(result, `${what}: ${JSON.stringify(result, null, 1).slice(0, 6000)}`).toMatchObject({ success: true });
  expect(shop.orders, what).toEqual([{ items: ['Red mug'], name: 'Ann Lee', email: 'ann@example.com' }]);
  expect(
    result.history.steps.map(({ step }) => step),
    what,
  ).toEqual(result.history.steps.map((_, i) => i));
}

test(`${RUNS} runs that are killed at random moments (seed ${SEED}), their state in PostgreSQL, go on in other processes, and order once`, {
  timeout: 60_000 * RUNS,
}, async () => {
  const roll = dice(SEED);
  const left = Array.from({ length: RUNS }, (_, n) => ({ n, event: roll(EVENTS), delay: roll(60) }));
  const inLane = async (lane: (typeof lanes)[number]): Promise<void> => {
    for (let run = left.shift(); run !== undefined; run = left.shift()) await play(run, lane, postgres.url);
  };
  await Promise.all(lanes.map(inLane));
});
