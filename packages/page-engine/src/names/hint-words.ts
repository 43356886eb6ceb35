import { cutText } from '../text/cut-text.js';
import { singleSpaced } from '../text/line-breaks.js';

export const LONGEST_HINT = 40;

/** Words for the appearance, the layout or the kind of a control, which do not describe its purpose. */
const COMMON =
  'active auto badge bar base block body bold border bottom box btn button card center class clickable clearfix col cell color component container content control controls ' +
  'current cursor custom danger dark default disabled div element enabled even fa fab fal far fas fill first fixed flex float focus font fullwidth ghost glyphicon grid group header ' +
  'hidden hover icon icons image img info inline inner input item items label large last layout left lg light link links list main material md medium middle module mui ' +
  'nav new normal odd off on only outer outline outlined page panel picture primary ql relative right root round rounded row section selected show size sm small solid ' +
  'span static stroke style sub success svg symbols table text title toggle thin tooltip top ui unloaded loaded lazy spacer blank transparent placeholder pixel ad ads adx visible warning widget wrap wrapper white width xl xs';
const MEANINGLESS: ReadonlySet<string> = new Set(COMMON.split(' '));
/** Class names of utility style sheets. */
const UTILITY =
  /^-?(?:[mp][xytrblse]?|[wh]|min-[wh]|max-[wh]|gap|space|text|bg|border|rounded|shadow|font|leading|tracking|flex|grid|col|row|order|items|justify|self|align|float|inset|top|left|right|bottom|z|opacity|overflow|cursor|transition|duration|ease|delay|animate|transform|translate|rotate|scale|d|fs|fw|lh|g|ring|outline|object|pointer-events|select|sr|visually|hidden|is|has|js|css|sc|jss|jsx|svelte|emotion|mui|ng|v|data-v|col-(?:xs|sm|md|lg)|fa-(?:fw|lg|[0-9]x|spin)|ui-(?:state|corner|widget|helper|button|icon-blank)|svg-inline)-[^\s]*$/i;
/** The prefix of an icon class. */
const ICON_PREFIX = '(icons?|fa|bi|mdi|glyphicon|ql|ri|ti|octicon|lucide|feather|tabler|codicon|pi|cil|lni|ion)[-_]';
const ICON_CLASS = new RegExp(`(^|[-_])${ICON_PREFIX}`, 'i');
/** Common words that describe an icon when they directly follow such a prefix. */
const COMMON_ICON = new RegExp(`^${ICON_PREFIX}(bold|font|header|image|info|link|list|table|warning)$`, 'i');

/**
 * The most descriptive name in a class list or another text for programs; '' for none.
 * @param least 2 leaves out single words, which style sheets use for anything, 3 everything but icon names.
 */
export function descriptiveName(names: string, least: 1 | 2 | 3 = 1): string {
  let best = '';
  let most = least - 1;
  for (const name of names.split(/\s+/)) {
    const score = descriptiveness(name);
    if (score > most) [best, most] = [name, score];
  }
  return best;
}

function descriptiveness(raw: string): number {
  if (raw.length < 2 || raw.length > LONGEST_HINT || /[^\w-]/.test(raw)) return 0;
  const words = identifierWords(raw);
  if (COMMON_ICON.test(raw)) return 3;
  const descriptive = words.filter(word => !MEANINGLESS.has(word));
  if (descriptive.length === 0 || words.some(isNoise)) return 0;
  if (ICON_CLASS.test(raw)) return 3;
  if (UTILITY.test(raw)) return 0;
  return words.length > 1 ? 2 : 1;
}

function identifierWords(name: string): string[] {
  return name
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+|\s/)
    .filter(word => word !== '');
}

/** Whether a word is probably generated: letters and digits alternate, or many letters have no vowel. */
function isNoise(word: string): boolean {
  if (/^\d{3,}$/.test(word)) return true;
  if (/\d[a-z]+\d|[a-z]\d+[a-z]/.test(word)) return true;
  return word.length > 4 && !/[aeiouy]/.test(word);
}

/** Whether a name is empty or consists of private-use characters of an icon font. */
export function isNameless(name: string): boolean {
  return name === '' || /^[\p{Co}\s]+$/u.test(name);
}

/** Keeps letters and digits: authors write the same words with different punctuation. */
export function lettersOf(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');
}

/** Formats a text as a one-line hint without the characters that delimit refs and names in a snapshot. */
export function asHint(text: string): string {
  const cut = cutText(singleSpaced(text.replace(/[[\]"@\p{C}\p{Co}]/gu, ' ')), LONGEST_HINT);
  return /[\p{L}\p{N}]/u.test(cut) ? cut : '';
}

/** Extensions of files that browsers download and do not show. */
const FILE = /\.(?:zip|gz|tgz|bz2|xz|7z|rar|csv|tsv|xlsx?|docx?|pptx?|od[tsp]|exe|msi|dmg|pkg|deb|rpm|apk|iso|epub)$/i;

export function isFileUrl(url: string): boolean {
  return FILE.test(url.split(/[?#]/)[0] ?? '');
}
