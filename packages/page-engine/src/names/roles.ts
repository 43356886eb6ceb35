/** Role tokens of WAI-ARIA 1.2 and its 1.3 additions, DPUB-ARIA 1.1 and Graphics-ARIA 1.0, without abstract roles. */
const ROLE_TOKENS = `alert alertdialog application article banner blockquote button caption cell checkbox code columnheader
combobox comment complementary contentinfo definition deletion dialog directory document emphasis feed figure form grid
gridcell group heading img insertion link list listbox listitem log main mark marquee math menu menubar menuitem
menuitemcheckbox menuitemradio meter navigation none note option paragraph progressbar radio radiogroup region row
rowgroup rowheader scrollbar search searchbox separator slider spinbutton status strong subscript suggestion superscript
switch tab table tablist tabpanel term textbox time timer toolbar tooltip tree treegrid treeitem
doc-abstract doc-acknowledgments doc-afterword doc-appendix doc-backlink doc-biblioentry doc-bibliography doc-biblioref
doc-chapter doc-colophon doc-conclusion doc-cover doc-credit doc-credits doc-dedication doc-endnote doc-endnotes
doc-epigraph doc-epilogue doc-errata doc-example doc-footnote doc-foreword doc-glossary doc-glossref doc-index
doc-introduction doc-noteref doc-notice doc-pagebreak doc-pagefooter doc-pageheader doc-pagelist doc-part doc-preface
doc-prologue doc-pullquote doc-qna doc-subtitle doc-tip doc-toc graphics-document graphics-object graphics-symbol`;

/** Roles by role token; synonyms share one role, and `generic` is the empty role. */
export const ROLE_OF_TOKEN: ReadonlyMap<string, string> = new Map([
  ...ROLE_TOKENS.split(/\s+/).map(token => [token, token] as const),
  ['generic', ''],
  ['image', 'img'],
  ['presentation', 'none'],
]);

/** Tags by role, of elements whose role does not depend on their context (HTML-AAM 3.5, SVG-AAM 6.2, MathML-AAM). */
export const ROLE_OF_TAG = rolesBy({
  article: ['article'],
  blockquote: ['blockquote'],
  button: ['button'],
  caption: ['caption'],
  code: ['code'],
  definition: ['dd'],
  deletion: ['del', 's'],
  dialog: ['dialog'],
  document: ['html'],
  emphasis: ['em'],
  figure: ['figure'],
  group: ['address', 'details', 'fieldset', 'hgroup', 'optgroup'],
  heading: ['h1', 'h2', 'h3', 'h4', 'h5', 'h6'],
  img: ['svg:image', 'svg:svg'],
  insertion: ['ins'],
  list: ['dir', 'menu', 'ol', 'ul'],
  listbox: ['datalist'],
  main: ['main'],
  mark: ['mark'],
  math: ['xml:math'],
  meter: ['meter'],
  navigation: ['nav'],
  option: ['option'],
  paragraph: ['p'],
  progressbar: ['progress'],
  search: ['search'],
  separator: ['hr'],
  status: ['output'],
  strong: ['strong'],
  subscript: ['sub'],
  superscript: ['sup'],
  table: ['table'],
  term: ['dfn', 'dt'],
  textbox: ['textarea'],
  time: ['time'],
});

/** Types that are missing here, such as `date`, `color` and `password`, take text. */
export const ROLE_OF_INPUT_TYPE = rolesBy({
  '': ['hidden'],
  button: ['button', 'file', 'image', 'reset', 'submit'],
  checkbox: ['checkbox'],
  radio: ['radio'],
  slider: ['range'],
  spinbutton: ['number'],
});

function rolesBy(names: Readonly<Record<string, readonly string[]>>): ReadonlyMap<string, string> {
  return new Map(Object.entries(names).flatMap(([role, all]) => all.map(name => [name, role])));
}

/** Global states and properties (WAI-ARIA 1.2, 6.5, and those of 1.3) without the ones deprecated as global. */
export const GLOBAL_ATTRIBUTES: ReadonlySet<string> = new Set([
  'aria-atomic',
  'aria-braillelabel',
  'aria-brailleroledescription',
  'aria-busy',
  'aria-controls',
  'aria-current',
  'aria-describedby',
  'aria-description',
  'aria-details',
  'aria-dropeffect',
  'aria-flowto',
  'aria-grabbed',
  'aria-hidden',
  'aria-keyshortcuts',
  'aria-label',
  'aria-labelledby',
  'aria-live',
  'aria-owns',
  'aria-relevant',
  'aria-roledescription',
]);

/** Roles that prohibit a name (WAI-ARIA 1.2, 5.2.8.6; 1.3 for `mark` and `suggestion`). */
export const NAMELESS_ROLES: ReadonlySet<string> = new Set([
  'caption',
  'code',
  'deletion',
  'emphasis',
  'insertion',
  'mark',
  'none',
  'paragraph',
  'strong',
  'subscript',
  'suggestion',
  'superscript',
]);

/** Landmarks (WAI-ARIA 1.2, 5.3.4). */
export const LANDMARK_ROLES: ReadonlySet<string> = new Set([
  'banner',
  'complementary',
  'contentinfo',
  'form',
  'main',
  'navigation',
  'region',
  'search',
]);

/** Grouping roles whose name describes what their contents are for. */
export const GROUP_ROLES: ReadonlySet<string> = new Set([
  'application',
  'feed',
  'figure',
  'grid',
  'group',
  'list',
  'listbox',
  'menu',
  'menubar',
  'radiogroup',
  'table',
  'tablist',
  'tabpanel',
  'toolbar',
  'tree',
  'treegrid',
]);

/** Roles that exist to convey their text. */
export const MESSAGE_ROLES: ReadonlySet<string> = new Set([
  'alert',
  'meter',
  'progressbar',
  'status',
  'timer',
  'tooltip',
]);

export const DIALOG_ROLES: ReadonlySet<string> = new Set(['dialog', 'alertdialog']);

const TABLE_CELLS = ['cell', 'columnheader', 'gridcell', 'rowheader'];

/** Structural roles whose own box gives their distance; the others take the distance of their content. */
export const MEASURED_ROLES: ReadonlySet<string> = new Set([...MESSAGE_ROLES, ...TABLE_CELLS, 'heading', 'img']);

/** Roles that structure a page; listed because they show where their content belongs. */
export const STRUCTURE_ROLES: ReadonlySet<string> = new Set([
  ...LANDMARK_ROLES,
  ...GROUP_ROLES,
  ...MESSAGE_ROLES,
  ...DIALOG_ROLES,
  ...TABLE_CELLS,
  'article',
  'heading',
  'listitem',
  'log',
  'marquee',
  'row',
  'scrollbar',
]);

/** Roles that are listed only with a name; without one they only describe appearance. */
export const NAMED_ROLES = new Set(['img', 'graphics-document', 'graphics-object', 'graphics-symbol']);

/** Roles of what is chosen in a list or menu. */
const CHOICE_ROLES = ['menuitem', 'menuitemcheckbox', 'menuitemradio', 'option'];

/** Roles of what is pressed as a whole (WAI-ARIA 1.2, 5.3.2), and is called by the text inside it. */
const PRESSED_ROLES = ['button', 'checkbox', 'link', ...CHOICE_ROLES, 'radio', 'switch', 'tab'];

/** Widgets that are pressed or dragged as a whole. */
export const WHOLE_WIDGETS: ReadonlySet<string> = new Set([...PRESSED_ROLES, 'slider']);

export const FIELD_ROLES: ReadonlySet<string> = new Set(['textbox', 'searchbox', 'combobox', 'slider', 'spinbutton']);

/** Roles of widgets that a person acts on (WAI-ARIA 1.2, section 5.3.2). */
export const WIDGET_ROLES: ReadonlySet<string> = new Set([...PRESSED_ROLES, ...FIELD_ROLES, 'treeitem']);

/** Roles whose name repeats the text inside them (WAI-ARIA 1.2, name from content). */
export const CONTENT_NAMED_ROLES: ReadonlySet<string> = new Set([
  ...PRESSED_ROLES,
  ...TABLE_CELLS,
  'doc-backlink',
  'doc-biblioref',
  'doc-glossref',
  'doc-noteref',
  'doc-subtitle',
  'heading',
  'tooltip',
  'treeitem',
]);

/** Elements whose content is not rendered as text. */
export const OPAQUE_TAGS = new Set([
  'SCRIPT',
  'STYLE',
  'NOSCRIPT',
  'TEMPLATE',
  'HEAD',
  'META',
  'LINK',
  'TITLE',
  'BASE',
  'SOURCE',
  'TRACK',
  'COLGROUP',
  'COL',
  'DATALIST',
]);

/** Elements that are a leaf to a person, whatever their markup contains. */
export const LEAF_TAGS = new Set([
  'SELECT',
  'TEXTAREA',
  'IFRAME',
  'FRAME',
  'VIDEO',
  'AUDIO',
  'CANVAS',
  'IMG',
  'INPUT',
  'HR',
  'PROGRESS',
  'METER',
]);

/** Attributes that define how content is to be read, beside those that name it or lead elsewhere. */
export const READING_ATTRIBUTES = [
  'lang',
  'dir',
  'datetime',
  'colspan',
  'rowspan',
  'scope',
  'start',
  'reversed',
  'value',
];

/** Elements that flow with the text around them (HTML, phrasing content), so that one sentence stays one text. */
export const INLINE_TAGS = new Set([
  'A',
  'ABBR',
  'ACRONYM',
  'B',
  'BDI',
  'BDO',
  'BIG',
  'CITE',
  'CODE',
  'DATA',
  'DEL',
  'DFN',
  'EM',
  'FONT',
  'I',
  'INS',
  'KBD',
  'MARK',
  'Q',
  'S',
  'SAMP',
  'SLOT',
  'SMALL',
  'SPAN',
  'STRIKE',
  'STRONG',
  'SUB',
  'SUP',
  'TIME',
  'TT',
  'U',
  'VAR',
  'WBR',
]);

export const OPTION_ROLES: ReadonlySet<string> = new Set([...CHOICE_ROLES, 'treeitem']);
