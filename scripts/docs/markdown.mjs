const FENCE = /^[ \t]*(`{3,}|~{3,})[\s\S]*?^[ \t]*\1/gm;

/**
 * A document with its code blocks as empty lines.
 * @param {string} text Markdown
 */
export function withoutCodeBlocks(text) {
  return text.replace(FENCE, blank);
}

/**
 * As many line breaks as there are in a text, so that what follows keeps its line.
 * @param {string} part
 */
export function blank(part) {
  return part.replace(/[^\n]/g, '');
}
