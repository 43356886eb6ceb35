/** A result as far as the choice of what to shorten needs it. */
export interface Weighed {
  kind: 'view' | 'more' | 'reading' | 'change';
  /** Results of one step of the model came at once. */
  step: number;
  hasPicture: boolean;
  /** Estimated tokens that shortening it saves. */
  saves: number;
}

/** What stays whole besides the newest view of the page: changes since then, and readings, the newest of each. */
const NEWEST_CHANGES = 5;
const NEWEST_READINGS = 3;
/** What saves fewer tokens is not worth a line that says less: short errors stay. */
const LEAST_SAVING = 30;

/**
 * Which results to shorten. What is out of date is gathered until it is worth `batch` tokens and goes together: each
 * time that a prompt's middle changes, the provider's prompt cache is lost from there on. Only pictures go at once.
 *
 * Invariant: what is chosen after some results is chosen after more of them too, so that a prompt that goes on begins
 * as it began before, in every step and in every run.
 */
export function toShorten(results: readonly Weighed[], batch: number): ReadonlySet<number> {
  const chosen = new Set<number>();
  results.forEach(({ step }, index) => {
    if (results[index + 1]?.step === step) return;
    const outdated = outdatedIn(results.slice(0, index + 1)).filter(old => !chosen.has(old));
    const gathered = outdated.reduce((sum, old) => sum + (results[old]?.saves ?? 0), 0);
    if (gathered >= batch || outdated.some(old => results[old]?.hasPicture))
      for (const old of outdated) chosen.add(old);
  });
  return chosen;
}

function outdatedIn(results: readonly Weighed[]): number[] {
  const view = results.findLastIndex(({ kind }) => kind === 'view');
  const since = (kind: Weighed['kind']) =>
    results.flatMap((one, index) => (one.kind === kind && index > view ? [index] : []));
  const readings = results.flatMap(({ kind, hasPicture }, index) => (kind === 'reading' && !hasPicture ? [index] : []));
  const kept = new Set([
    view,
    results.length - 1,
    results.findLastIndex(({ hasPicture }) => hasPicture),
    ...since('more'),
    ...since('change').slice(-NEWEST_CHANGES),
    ...readings.slice(-NEWEST_READINGS),
  ]);
  return results.flatMap(({ saves }, index) => (kept.has(index) || saves < LEAST_SAVING ? [] : [index]));
}
