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
 * The order rotates from round to round: nobody always runs after the heaviest.
 */
export async function interleave(
  subjects: readonly Timed[],
  { warmUps, rounds }: Rounds,
): Promise<Map<string, number[]>> {
  const samples = new Map<string, number[]>(subjects.map(subject => [subject.name, []]));
  for (let round = -warmUps; round < rounds; round++) {
    const first = Math.max(round, 0) % Math.max(subjects.length, 1);
    for (const subject of [...subjects.slice(first), ...subjects.slice(0, first)]) {
      const elapsed = await time(subject);
      if (round >= 0) samples.get(subject.name)?.push(elapsed);
    }
  }
  return samples;
}

async function time(subject: Timed): Promise<number> {
  await subject.prepare?.();
  const start = performance.now();
  await subject.run();
  return performance.now() - start;
}
