/** So many runs of refs are told. */
const RUNS_TOLD = 2;

/** Such as ` (@e14-@e51, @e60)`; empty where there are none. */
export function refRuns(refs: readonly string[]): string {
  const runs = runsOf(refs.map(ref => Number(ref.slice(2))));
  const told = runs
    .slice(0, RUNS_TOLD)
    .map(([first, last]) => (first === last ? `@e${first}` : `@e${first}-@e${last}`));
  if (runs.length > RUNS_TOLD) told.push('…');
  return told.length === 0 ? '' : ` (${told.join(', ')})`;
}

/** Numbers that follow each other, by the first and the last: elements that came later have higher ones. */
function runsOf(numbers: readonly number[]): [first: number, last: number][] {
  const runs: [number, number][] = [];
  for (const number of numbers) {
    const run = runs[runs.length - 1];
    if (run !== undefined && number === run[1] + 1) run[1] = number;
    else runs.push([number, number]);
  }
  return runs;
}
