const ESCAPE = /\\([0-9a-f]{1,6})[\t\n\f\r ]?|\\(.)/gis;
const LAST_CODE_POINT = 0x10ffff;

/** The text of a CSS identifier or of the inside of a string (CSS Syntax 3, 4.3.7). */
export function unescapeCss(source: string): string {
  if (!source.includes('\\')) return source;
  return source.replace(ESCAPE, (_match, hex: string | undefined, char: string | undefined) => {
    if (hex === undefined) return char ?? '';
    const code = Number.parseInt(hex, 16);
    return code === 0 || code > LAST_CODE_POINT ? '\ufffd' : String.fromCodePoint(code);
  });
}
