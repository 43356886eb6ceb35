/**
 * What may take longer than `npm run check` allows, each with its reason.
 * @type {import('./ratchet.mjs').SlowTests}
 */
export const slowTests = {
  // A whole `npm test` on two cores with nothing beside it. Write it anew when the suite has become another one: the check
  // prints what the last run took.
  record: { workerSeconds: 5734, files: 277 },
  files: {},
  // By file, then by the test's full name.
  tests: {},
};
