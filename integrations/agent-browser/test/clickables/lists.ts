import { type ClickablePage, each, page, range } from './page.js';

/** Lists, menus, cards and the like. */
export const LISTS: Record<string, ClickablePage> = {
  'a list with one listener': page(
    4,
    `<p>Fruit that we have</p><ul id="f">${each(['Apple', 'Pear', 'Fig', 'Kiwi'], name => `<li>${name}</li>`)}</ul>`,
    `within('#f', 'li')`,
  ),

  'tree of plain lists': page(
    4,
    `<ul id="t"><li><span>Docs</span><ul hidden><li>Spec</li><li>Plan</li></ul></li><li><span>Pictures</span><ul><li>Cat</li><li>Dog</li></ul></li></ul>`,
    `within('#t', 'span, li', target => target.textContent)`,
  ),

  'buttons by their class alone': page(
    2,
    `<div id="ask"><p>Delete all of them?</p><span class="btn yes">Yes, delete</span> <span class="btn no">Cancel</span></div>`,
    `within('#ask', '.btn')`,
  ),

  'sortable list': page(
    5,
    `<ul class="sortable">${each(['One', 'Two', 'Three', 'Four', 'Five'], name => `<li class="ui-state">${name}</li>`)}</ul>`,
    `within('.sortable', 'li', undefined, 'mousedown')`,
  ),

  'draggable items that say so': page(
    3,
    `<div class="pool">${each('ABC', name => `<div draggable="true" class="token">Token ${name}</div>`)}</div><div class="target">Drop here</div>`,
    `on('.token', undefined, 'mousedown')`,
  ),

  'autocomplete that is a plain list': page(
    5,
    `<label>City <input id="q"></label><ul class="suggest">${each(['Paris', 'Parma', 'Perth', 'Porto'], name => `<li>${name}</li>`)}</ul>`,
    `on('#q'); within('.suggest', 'li')`,
  ),

  'list whose items are focused by scripts': page(
    3,
    `<ul class="menu">${each(['Paris', 'Parma', 'Perth'], name => `<li><div tabindex="-1">${name}</div></li>`)}</ul>`,
    `within('.menu', 'li')`,
  ),

  'autocomplete of divs': page(
    4,
    `<input id="q" aria-label="City"><div class="menu">${each(['Rome', 'Riga', 'Reims'], name => `<div class="hit">${name}</div>`)}</div>`,
    `on('#q'); on('.hit', undefined, 'mousedown')`,
  ),

  'custom select': page(
    4,
    `<div class="select"><div class="shown">Choose a size</div><div class="options">${each(['Small', 'Medium', 'Large'], name => `<div class="option" data-value="${name}">${name}</div>`)}</div></div>`,
    `on('.shown'); within('.options', '.option')`,
  ),

  'tabs of divs': page(
    3,
    `<div class="tabs">${each(['Details', 'Reviews', 'Questions'], (name, index) => `<div class="tab${index === 0 ? ' active' : ''}">${name}</div>`)}</div><div class="panel">A text about the thing that goes on for a while.</div>`,
    `within('.tabs', '.tab')`,
  ),

  'pagination by spans': page(
    7,
    `<div class="pages"><span class="prev">‹</span>${each(range(1, 5), n => `<span class="page">${n}</span>`)}<span class="next">›</span></div>`,
    `within('.pages', 'span')`,
  ),

  'tag chips with a sign that removes each': page(
    4,
    `<div class="chips">${each(['Egypt', 'Norway', 'Chile'], name => `<span class="chip">${name} <i class="x">×</i></span>`)}<input id="add" aria-label="Add"></div>`,
    `within('.chips', '.x', element => element.parentElement.textContent); on('#add')`,
  ),

  kanban: page(
    6,
    each(
      ['To do', 'Doing'],
      (name, column) =>
        `<div class="column"><h3>${name}</h3>${each('123', n => `<div class="card" draggable="true">Card ${column}${n}</div>`)}</div>`,
    ),
    `within('.column', '.card', undefined, 'mousedown')`,
  ),

  'kanban without attributes': page(
    4,
    `<div class="board">${each(['To do', 'Doing'], (name, column) => `<div class="column"><h3>${name}</h3><div class="stack">${each('12', n => `<div class="card"><b>Card ${column}${n}</b><p>Write to Ann about it</p></div>`)}</div></div>`)}</div>`,
    `within('.board', '.card', undefined, 'pointerdown')`,
  ),

  'tree with expanders': page(
    6,
    `<ul class="tree">${each(['Docs', 'Music', 'Films'], name => `<li><span class="expander">▸</span><span class="node">${name}</span></li>`)}</ul>`,
    `on('.expander', element => 'open ' + element.parentElement.textContent); on('.node')`,
  ),

  'tree with one listener': page(
    4,
    `<div class="tree"><div class="node" data-id="root">Root<div class="kids">${each('abc', name => `<div class="node" data-id="${name}">Leaf ${name}</div>`)}</div></div></div>`,
    `document.querySelector('.tree').addEventListener('click', event => { const node = event.target.closest('.node'); if (node) did(node.dataset.id) })`,
  ),

  'chat bubbles with reply and forward': page(
    4,
    each(
      ['Ann', 'Bob'],
      name =>
        `<div class="bubble"><p>Hello, it is ${name} here.</p><div class="actions"><span class="reply">Reply</span><span class="forward">Forward</span></div></div>`,
    ),
    `on('.reply', e => 'reply ' + e.closest('.bubble').textContent); on('.forward', e => 'forward ' + e.closest('.bubble').textContent)`,
  ),

  'actions in a thing that is clickable': page(
    3,
    `<div class="mail" style="cursor:pointer"><b>Gerald</b> <i>Lunch?</i> <span class="reply">Reply</span> <span class="forward">Forward</span></div>`,
    `on('.mail', 'open'); on('.reply'); on('.forward')`,
  ),

  'actions with one listener': page(
    2,
    `<p>From Jerald</p><div class="actions"><span data-do="reply">Reply</span> <span data-do="forward">Forward</span></div>`,
    `within('.actions', 'span')`,
  ),

  'file manager tiles': page(
    5,
    `<div class="files">${each(['a.txt', 'b.pdf', 'c.png', 'd.zip', 'e.csv'], name => `<div class="tile" style="display:inline-block;width:90px"><span class="icon"></span><div class="name">${name}</div></div>`)}</div>`,
    `within('.files', '.tile', undefined, 'dblclick'); within('.files', '.tile')`,
  ),

  'cards that each listen': page(
    3,
    each(
      ['Mug', 'Cup', 'Bowl'],
      name =>
        `<div class="product"><img alt="" width="40" height="40" src="data:,"><h3>${name}</h3><span class="price">$5</span><span class="stock">In stock</span><span class="rate">4.5</span></div>`,
    ),
    `on('.product')`,
  ),

  'menu by hover and click': page(
    4,
    `<div class="menu"><div class="title">File</div><div class="items">${each(['New', 'Open', 'Save'], name => `<div class="item">${name}</div>`)}</div></div>`,
    `on('.title'); on('.item')`,
  ),

  'accordion of headings': page(
    3,
    each(
      ['Shipping', 'Returns', 'Care'],
      name => `<h3 class="head">${name}</h3><div class="body">A paragraph about it.</div>`,
    ),
    `on('.head')`,
  ),

  'definition list with one listener': page(
    3,
    `<dl id="d">${each(['Colour', 'Weight', 'Size'], name => `<dt>${name}</dt>`)}</dl>`,
    `within('#d', 'dt')`,
  ),

  'list whose buttons react, not its items': page(
    3,
    `<ul id="todo">${each(['Milk', 'Bread', 'Salt'], name => `<li><span>${name}</span> <button aria-label="Remove ${name}">x</button></li>`)}</ul>`,
    `within('#todo', 'button', element => element.ariaLabel)`,
  ),
};
