const TOKEN = /<[^>]*>|[^<]+/g;
const ATTRIBUTE = / ([\w-]+)="([^"]*)"/g;
/** It stands for the element that has it, where other text stands. */
const TEXT_ATTRIBUTE = 'alt';
const ENTITIES: Record<string, string> = { '&lt;': '<', '&gt;': '>', '&quot;': '"', '&amp;': '&' };

/**
 * Markup with its texts and the values of its attributes hidden. It is such as the engine in the page writes: values in
 * quotes, and `&`, `<`, `>` and `"` as entities.
 * @param hide Is given texts that stand beside each other.
 */
export function hideInMarkup(html: string, hide: (texts: readonly string[]) => readonly string[]): string {
  const tokens = html.match(TOKEN) ?? [];
  const texts: string[] = [];
  for (const token of tokens) {
    if (!token.startsWith('<')) texts.push(plain(token));
    else
      for (const [, name, value = ''] of token.matchAll(ATTRIBUTE))
        if (name === TEXT_ATTRIBUTE) texts.push(plain(value));
  }
  const hidden = hide(texts);
  let at = 0;
  const next = (written: string): string => {
    const [before, after] = [texts[at], hidden[at] ?? ''];
    at++;
    return before === after ? written : escaped(after);
  };
  const ofTag = (tag: string): string =>
    tag.replace(ATTRIBUTE, (_, name: string, value: string) => {
      const isText = name === TEXT_ATTRIBUTE;
      return ` ${name}="${isText ? next(value) : escaped(hide([plain(value)])[0] ?? '')}"`;
    });
  return tokens.map(token => (token.startsWith('<') ? ofTag(token) : next(token))).join('');
}

function plain(text: string): string {
  return text.replace(/&(?:lt|gt|quot|amp);/g, entity => ENTITIES[entity] ?? entity);
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
