/** Markup, and the line of the full view that tells of it: `§` is a number of its own. */
export type ViewCase = readonly [html: string, line: string];

/** Roles that may be named (WAI-ARIA 1.2, 5.2.8.4; Graphics-ARIA 1.0; DPUB-ARIA 1.1), and what holds them. */
const LABELLED_ROLES = `alert alertdialog application article banner blockquote button checkbox combobox complementary
contentinfo definition dialog directory document feed figure form grid group heading img link list listbox log main
marquee math menu menubar menuitem menuitemcheckbox menuitemradio meter navigation note option progressbar radio
radiogroup region scrollbar search searchbox separator slider spinbutton status switch tab table tablist tabpanel
term textbox time timer toolbar tooltip tree treegrid treeitem graphics-document graphics-object graphics-symbol
doc-abstract doc-chapter doc-example doc-footnote doc-noteref doc-pagebreak doc-tip row rowgroup`.split(/\s+/);

/** Roles that may not, whose authors gave them a name all the same. */
const PROHIBITED_ROLES = `caption code deletion emphasis insertion mark paragraph strong subscript superscript`.split(
  ' ',
);

const inList = (html: string) => `<div role="list">${html}</div>`;
const inRow = (html: string) => `<div role="table"><div role="row">${html}<div role="cell">y</div></div></div>`;

export const labelledRoles: readonly ViewCase[] = [
  ...[...LABELLED_ROLES, ...PROHIBITED_ROLES].map(
    role => [`<div role="${role}" aria-label="label §">x</div>`, `${role} "label §"`] as const,
  ),
  [inList('<div role="listitem" aria-label="label §">x</div>'), 'listitem "label §"'],
  ...['cell', 'gridcell', 'columnheader', 'rowheader'].map(
    role => [inRow(`<div role="${role}" aria-label="label §">x</div>`), `${role} "label §"`] as const,
  ),
];

/** HTML elements that take a label (HTML-AAM 1.0, 3.5 and 4.1; SVG-AAM 1.0). */
const ELEMENTS: readonly [tag: string, role: string][] = [
  ['address', 'group'],
  ['article', 'article'],
  ['aside', 'complementary'],
  ['blockquote', 'blockquote'],
  ['code', 'code'],
  ['del', 'deletion'],
  ['details', 'group'],
  ['dfn', 'term'],
  ['dl', 'generic'],
  ['em', 'emphasis'],
  ['fieldset', 'group'],
  ['figure', 'figure'],
  ['footer', 'contentinfo'],
  ['form', 'form'],
  ['h3', 'heading'],
  ['header', 'banner'],
  ['hgroup', 'group'],
  ['ins', 'insertion'],
  ['main', 'main'],
  ['mark', 'mark'],
  ['math', 'math'],
  ['menu', 'list'],
  ['meter', 'meter'],
  ['nav', 'navigation'],
  ['ol', 'list'],
  ['output', 'status'],
  ['p', 'paragraph'],
  ['progress', 'progressbar'],
  ['search', 'search'],
  ['section', 'region'],
  ['select', 'combobox'],
  ['span', 'generic'],
  ['strong', 'strong'],
  ['sub', 'subscript'],
  ['sup', 'superscript'],
  ['textarea', 'textbox'],
  ['time', 'time'],
  ['ul', 'list'],
];

export const labelledElements: readonly ViewCase[] = [
  ...ELEMENTS.flatMap(([tag, role]): ViewCase[] => [
    [`<${tag} aria-label="label §">x</${tag}>`, `${role} "label §"`],
    [`<i id="i§" hidden>labeller §</i><${tag} aria-labelledby="i§" title="y">x</${tag}>`, `${role} "labeller §"`],
    [`<${tag} title="tooltip §"></${tag}>`, `${role} "tooltip §"`],
  ]),
  ['<hr aria-label="label §">', 'separator "label §"'],
  ['<hr title="tooltip §">', 'separator "tooltip §"'],
  ['<img alt="" aria-label="label §">', 'img "label §"'],
  ['<abbr title="label §">x</abbr>', 'generic "label §"'],
  ['<kbd title="label §">x</kbd>', 'generic "label §"'],
  ['<dl><dt aria-label="label §">x</dt><dd>y</dd></dl>', 'term "label §"'],
  ['<dl><dt>x</dt><dd aria-label="label §">y</dd></dl>', 'definition "label §"'],
  ['<table><thead aria-label="label §"><tr><th>x</th><td>y</td></tr></thead></table>', 'rowgroup "label §"'],
  ['<table><tbody aria-label="label §"><tr><th>x</th><td>y</td></tr></tbody></table>', 'rowgroup "label §"'],
  ['<table><tfoot aria-label="label §"><tr><td>x</td><td>y</td></tr></tfoot></table>', 'rowgroup "label §"'],
  ['<table><tr aria-label="label §"><td>x</td><td>y</td></tr></table>', 'row "label §"'],
  ['<table><tr><td aria-label="label §">x</td><td><a href="#">y</a></td></tr></table>', 'cell "label §"'],
  ['<table><caption>label §</caption><tr><td>x</td><td>y</td></tr></table>', 'table "label §"'],
  ['<fieldset><legend>label §</legend><input></fieldset>', 'group "label §"'],
  ['<figure>x<figcaption>label §</figcaption></figure>', 'figure "label §"'],
  ['<svg><circle r="9"><title>label §</title></circle></svg>', 'graphics-symbol "label §"'],
  ['<svg><g><title>label §</title><rect width="9" height="9"/></g></svg>', 'group "label §"'],
  ['<svg aria-label="label §"><circle r="9"><title>x</title></circle></svg>', 'img "label §"'],
  ['<svg><a href="#" xlink:title="label §"><circle r="9"/></a></svg>', 'link "label §"'],
];

const checkbox = (html: string, line: string): ViewCase => [
  `<label><input type="checkbox"> Flash § ${html} times</label>`,
  `checkbox "Flash § ${line}times"`,
];

/** AccName 1.2, step 2C: a control within a label says what it holds. */
export const embeddedControls: readonly ViewCase[] = [
  checkbox('<input value="3">', '3 '),
  checkbox('<input value="3" aria-label="how often">', '3 '),
  checkbox('<span role="textbox" contenteditable>3</span>', '3 '),
  checkbox('<textarea>3</textarea>', '3 '),
  checkbox('<select><option>1<option selected>3</select>', '3 '),
  checkbox('<select size="2"><option>1<option selected>3</select>', '3 '),
  checkbox('<input role="combobox" value="3">', '3 '),
  checkbox('<span role="combobox" tabindex="0" aria-label="how often">3</span>', '3 '),
  checkbox('<span role="combobox" tabindex="0" aria-controls="none">3</span>', '3 '),
  checkbox('<div role="combobox"><div role="textbox">3</div></div>', '3 '),
  checkbox(
    '<div role="combobox"><div role="textbox"></div><ul role="listbox"><li role="option">1</li><li role="option" aria-selected="true">3</li></ul></div>',
    '3 ',
  ),
  checkbox('<div role="combobox"><ul role="listbox"><li role="option">1</li></ul></div>', ''),
  checkbox('<ul role="listbox"><li role="option">1</li><li role="option" aria-selected="true">3</li></ul>', '3 '),
  checkbox('<ul role="listbox"><li role="option">1</li></ul>', ''),
  checkbox('<input type="range" min="1" max="5" value="3">', '3 '),
  checkbox('<input type="number" value="3">', '3 '),
  checkbox('<span role="slider" aria-valuenow="3" aria-label="how often"></span>', '3 '),
  checkbox('<span role="slider" aria-valuenow="1" aria-valuetext="3"></span>', '3 '),
  checkbox('<span role="spinbutton" aria-valuenow="3">9</span>', '3 '),
  checkbox('<meter min="0" max="5" value="3"></meter>', '3 '),
  checkbox('<span role="menu"><span role="menuitem">9</span></span>', ''),
];

const host = (tree: string, light = '') =>
  `<label id="l§"><div><template shadowrootmode="open">${tree}</template>${light}</div></label><button aria-labelledby="l§"></button>`;

/** Slots are seen through: what is assigned to them, or stands in for it, is the text. */
export const slots: readonly ViewCase[] = [
  [host('a § <slot></slot> b', 'x'), 'button "a § x b"'],
  [host('a § <slot>default</slot> b'), 'button "a § default b"'],
  [host('a § <slot aria-label="no"></slot> b', 'x'), 'button "a § x b"'],
  [host('a § <slot aria-label="no">default</slot> b'), 'button "a § default b"'],
  [host('a § <slot title="no"></slot> b', 'x'), 'button "a § x b"'],
  [host('a § <slot name="s"></slot> b', '<i slot="s" aria-label="x">no</i>'), 'button "a § x b"'],
  [host('a §'), 'button "a §"'],
  [host('<div aria-label="a §"></div>'), 'button "a §"'],
];

const LONG = 'the quick brown fox jumps over the lazy dog and then over the fence, the brook, the road and the hill';

/** In the full view a text is told to its end, also where it is a name. */
export const longTexts: readonly ViewCase[] = [
  [`<a href="#">§ ${LONG}</a>`, `link "§ ${LONG}"`],
  [`<a href="#">§ ${LONG} <button>more</button></a>`, `link "§ ${LONG} more"`],
  [`<h2>§ ${LONG}</h2>`, `heading "§ ${LONG}"`],
  [`<img alt="§ ${LONG}">`, `img "§ ${LONG}"`],
  [`<button aria-label="§ ${LONG}">x</button>`, `button "§ ${LONG}"`],
  [`<p>§ ${LONG}</p>`, `text "§ ${LONG}"`],
  [
    `<a href="#" aria-labelledby="a§ b§ c§"><i id="a§">§ visible <b aria-hidden="true">not</b></i><i id="b§" aria-hidden="true">${LONG}</i><i id="c§" hidden>hidden</i></a>`,
    `link "§ visible ${LONG} hidden"`,
  ],
];

/** Names that are not plain words, or that come from several places. */
export const otherNames: readonly ViewCase[] = [
  ['<button aria-label="\u2800§">x</button>', 'button "\u2800§"'],
  ['<nav aria-label="label §&nbsp;">x</nav>', 'navigation "label §\u00a0"'],
  ['<button aria-label="&nbsp;label §">x</button>', 'button "\u00a0label §"'],
  ['<a href="#" aria-label="\tlabel\n§ ">x</a>', 'link "label §"'],
  ['<div role="alert" aria-label="\nalert §">x</div>', 'alert "alert §"'],
  ['<button aria-label=" ">label §</button>', 'button "label §"'],
  ['<textarea aria-label=" " title="label §">x</textarea>', 'textbox "label §"'],
  [
    '<h2>label §, <span style="visibility:hidden">no <b style="visibility:visible">seen</b></span></h2>',
    'heading "label §, seen"',
  ],
  ['<h2>label<!-- no -->§</h2>', 'heading "label§"'],
  ['<nav aria-labelledby="a§ b§"><i id="a§">label</i><i>no</i><i id="b§">§</i></nav>', 'navigation "label §"'],
  [
    '<div role="group" id="g§" aria-label="own §" aria-labelledby="g§ h§"><h2 id="h§">+ other</h2></div>',
    'group "own § + other"',
  ],
  [
    '<i id="i§" style="visibility:collapse">label <b>§</b></i><button aria-labelledby="i§"></button>',
    'button "label §"',
  ],
  [
    '<i id="i§">label § <b style="visibility:hidden">no</b></i><button aria-labelledby="i§"></button>',
    'button "label §"',
  ],
  [
    '<button aria-labelledby="i§" aria-label="label §"><i id="i§"><b style="visibility:hidden">no</b></i>x</button>',
    'button "label §"',
  ],
  ['<a href="#" title="label §"><img src="#" alt=""></a>', 'link "label §"'],
  ['<img src="x.png" alt="" title="label §">', 'img "label §"'],
  ['<iframe title="label §" width="60" height="60"></iframe>', 'iframe "label §"'],
  ['<details><summary title="no">label §</summary>x</details>', 'button "label §"'],
  ['<label for="x§" hidden>label §</label><input id="x§" type="range">', 'slider "label §"'],
  ['<label for="y§" aria-hidden="true">label §</label><input id="y§" type="color">', 'textbox "label §"'],
  ['<input type="image" src="data:," alt="label §">', 'button "label §"'],
  ['<div role="dialog"><h2>label §</h2><p>x</p></div>', 'heading "label §"'],
  ['<button aria-owns="o§"><i aria-hidden="true"><b id="o§">label §</b></i></button>', 'button "label §"'],
  ['<h3><i hidden aria-owns="t§">no</i><mark id="t§">label §</mark></h3>', 'heading "label §"'],
];

/** Texts of elements that stand apart stay apart, in the name of whatever they are the text of. */
export const apart: readonly ViewCase[] = [
  ['<button><div>Jerald §</div><div>Juan</div></button>', 'button "Jerald § Juan"'],
  ['<ul><li tabindex="0"><div>Jerald §</div><div>Juan</div></li><li>other</li></ul>', 'listitem "Jerald § Juan"'],
  [
    '<div tabindex="0"><b style="display:inline-block">Jerald §</b><b style="display:inline-block">Juan</b></div>',
    'clickable "Jerald § Juan"',
  ],
  ['<div tabindex="0"><span>Jerald §</span><span style="display:block">Juan</span></div>', 'clickable "Jerald § Juan"'],
  ['<div tabindex="0">Jerald §<br>Juan</div>', 'clickable "Jerald § Juan"'],
  ['<div tabindex="0">Jerald §<b>Juan</b></div>', 'clickable "Jerald §Juan"'],
  ['<p onclick="">Jerald §<span style="display:flex">Juan</span></p>', 'text "Jerald § Juan"'],
  [
    '<p><span style="display:inline-block">Jerald §</span><span style="display:inline-block">Juan</span></p>',
    'text "Jerald § Juan"',
  ],
  ['<p><abbr title="label §">§</abbr> is the number</p>', 'text "is the number"'],
  [
    '<div role="grid"><div role="row" tabindex="0"><span role="gridcell">Folder §</span><span role="gridcell">3 kb</span></div></div>',
    'row "Folder § 3 kb"',
  ],
  ['<label><input type="radio" hidden><div>Jerald §</div><div>Juan</div></label>', 'radio "Jerald § Juan"'],
];
