import { Random } from '../pages/random.ts';

/** A thing to time; `prepare` runs before every sample and is not timed. */
export interface Timed {
  name: string;
  run(): Promise<unknown>;
  prepare?(): Promise<unknown>;
}

export interface Rounds {
  warmUps: number;
  rounds: number;
}

/**
 * Times every subject once a round, so that whatever slows the machine for a while slows all of them.
 * Each round has an order of its own: nobody always runs after the heaviest, whose work may go on in the background.
 */
export async function interleave(
  subjects: readonly Timed[],
  { warmUps, rounds }: Rounds,
): Promise<Map<string, number[]>> {
  const samples = new Map<string, number[]>(subjects.map(subject => [subject.name, []]));
  const random = new Random('rounds');
  for (let round = -warmUps; round < rounds; round++) {
    for (const subject of random.shuffled(subjects)) {
      const elapsed = await time(subject);
      if (round >= 0) samples.get(subject.name)?.push(elapsed);
    }
  }
  return samples;
}

async function time({ prepare, run }: Timed): Promise<number> {
  await prepare?.();
  return timeOf(run);
}

/** Milliseconds that a call takes. */
export async function timeOf(call: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await call();
  return performance.now() - start;
}
