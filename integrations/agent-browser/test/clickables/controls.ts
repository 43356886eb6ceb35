import { type ClickablePage, each, page, range } from './page.js';

/** Icons, toolbars and small controls of a page's own making. */
export const CONTROLS: Record<string, ClickablePage> = {
  'icons of an icon font': page(
    3,
    each(['trash', 'pencil', 'star'], name => `<i class="icon icon-${name}"></i> `),
    `on('.icon')`,
  ),

  'icons with one listener': page(
    3,
    `<div class="bar">${each(['bold', 'italic', 'underline'], name => `<i class="icon icon-${name}"></i>`)}</div><p>Text to be edited.</p>`,
    `within('.bar', '.icon')`,
  ),

  'toolbar of an editor': page(
    5,
    `<div class="toolbar">${each(['bold', 'italic', 'link'], name => `<button class="ql-${name}"><svg width="16" height="16"><rect width="16" height="16"/></svg></button>`)}<span class="picker"><span class="label">Font</span></span></div><div class="editor" contenteditable>Some text</div>`,
    `on('button'); on('.label'); on('.editor', 'editor')`,
  ),

  'star rating with one listener': page(
    5,
    `<div class="stars">${each(range(1, 5), n => `<span data-id="star ${n}">☆</span>`)}</div>`,
    `within('.stars', 'span')`,
  ),

  'stars that each listen': page(
    5,
    each(range(1, 5), n => `<span id="s${n}">★</span>`),
    `on('span')`,
  ),

  stepper: page(
    2,
    `<div class="stepper"><span class="minus">−</span><b class="count">2</b><span class="plus">+</span></div>`,
    `within('.stepper', '.minus, .plus')`,
  ),

  'in shadow roots': page(
    4,
    `<div id="open"></div><div id="closed"></div>`,
    `for (const mode of ['open', 'closed']) {
      const root = document.getElementById(mode).attachShadow({ mode });
      root.innerHTML = '<div style="width:90px;height:30px"><span data-id="' + mode + ' plus">+</span> <span data-id="' + mode + ' minus">-</span></div>';
      for (const span of root.querySelectorAll('span')) span.addEventListener('click', () => did(span.dataset.id));
    }`,
  ),

  'plus that listens by a property': page(
    1,
    `<p>Quantity 2 <span id="plus">+</span></p>`,
    `document.getElementById('plus').onclick = () => did('plus')`,
  ),

  carousel: page(
    5,
    `<div class="carousel"><div class="slide">A picture of the sea</div><div class="arrow left">‹</div><div class="arrow right">›</div><div class="dots">${each(range(1, 3), n => `<span class="dot" data-id="dot ${n}" style="display:inline-block;width:10px;height:10px;background:#333"></span>`)}</div></div>`,
    `within('.carousel', '.arrow, .dot')`,
  ),

  'slider of a library': page(
    1,
    `<div class="ui-slider" style="width:200px;height:10px;background:#ccc"><span tabindex="0" class="ui-slider-handle" style="display:block;width:12px;height:12px;background:#333"></span></div>`,
    `on('.ui-slider', 'slide', 'mousedown')`,
  ),

  'switch of divs': page(
    1,
    `<div class="switch" style="width:40px;height:20px;background:#ccc"><div class="knob" style="width:18px;height:18px;background:#fff"></div></div>`,
    `on('.switch')`,
  ),

  'banner that is closed by its sign': page(
    1,
    `<div class="banner">We use cookies. <span class="close">✕</span></div>`,
    `within('.banner', '.close')`,
  ),

  'handlers of React, which listens at the root': page(
    2,
    `<div id="root"><section><div class="a">Add</div><div class="b">Remove</div><p>Text</p></section></div>`,
    `
    const kinds = ['click','mousedown','mouseup','keydown','keyup','focusin','focusout','input','change','drag','drop','dragover','dragstart','touchstart','touchend','touchmove','pointerdown','pointerup','wheel','scroll','copy','cut','paste','submit','reset','load','error','toggle'];
    const handlers = new Map([['a', 'added'], ['b', 'removed']]);
    for (const kind of kinds) root.addEventListener(kind, event => { if (kind === 'click' && handlers.has(event.target.className)) did(handlers.get(event.target.className)) });
    for (const element of document.querySelectorAll('.a, .b')) element.onclick = () => undefined`,
  ),

  'in a frame': page(
    2,
    `<iframe srcdoc="<ul id=l><li>Alpha</li><li>Beta</li></ul><script>l.addEventListener('click', event => { if (event.target.localName === 'li') parent.did(event.target.textContent) })</script>"></iframe>`,
    `window.did = did`,
  ),

  'in the document of an object': page(
    2,
    `<object type="text/html" data="/inner" width="300" height="80"></object>`,
    `window.did = did`,
  ),

  'what was bound after the page had loaded': page(
    2,
    `<div class="late">Later</div><div class="later">Much later</div><div>Never</div>`,
    `addEventListener('load', () => setTimeout(() => { on('.late'); on('.later') }))`,
  ),

  'buttons by their look, of a page whose document listens': page(
    6,
    `<nav><a class="btn" href="#x" id="home"><span class="btn-label button">Home</span></a></nav>
    <div class="btn-group"><div class="btn btn-primary">Save</div><span class="add-btn icon"></span><div class="btn"><b>Send</b></div></div>
    <p>Text <span class="button-hint">with a hint</span> <i class="icon"></i> <span class="next">next week</span></p>
    <span class="carousel-next icon"></span><li data-action="archive">Archive</li><div class="toggle-list">A list</div>`,
    `document.addEventListener('click', event => {
      const hit = event.target.closest('.btn, .add-btn, .carousel-next, [data-action]');
      if (hit !== null) did(nameOf(hit));
    })`,
  ),

  'buttons by their look, of an application that listens at its root': page(
    2,
    `<div id="app"><nav>Menu</nav><main><div class="btn">Save</div><div class="btn">Send</div><p>Text</p></main></div>`,
    `within('#app', '.btn')`,
  ),

  'ratings in a table that listens, each star a hidden radio button and two icons': ratings(`within('table', '.star')`),
  'ratings whose stars each listen, each a hidden radio button and two icons': ratings(`on('.star')`),
  'ratings whose icons each listen, in a table that listens': ratings(
    `within('table', '.star'); for (const icon of document.querySelectorAll('.star i')) icon.addEventListener('click', () => undefined);`,
  ),

  'a page of mere text with a listener at its root': page(
    1,
    `<div id="app"><nav><a href="#x" id="home">Home</a></nav><main><p>One</p><p>Two</p><ul><li>Red</li><li>Blue</li></ul></main></div>`,
    `app.addEventListener('click', () => undefined); document.addEventListener('click', () => undefined); document.body.addEventListener('mousedown', () => undefined); on('#home')`,
  ),
};

/** Two rows of three stars. */
function ratings(script: string): ClickablePage {
  const stars = (wine: string): string =>
    each(
      range(1, 3),
      n =>
        `<span class="star" data-id="${wine}-${n}"><input type="radio" name="${wine}" aria-label="${n} stars"><i data-part="on"><svg width="16" height="16" class="full"><circle r="8"/></svg></i><i data-part="off"><svg width="16" height="16" class="empty"><circle r="8"/></svg></i></span>`,
    );
  return page(
    6,
    `<style>input { position: absolute; width: 1px; height: 1px; margin: -1px; clip: rect(0,0,0,0) }
      .star { position: relative; display: inline-block; width: 16px; height: 16px } .star i { position: absolute; inset: 0 }</style>
    <table>${each(['Rioja', 'Barolo'], wine => `<tr><td>${wine}</td><td>${stars(wine)}</td></tr>`)}</table>`,
    script,
  );
}

export const INNER = `<!doctype html><span id="in">Within</span> <button id="b">Press</button><script>
  document.getElementById('in').addEventListener('click', () => parent.did('within'));
  document.getElementById('b').onclick = () => parent.did('button');</script>`;
