import type { NameCase } from './name-cases.js';

const PIXEL = 'data:image/gif;base64,R0lGODlhAQABAIAAAP///wAAACH5BAEAAAAALAAAAAABAAEAAAICRAEAOw==';

/** AccName 1.2, steps 2F to 2H: which text, and how it is joined. */
export const contentNames: readonly NameCase[] = [
  ['<button t> x\n y </button>', 'x y'],
  ['<a t href="#">x</a>', 'x'],
  ['<h2 t>x<!-- comment -->y</h2>', 'xy'],
  ['<button t><span>x</span><span>y</span></button>', 'xy'],
  ['<button t><span>x</span> <span>y</span></button>', 'x y'],
  ['<button t><div>x</div><div>y</div></button>', 'x y'],
  ['<button t>x<div></div>y</button>', 'x y'],
  ['<button t>x<br>y</button>', 'x y'],
  ['<button t>x<wbr>y</button>', 'xy'],
  ['<button t>x<sup>2</sup></button>', 'x2'],
  ['<button t><span style="display:block">x</span><span>y</span></button>', 'x y'],
  ['<button t><span style="display:inline-block">x</span><span>y</span></button>', 'x y'],
  ['<button t style="display:flex"><span>x</span><span>y</span></button>', 'x y'],
  ['<button t>x<span style="position:absolute">y</span>z</button>', 'x y z'],
  ['<button t><div style="display:inline">x</div>y</button>', 'xy'],
  ['<table><tr t><td>x</td><td>y</td></tr></table>', 'x y'],
  ['<button t>x&#8203;y&shy;z</button>', 'xyz'],
  ['<button t>x&nbsp;&nbsp;y</button>', 'x\u00a0\u00a0y'],
  ['<button t style="text-transform:uppercase">x</button>', 'x'],
  ['<h3 t>a <button>b <img alt="c"> d</button> e</h3>', 'a b c d e'],
  ['<h3 t>a <a href="#" aria-label="b">x</a> c</h3>', 'a b c'],
  ['<a t href="#"><img alt="x"></a>', 'x'],
  ['<a t href="#"><img alt="" title="x"></a>', 'x'],
  ['<a t href="#"><img role="none" alt="x"></a>', ''],
  ['<a t href="#"><img alt="x"> <span>y</span></a>', 'x y'],
  ['<button t><svg><title>x</title></svg></button>', 'x'],
  ['<button t><svg aria-label="x"></svg> y</button>', 'x y'],
  ['<button t><i title="x"></i></button>', 'x'],
  ['<button t><i title="x">y</i></button>', 'y'],
  ['<button t><p aria-label="x">y</p></button>', 'x'],
  ['<h2 t>x <iframe title="y"></iframe></h2>', 'x y'],
  ['<h2 t>x <script>y</script><style>z{}</style><template>q</template><noscript>r</noscript></h2>', 'x'],
  ['<div t role="tooltip">x</div>', 'x'],
  ['<div t role="switch">x</div>', 'x'],
  ['<div t role="tab">x <b>y</b></div>', 'x y'],
  ['<div t role="doc-noteref">x</div>', 'x'],
  ['<div t role="dialog"><h2>x</h2></div>', ''],
  ['<article t><h2>x</h2></article>', ''],
  ['<ul><li t>x</li></ul>', ''],
  ['<p t>x</p>', ''],
  ['<div t>x</div>', ''],
  ['<main t>x</main>', ''],
  ['<div t role="treeitem">x<ul role="group"><li role="treeitem">y</li></ul></div>', 'x'],
  ['<div t role="menuitem">x<div role="menu"><div role="menuitem">y</div></div></div>', 'x'],
  ['<h2 t>x <nav>y</nav></h2>', 'x'],
  ['<h2 t>x <div role="group">y</div></h2>', 'x'],
  ['<a t href="#"><address>x</address></a>', 'x'],
  ['<a t href="#"><hgroup><h2>x</h2><p>y</p></hgroup></a>', 'x y'],
  ['<a t href="#"><article><h2>x</h2><p>y</p></article></a>', 'x y'],
  ['<a t href="#"><ul><li>x</li><li>y</li></ul></a>', 'x y'],
  ['<button t><svg><text>x</text></svg></button>', 'x'],
  ['<a t href="#"><details><summary>x</summary>y</details> z</a>', 'z'],
  ['<h2 t>x <video title="y">fallback</video></h2>', 'x y'],
];

/** AccName 1.2, step 2A: what nobody sees is in no name. */
export const hiddenNames: readonly NameCase[] = [
  ['<button t>x <i hidden>y</i></button>', 'x'],
  ['<button t>x <i aria-hidden="true">y</i></button>', 'x'],
  ['<button t>x <i aria-hidden="TRUE">y</i></button>', 'x'],
  ['<button t>x <i aria-hidden="false">y</i></button>', 'x y'],
  ['<button t>x <i style="display:none">y</i></button>', 'x'],
  ['<button t>x <i style="visibility:hidden">y</i></button>', 'x'],
  ['<h2 t>x <i style="visibility:hidden">y <b style="visibility:visible">z</b></i></h2>', 'x z'],
  ['<button t>x <i style="opacity:0">y</i></button>', 'x y'],
  ['<button t>x <i style="display:contents">y</i></button>', 'x y'],
  ['<button t>x <div style="display:contents"><b>y</b></div></button>', 'x y'],
  ['<button t>x <div style="content-visibility:hidden"><b>y</b></div></button>', 'x'],
  ['<button t><div style="content-visibility:auto">y</div></button>', 'y'],
  ['<button t><span style="position:absolute;left:-999px">x</span></button>', 'x'],
  ['<button t><span style="clip-path:inset(50%);width:1px;height:1px;overflow:hidden">x</span></button>', 'x'],
  ['<button t><span style="font-size:0">x</span></button>', 'x'],
  ['<button t aria-owns="o">x</button><b id="o">y</b>', 'x y'],
  ['<button t aria-owns="o"></button><div aria-hidden="true"><b id="o">x</b></div>', 'x'],
  ['<a t href="#" aria-owns="o">x</a><b id="o" hidden>y</b>', 'x'],
  ['<a t href="#" aria-owns="o">x</a><div hidden><b id="o">y</b></div>', 'x'],
  ['<a t href="#" aria-owns="o">x</a><b id="o" aria-hidden="true">y</b>', 'x'],
  ['<h3 t><span hidden aria-owns="o">y</span><mark id="o">x</mark></h3>', 'x'],
  ['<a t id="s" href="#" aria-owns="s o">x</a><b id="o" aria-owns="s">y</b>', 'x y'],
];

/** AccName 1.2, step 2C: controls inside names. */
export const embeddedNames: readonly NameCase[] = [
  ['<label>Flash <input t type="checkbox"> the screen <input value="3"> times</label>', 'Flash the screen 3 times'],
  [
    '<label for="c">Flash <input value="3" aria-label="n"> times</label><input t id="c" type="checkbox">',
    'Flash 3 times',
  ],
  ['<h2 t>a <input value="x"> b</h2>', 'a x b'],
  ['<h2 t>a <textarea>x</textarea> b</h2>', 'a x b'],
  ['<h2 t>a <input type="password" value="secret"> b</h2>', 'a b'],
  ['<h2 t>a <div role="textbox">x <b>y</b></div> b</h2>', 'a x y b'],
  ['<h2 t>a <span contenteditable>x</span> b</h2>', 'a x b'],
  ['<h2 t>a <select><option>x<option selected>y</select> b</h2>', 'a y b'],
  ['<h2 t>a <select multiple><option selected>x<option selected>y<option>z</select> b</h2>', 'a x y b'],
  ['<h2 t>a <select size="3"><option>x<option>y</select> b</h2>', 'a b'],
  ['<h2 t>a <input role="combobox" value="x"> b</h2>', 'a x b'],
  [
    '<h2 t>a <div role="listbox"><div role="option" aria-selected="true">x</div><div role="option">y</div></div> b</h2>',
    'a x b',
  ],
  [
    '<h2 t>a <div role="combobox" aria-owns="l"></div> b</h2><div role="listbox" id="l"><i role="option" aria-selected="true">x</i></div>',
    'a x b',
  ],
  ['<h2 t>a <input type="range" value="30"> b</h2>', 'a 30 b'],
  ['<h2 t>a <input type="number" value="3"> b</h2>', 'a 3 b'],
  ['<h2 t>a <div role="slider" aria-valuenow="3" aria-valuetext="three">y</div> b</h2>', 'a three b'],
  ['<h2 t>a <div role="spinbutton" aria-valuenow="3">y</div> b</h2>', 'a 3 b'],
  ['<h2 t>a <progress value="3" max="9"></progress> b</h2>', 'a 3 b'],
  ['<h2 t>a <progress></progress> b</h2>', 'a b'],
  ['<h2 t>a <meter value="0.5"></meter> b</h2>', 'a 0.5 b'],
  ['<h2 t>a <ul role="menu"><li role="menuitem">x</ul> b</h2>', 'a b'],
  ['<h2 t>a <label>x <input type="checkbox"></label> b</h2>', 'a x b'],
  ['<h2 t>a <input type="checkbox" aria-label="x"> b</h2>', 'a x b'],
  ['<h2 t>a <input type="button" value="x"> b</h2>', 'a x b'],
];

/** AccName 1.2, 2F.ii: text from style sheets, here in classes that every case may use. */
export const GENERATED_CSS = `
  .before::before { content: "b" } .after::after { content: "a" } .block::before { content: "b"; display: block }
  .both::before { content: "b " } .both::after { content: " a" } .none::before { content: none } .empty::before { content: "" }
  .alt::before { content: "x" / "alt " } .no-alt::before { content: "x" / "" } .attr::before { content: attr(data-x) " " }
  .image::before { content: url(${PIXEL}) / "pic " } .mixed::before { content: "x" / "a " attr(data-x) " c " }
  .off::before { content: "b"; display: none } .veiled::before { content: "b"; visibility: hidden }
  .quoted::before { content: "say \\"hi\\" \\5c  " } .replaced { content: url(${PIXEL}) / "new" }
  [data-tip]::after { content: " " attr(data-tip) } a[rel~="ext"]::after { content: " (opens)" } #one::before { content: "1 " }
  .md\\:tag\\[1\\]::before { content: "t " } .outer { .inner &::before { content: "n " } &.self::before { content: "s " } }
  @media all { .media::before { content: "m " } } @media print { .print::before { content: "p " } }
  @layer base { .layer::before { content: "l " } } @supports (display: grid) { .grid::before { content: "g " } }
  .list > b:not(:last-child)::after { content: ", " } :is(.is, .where)::before { content: "i " } .var::before { content: var(--v) }
  .where::before { --x: 1 } mark::before { content: "[" } mark::after { content: "]" } .url::before { content: url(${PIXEL}) }`;

export const generatedNames: readonly NameCase[] = [
  ['<button t class="before">x</button>', 'bx'],
  ['<button t class="after">x</button>', 'xa'],
  ['<button t class="block">x</button>', 'b x'],
  ['<h2 t class="both">x</h2>', 'b x a'],
  ['<button t class="none">x</button>', 'x'],
  ['<button t class="empty">x</button>', 'x'],
  ['<button t class="alt">x</button>', 'alt x'],
  ['<button t class="no-alt">x</button>', 'x'],
  ['<button t class="attr" data-x="d">x</button>', 'd x'],
  ['<button t class="image">x</button>', 'pic x'],
  ['<button t class="mixed" data-x="b">x</button>', 'a b c x'],
  ['<button t class="off">x</button>', 'x'],
  ['<button t class="veiled">x</button>', 'x'],
  ['<button t class="quoted">x</button>', 'say "hi" \\ x'],
  ['<button t><span class="replaced">x</span></button>', 'new'],
  ['<button t data-tip="tip">x</button>', 'x tip'],
  ['<a t href="#" rel="ext">x</a>', 'x (opens)'],
  ['<button t id="one">x</button>', '1 x'],
  ['<button t class="md:tag[1]">x</button>', 't x'],
  ['<div class="inner"><button t class="outer">x</button></div>', 'n x'],
  ['<button t class="outer self">x</button>', 's x'],
  ['<button t class="media">x</button>', 'm x'],
  ['<button t class="print">x</button>', 'x'],
  ['<button t class="layer">x</button>', 'l x'],
  ['<button t class="grid">x</button>', 'g x'],
  ['<a t href="#" class="list"><b>x</b><b>y</b><b>z</b></a>', 'x, y, z'],
  ['<button t class="is">x</button>', 'i x'],
  ['<button t class="var" style="--v: \'v \'">x</button>', 'v x'],
  ['<h2 t>a <mark>b</mark></h2>', 'a [b]'],
  ['<button t class="url">x</button>', 'x'],
  ['<button t class="both"></button>', 'b a'],
  ['<button t class="before" title="y"></button>', 'b'],
  ['<button t>x <i class="before" hidden></i><i class="after" aria-hidden="true"></i></button>', 'x'],
];

/** Flat tree: slots and shadow roots, declared in the markup. */
export const shadowNames: readonly NameCase[] = [
  ['<button t><x-i><template shadowrootmode="open">x</template></x-i></button>', 'x'],
  ['<button t><x-i><template shadowrootmode="open">a <slot></slot> b</template>x</x-i></button>', 'a x b'],
  ['<button t><x-i><template shadowrootmode="open">a <slot>default</slot> b</template></x-i></button>', 'a default b'],
  ['<button t><x-i><template shadowrootmode="open">a</template>not slotted</x-i></button>', 'a'],
  [
    '<button t><x-i><template shadowrootmode="open"><slot name="s"></slot></template><b slot="s">x</b>y</x-i></button>',
    'x',
  ],
  [
    '<button t><x-i><template shadowrootmode="open"><slot name="b"></slot> <slot name="a"></slot></template><b slot="a">x</b><b slot="b">y</b></x-i></button>',
    'y x',
  ],
  ['<button t><x-i><template shadowrootmode="open"><div aria-label="x">y</div></template></x-i></button>', 'x'],
  ['<button t><x-i><template shadowrootmode="open"><slot hidden></slot>a</template>x</x-i></button>', 'a'],
  ['<x-i><template shadowrootmode="open"><slot></slot></template><a t href="#">x</a></x-i>', 'x'],
  ['<div id="h"><template shadowrootmode="open">x</template></div><button t aria-labelledby="h"></button>', 'x'],
  [
    '<x-i><template shadowrootmode="open"><b id="a">x</b><button t aria-labelledby="a">y</button></template></x-i>',
    'x',
  ],
  [
    '<b id="a">outside</b><x-i><template shadowrootmode="open"><button t aria-labelledby="a">y</button></template></x-i>',
    'y',
  ],
  ['<x-i><template shadowrootmode="open"><label for="i">x</label><input t id="i"></template></x-i>', 'x'],
  ['<label for="i">outside</label><x-i><template shadowrootmode="open"><input t id="i"></template></x-i>', ''],
  [
    '<x-i><template shadowrootmode="open"><style>:host::before { content: "h " } b::after { content: "!" }</style><a t href="#"><b>x</b></a></template></x-i>',
    'x!',
  ],
  [
    '<style>x-i::part(p)::before { content: "p " }</style><x-i><template shadowrootmode="open"><button t part="p">x</button></template></x-i>',
    'p x',
  ],
  [
    '<x-i><template shadowrootmode="open"><style>::slotted(b)::before { content: "s " }</style><slot></slot></template><b t role="button">x</b></x-i>',
    's x',
  ],
  [
    '<button t><x-i><template shadowrootmode="open"><style>:host::before { content: "h " }</style>x</template></x-i></button>',
    'h x',
  ],
];
