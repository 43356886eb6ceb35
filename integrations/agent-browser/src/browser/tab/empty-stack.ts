/**
 * Does something with nothing beneath it on the stack. Playwright writes out the stack of whoever calls it, fifty frames
 * deep and with those that wait. In a process where something else writes stacks (`source-map-support`, which many
 * libraries install), that takes more time than the rest of a call's way to Chromium.
 */
export function onEmptyStack<T>(act: () => Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    queueMicrotask(async () => {
      try {
        resolve(await act());
      } catch (error) {
        reject(error);
      }
    });
  });
}
