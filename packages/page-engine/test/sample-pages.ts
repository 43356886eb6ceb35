/** Pages like those that people use, sizable and made of the usual parts. */

const times = (count: number, make: (index: number) => string) =>
  Array.from({ length: count }, (_, i) => make(i)).join('\n');

function card(i: number): string {
  return `<li class="card"><article class="product"><a class="media" href="/p/${i}"><img src="data:," alt="Photo of mug ${i}"></a>
    <h3><a href="/p/${i}"><span>Acme</span> <span>Blue mug ${i}</span></a></h3><p>A fine mug, number ${i}, <em>dishwasher safe</em>.</p>
    <div class="price"><span>€${i}.99</span><del>€${i + 5}.99</del></div><div role="img" aria-label="${i % 5} of 5 stars"><span></span></div>
    <label>Quantity <input type="number" value="1"></label><button type="button"><svg aria-hidden="true" width="9" height="9"><path d="M0 0h9v9z"/></svg>
    <span>Add mug ${i}</span></button><button title="Wish for mug ${i}"><i class="icon"></i></button></article></li>`;
}

/** About 26 elements a product. */
export function shopPage(products: number): string {
  return `<!doctype html><title>Shop</title><style>.price { display: flex } .icon { width: 9px; display: block }</style>
  <header><nav aria-label="Main"><ul>${times(20, i => `<li><a href="/c/${i}">Category ${i}</a></li>`)}</ul></nav>
  <form role="search"><input type="search" placeholder="Search"><button>Go</button></form></header>
  <main><h1>Mugs</h1><ul class="grid">${times(products, card)}</ul><section aria-labelledby="specs"><h2 id="specs">Details</h2>
  <table><caption>Sizes</caption><thead><tr><th>Name</th><th>Value</th><th>Action</th></tr></thead><tbody>${times(Math.ceil(products / 3), i => `<tr><th scope="row">Size ${i}</th><td>Value ${i}</td><td><a href="#${i}">Edit ${i}</a></td></tr>`)}
  </tbody></table></section></main><footer><p>© Acme <a href="/imprint">Imprint</a></p></footer>`;
}

/** Every kind of field, labelled in every way. */
export function formPage(): string {
  const types =
    `text email password tel url search number range checkbox radio date time month week color datetime-local file`.split(
      ' ',
    );
  const field = (
    type: string,
  ) => `<p><label for="f-${type}">Field ${type} <em>(required)</em></label><input id="f-${type}" type="${type}"></p>
    <p><label>Around ${type} <input type="${type}"></label></p><p><input type="${type}" aria-label="Named ${type}"></p>
    <p><b id="l-${type}">By ${type}</b><input type="${type}" aria-labelledby="l-${type}"></p><p><input type="${type}" title="Title ${type}"></p>`;
  return `<!doctype html><title>Form</title><main><h1>Order</h1><form aria-label="Order">${types.map(field).join('\n')}
  <fieldset><legend>Delivery <small>(choose one)</small></legend><label><input type="radio" name="d"> Post</label><label><input type="radio" name="d" checked> Courier</label></fieldset>
  <label for="s">Country</label><select id="s"><option>Norway</option><option selected>Chile</option></select>
  <label>Colours <select multiple><optgroup label="Warm"><option>Red</option></optgroup><option>Blue</option></select></label>
  <label for="n">Note</label><textarea id="n">Hello</textarea><textarea placeholder="Anything else?"></textarea>
  <div role="group" aria-labelledby="g"><h2 id="g">Extras</h2><div role="checkbox" tabindex="0" aria-checked="false">Gift wrap</div>
  <div role="switch" tabindex="0" aria-checked="true">Newsletter</div><div role="slider" tabindex="0" aria-label="Volume" aria-valuenow="3"></div></div>
  <progress aria-label="Progress" value="3" max="9"></progress><meter title="Disk" value="0.5"></meter><output aria-label="Sum">12</output>
  <input type="submit" value="Send"><input type="reset"><input type="image" alt="Pay now"><button>Cancel <b>order</b></button></form></main>`;
}

/** Menus, tabs, trees, grids and dialogs of ARIA alone. */
export function widgetPage(): string {
  return `<!doctype html><title>Widgets</title><div role="banner"><div role="menubar" aria-label="App">${times(6, i => `<div role="menuitem" tabindex="-1" aria-haspopup="true">Menu ${i}</div>`)}</div></div>
  <div role="main"><div role="tablist" aria-label="Views">${times(5, i => `<div role="tab" tabindex="0" aria-selected="${i === 0}">Tab <b>${i}</b></div>`)}</div>
  <div role="tabpanel" aria-label="View 0"><div role="toolbar" aria-label="Tools">${times(8, i => `<div role="button" tabindex="0"><span class="i"></span><span>Tool ${i}</span></div>`)}</div>
  <ul role="tree" aria-label="Files">${times(8, i => `<li role="treeitem" aria-expanded="true"><span>Folder ${i}</span><ul role="group">${times(3, j => `<li role="treeitem">File ${i}-${j}</li>`)}</ul></li>`)}</ul>
  <div role="grid" aria-label="Mails">${times(20, i => `<div role="row"><div role="rowheader">From ${i}</div><div role="gridcell"><a href="#${i}">Subject ${i}</a></div><div role="gridcell"><div role="button" tabindex="0" aria-label="Archive ${i}">x</div></div></div>`)}</div>
  <div role="listbox" aria-label="Sizes">${times(10, i => `<div role="option" aria-selected="${i === 2}">Size ${i}</div>`)}</div>
  <div role="radiogroup" aria-label="Plan">${times(3, i => `<div role="radio" tabindex="0" aria-checked="${i === 1}">Plan ${i}</div>`)}</div>
  <div role="dialog" aria-labelledby="dt"><h2 id="dt">Sure?</h2><p>Nothing is lost.</p><button>Yes</button><button>No</button></div>
  <div role="alert">Saved</div><div role="status">3 items</div><span role="tooltip">Hint</span><div role="separator"></div>
  <div role="log" aria-label="Chat"><div role="article">Hello</div></div><div role="note">Note</div></div></div>
  <div role="complementary" aria-label="Ads"></div><div role="contentinfo">Fine print</div>`;
}

/** Headings, lists, figures, footnotes, hidden parts and generated text of a long read. */
export function articlePage(): string {
  return `<!doctype html><title>Article</title><style>.new::after { content: " (new)" } .ext::after { content: "↗" } .row { display: flex }
  .sr { position: absolute; width: 1px; height: 1px; overflow: hidden }</style>
  <nav><ol>${times(12, i => `<li><a href="#s${i}">Chapter <b>${i}</b></a></li>`)}</ol></nav>
  <main><article><header><h1>A <em>long</em> read</h1><p>By <a rel="author" href="#">Ann</a> <time>today</time></p></header>
  ${times(
    12,
    i => `<section aria-labelledby="s${i}"><h2 id="s${i}"><span class="sr">Chapter ${i}: </span>Part ${i}</h2><p>Text with <a class="ext" href="/x${i}">a source ${i}</a>,
    <code>code</code>, <strong>weight</strong> and <sup><a href="#n${i}" aria-label="Note ${i}">${i}</a></sup>.</p><figure><img src="data:," alt="Figure ${i}"><figcaption>Caption <i>${i}</i></figcaption></figure>
    <ul class="row"><li class="new">One ${i}</li><li>Two <a href="#"><span>more</span><span>on ${i}</span></a></li></ul><blockquote>Quote ${i}</blockquote>
    <button aria-expanded="false"><span>Show</span><span hidden>Hide</span> notes ${i}</button><a href="#" class="new"><div>Block ${i}</div><div>link</div></a>
    <a href="#"><svg width="9" height="9"><title>Share</title><path d="M0 0h5v5z"/></svg> part ${i}</a><a href="#"><img alt="" src="data:,"> plain ${i}</a><hr></section>`,
  )}</article></main>`;
}

export const NESTED_CSS = `.new::before { content: "New " } .end::after { content: "!"; display: block }
  .gone { display: none } .unseen { visibility: hidden } .shown { visibility: visible } .box { display: inline-block }`;

/** Markup at random in which names are parts of names, with all that may change one: labels, references, styles, shadow trees. */
export function nestedMarkup(seed: number): string {
  let state = seed;
  const random = (count: number): number => {
    state = (state * 1664525 + 1013904223) % 2 ** 32;
    return Math.floor((state / 2 ** 32) * count);
  };
  const oneOf = (options: readonly string[]): string => options[random(options.length)] as string;
  const tags = ['div', 'span', 'b', 'a href="#"', 'button', 'h2', 'td', 'label', 'li', 'details', 'summary', 'x-slot'];
  const roles = ['', '', '', 'row', 'cell', 'link', 'option', 'none', 'group', 'tab', 'treeitem'];
  const extras = ['', '', '', 'class="new"', 'class="end"', 'class="gone"', 'class="unseen"', 'class="shown"'].concat(
    ['class="box"', 'aria-label="Label"', 'title="Title"', 'aria-hidden="true"'],
    [`aria-labelledby="n${random(8)}"`, `aria-owns="n${random(8)}"`, `id="n${random(8)}"`],
  );
  const leaves = [
    'Text',
    ' spaced ',
    '&nbsp;',
    '',
    '<br>',
    '<img alt="Picture">',
    '<input value="Value" type="submit">',
  ].concat([
    '<select><option>One<option selected>Two</select>',
    '<svg><title>Icon</title></svg>',
    '<input aria-label="Field" value="x">',
  ]);
  const node = (depth: number): string => {
    if (depth === 0 || random(4) === 0) return oneOf(leaves);
    const tag = oneOf(tags);
    const role = oneOf(roles);
    const inside = Array.from({ length: 1 + random(3) }, () => node(depth - 1)).join(oneOf(['', ' ']));
    return `<${tag} ${role && `role="${role}"`} ${oneOf(extras)}>${inside}</${tag.split(' ')[0]}>`;
  };
  return Array.from({ length: 4 }, () => node(5)).join('');
}
