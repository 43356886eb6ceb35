import { afterAll } from 'vitest';

/** After the tests of a file, takes away the listeners that libraries of others leave on the process for good. */
export function removeListenersOfLibraries(): void {
  const listening = new Map(process.eventNames().map(event => [event, process.listeners(event as 'exit')]));
  afterAll(() => {
    for (const event of process.eventNames() as 'exit'[])
      for (const listener of process.listeners(event))
        if (!listening.get(event)?.includes(listener)) process.off(event, listener);
  });
}
