/** @typedef {Awaited<ReturnType<typeof import('@changesets/read').readChangesets>>} Changesets */

/** What changesets call the size of a change, largest first, and what the page calls it. */
const SIZES = { major: 'Breaking', minor: 'New', patch: 'Better' };

/**
 * The Markdown of changes that no version has yet: each once, with the packages that it is in.
 * @param {Changesets} changesets
 */
export function pendingChanges(changesets) {
  const sections = Object.entries(SIZES).map(([size, title]) => {
    const lines = changesets.filter(changeset => sizeOf(changeset) === size).map(line);
    return lines.length === 0 ? '' : `### ${title}\n\n${lines.join('\n')}\n`;
  });
  const text = sections.filter(section => section !== '').join('\n');
  return text === '' ? '' : `## Not released yet\n\n${text}`;
}

/**
 * The Markdown of what a package's CHANGELOG tells, with its headings one level deeper.
 * @param {string} changelog
 */
export function releasedChanges(changelog) {
  return `${changelog.trim().replace(/^#+ /gm, heading => `#${heading}`)}\n`;
}

/** @param {Changesets[number]} changeset */
function sizeOf({ releases }) {
  return Object.keys(SIZES).find(size => releases.some(({ type }) => type === size));
}

/** @param {Changesets[number]} changeset */
function line({ releases, summary }) {
  const packages = releases.map(({ name }) => name.replace(/^@[^/]+\//, '')).join(', ');
  return `- **${packages}**: ${summary.trim().replace(/\n(?=.)/g, '\n  ')}`;
}
