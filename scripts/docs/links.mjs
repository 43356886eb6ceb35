import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { withoutCodeBlocks } from './markdown.mjs';

/**
 * The relative links of a document that lead to no file, or to a heading that its file does not have.
 * @param {string} root
 * @param {string} file path from the root
 * @param {string} text its Markdown
 * @returns {string[]} a line for each, with the file
 */
export function deadLinks(root, file, text) {
  const prose = withoutCodeBlocks(text).replace(/`[^`\n]*`/g, '');
  const targets = [...prose.matchAll(/\]\((?![a-z][\w+.-]*:)([^)\s]+)[^)]*\)/gi)].map(([, target = '']) => target);
  return targets.flatMap(target => {
    const [path = '', heading] = target.split('#');
    const linked = path === '' ? file : join(dirname(file), decodeURI(path));
    if (path !== '' && !existsSync(join(root, linked))) return [`${file}: ${target} does not exist`];
    if (heading === undefined || !linked.endsWith('.md')) return [];
    const known = anchors(path === '' ? text : readFileSync(join(root, linked), 'utf8'));
    return known.includes(heading) ? [] : [`${file}: ${target} has no such heading`];
  });
}

/**
 * The anchors of a document's headings, as GitHub makes them.
 * @param {string} text
 */
export function anchors(text) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  return [...withoutCodeBlocks(text).matchAll(/^#{1,6} (.*)$/gm)].map(([, heading = '']) => {
    const anchor = anchorOf(heading);
    const earlier = counts.get(anchor) ?? 0;
    counts.set(anchor, earlier + 1);
    return earlier === 0 ? anchor : `${anchor}-${earlier}`;
  });
}

/**
 * As GitHub makes it, for the first heading with these words.
 * @param {string} heading
 */
export function anchorOf(heading) {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}_\- ]/gu, '')
    .replaceAll(' ', '-');
}
