/**
 * Compares by major, minor and patch; what follows them does not count.
 * @param {string} version such as `v22.13.0`
 * @param {string} least such as `22.13.0`
 */
export function isAtLeast(version, least) {
  const [left, right] = [numbers(version), numbers(least)];
  const differing = left.findIndex((number, at) => number !== right[at]);
  return differing === -1 || Number(left[differing]) > Number(right[differing]);
}

/** @param {string} version */
export function majorOf(version) {
  return numbers(version)[0];
}

/** @param {string} version */
function numbers(version) {
  const match = /^v?(\d+)\.(\d+)\.(\d+)/.exec(version.trim());
  if (!match) throw new TypeError(`not a version: ${version}`);
  return match.slice(1).map(Number);
}
