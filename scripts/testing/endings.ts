/**
 * What test helpers end, and when. Files of a folder share workers, and a helper is evaluated once in each: a hook at its
 * top would be one of the first file alone. So helpers say here what to end, and the set-up of each file runs it.
 */

type Ending = () => unknown;

const afterTests: Ending[] = [];
const afterFiles: Ending[] = [];
const atTheEnd: Ending[] = [];
let kept = 0;

/** Runs something after each test of this worker. */
export function afterEachTest(ending: Ending): void {
  afterTests.push(ending);
}

/** Runs something after the last test of each file of this worker. */
export function afterEachFile(ending: Ending): void {
  afterFiles.push(ending);
}

/** Runs something when no test file is left for this worker process. An error of it fails the run. */
export function atWorkerEnd(ending: Ending): void {
  kept++;
  atTheEnd.push(ending);
}

/** How much was begun so far that lives as long as the worker. */
export const keptByWorker = (): number => kept;

export const endTest = (): Promise<void> => runAll([...afterTests]);
export const endFile = (): Promise<void> => runAll([...afterFiles]);
export const endWorker = (): Promise<void> => runAll(atTheEnd.splice(0));

/** Last begun, first ended; one that fails keeps none from its turn. */
async function runAll(endings: readonly Ending[]): Promise<void> {
  const errors: unknown[] = [];
  for (const ending of [...endings].reverse()) {
    try {
      await ending();
    } catch (error) {
      errors.push(error);
    }
  }
  if (errors.length > 0) throw new AggregateError(errors, errors.map(String).join('\n'));
}
