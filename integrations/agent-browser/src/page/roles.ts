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

/** Roles of elements that do not depend on their context (HTML-AAM 3.5, SVG-AAM 6.2, MathML-AAM). */
export const ROLE_OF_TAG: ReadonlyMap<string, string> = new Map([
  ['address', 'group'],
  ['article', 'article'],
  ['blockquote', 'blockquote'],
  ['button', 'button'],
  ['caption', 'caption'],
  ['code', 'code'],
  ['datalist', 'listbox'],
  ['dd', 'definition'],
  ['del', 'deletion'],
  ['details', 'group'],
  ['dfn', 'term'],
  ['dialog', 'dialog'],
  ['dir', 'list'],
  ['dt', 'term'],
  ['em', 'emphasis'],
  ['fieldset', 'group'],
  ['figure', 'figure'],
  ['h1', 'heading'],
  ['h2', 'heading'],
  ['h3', 'heading'],
  ['h4', 'heading'],
  ['h5', 'heading'],
  ['h6', 'heading'],
  ['hgroup', 'group'],
  ['hr', 'separator'],
  ['html', 'document'],
  ['ins', 'insertion'],
  ['main', 'main'],
  ['mark', 'mark'],
  ['menu', 'list'],
  ['meter', 'meter'],
  ['nav', 'navigation'],
  ['ol', 'list'],
  ['optgroup', 'group'],
  ['option', 'option'],
  ['output', 'status'],
  ['p', 'paragraph'],
  ['progress', 'progressbar'],
  ['s', 'deletion'],
  ['search', 'search'],
  ['strong', 'strong'],
  ['sub', 'subscript'],
  ['sup', 'superscript'],
  ['table', 'table'],
  ['textarea', 'textbox'],
  ['time', 'time'],
  ['ul', 'list'],
  ['svg:image', 'img'],
  ['svg:svg', 'img'],
  ['xml:math', 'math'],
]);

/** Types that are missing here, such as `date`, `color` and `password`, take text. */
export const ROLE_OF_INPUT_TYPE: ReadonlyMap<string, string> = new Map([
  ['button', 'button'],
  ['checkbox', 'checkbox'],
  ['file', 'button'],
  ['hidden', ''],
  ['image', 'button'],
  ['number', 'spinbutton'],
  ['radio', 'radio'],
  ['range', 'slider'],
  ['reset', 'button'],
  ['submit', 'button'],
]);

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

/** Grouping roles whose name says what their contents are for. */
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

/** Structural roles whose own box gives their distance; the others take the distance of their content. */
export const MEASURED_ROLES: ReadonlySet<string> = new Set([
  ...MESSAGE_ROLES,
  'cell',
  'columnheader',
  'gridcell',
  'heading',
  'img',
  'rowheader',
]);

/** Roles that structure a page; listed because they show where their content belongs. */
export const STRUCTURE_ROLES: ReadonlySet<string> = new Set([
  ...LANDMARK_ROLES,
  ...GROUP_ROLES,
  ...MESSAGE_ROLES,
  ...DIALOG_ROLES,
  'article',
  'cell',
  'columnheader',
  'gridcell',
  'heading',
  'listitem',
  'log',
  'marquee',
  'row',
  'rowheader',
  'scrollbar',
]);

/** Roles that are listed only with a name; without one they only describe appearance. */
export const NAMED_ROLES = new Set(['img', 'graphics-document', 'graphics-object', 'graphics-symbol']);

/** Roles of what is pressed as a whole (WAI-ARIA 1.2, 5.3.2), and is called by the text inside it. */
const PRESSED_ROLES = [
  'button',
  'checkbox',
  'link',
  'menuitem',
  'menuitemcheckbox',
  'menuitemradio',
  'option',
  'radio',
  'switch',
  'tab',
];

/** Widgets that are pressed or dragged as a whole. */
export const WHOLE_WIDGETS: ReadonlySet<string> = new Set([...PRESSED_ROLES, 'slider']);

export const FIELD_ROLES: ReadonlySet<string> = new Set(['textbox', 'searchbox', 'combobox', 'slider', 'spinbutton']);

/** Roles of widgets that a person acts on (WAI-ARIA 1.2, section 5.3.2). */
export const WIDGET_ROLES: ReadonlySet<string> = new Set([...PRESSED_ROLES, ...FIELD_ROLES, 'treeitem']);

/** Roles whose name repeats the text inside them (WAI-ARIA 1.2, name from content). */
export const CONTENT_NAMED_ROLES: ReadonlySet<string> = new Set([
  ...PRESSED_ROLES,
  'cell',
  'columnheader',
  'doc-backlink',
  'doc-biblioref',
  'doc-glossref',
  'doc-noteref',
  'doc-subtitle',
  'gridcell',
  'heading',
  'rowheader',
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

/** Attributes that say how content is to be read, beside those that name it or lead elsewhere. */
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

export const OPTION_ROLES: ReadonlySet<string> = new Set([
  'option',
  'menuitem',
  'menuitemradio',
  'menuitemcheckbox',
  'treeitem',
]);
