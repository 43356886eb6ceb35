import { type ClickablePage, each, page } from './page.js';

/** Parts of applications, in the markup that such have. */
export const APPS: Record<string, ClickablePage> = {
  'settings with switches': page(
    2,
    `<div class="settings">${each(['Wi-Fi', 'Bluetooth'], name => `<div class="setting"><div class="label">${name}</div><div class="toggle" id="${name}" style="width:30px;height:16px;background:#aaa"></div></div>`)}</div>`,
    `on('.toggle')`,
  ),

  'player with its own controls': page(
    4,
    `<div class="player"><div class="play-btn icon"></div><div class="seek" style="width:120px;height:6px;background:#ccc"></div><div class="mute-btn icon"></div><div class="time">0:00 / 3:12</div><div class="full-btn icon"></div></div>`,
    `on('.play-btn'); on('.seek', 'seek', 'pointerdown'); on('.mute-btn'); on('.full-btn')`,
  ),

  'notifications that are opened and dismissed': page(
    4,
    each(
      ['Build failed', 'Review asked'],
      name => `<div class="note"><div class="text">${name}</div><span class="dismiss">✕</span></div>`,
    ),
    `on('.note', e => 'open ' + e.textContent); on('.dismiss', e => 'dismiss ' + e.parentElement.textContent)`,
  ),

  'breadcrumbs and a list of results': page(
    5,
    `<div class="crumbs">${each(['Home', 'Shoes'], name => `<span class="crumb">${name}</span>`)}</div><div class="results">${each(['Boot', 'Clog', 'Sandal'], name => `<div class="result"><div class="title">${name}</div><div class="text">A shoe for all seasons, made of leather.</div></div>`)}</div>`,
    `on('.crumb'); within('.results', '.result')`,
  ),

  'emoji picker': page(
    8,
    `<div class="picker"><div class="search"><input aria-label="Search"></div><div class="grid">${each([...'😀😁😂🤣😃😄😅'], sign => `<span class="emoji">${sign}</span>`)}</div></div>`,
    `within('.grid', '.emoji', e => e.textContent); on('input', 'search')`,
  ),

  'columns to sort and a pager': page(
    5,
    `<table><thead><tr>${each(['Name', 'Size', 'Date'], name => `<th class="sortable">${name}</th>`)}</tr></thead><tbody><tr><td>a.txt</td><td>3 KB</td><td>May 4</td></tr></tbody></table><div class="pager"><span class="disabled">Previous</span> <b>1</b> <span>Next</span></div>`,
    `within('thead', 'th'); on('.pager span')`,
  ),

  'timeline whose items share a listener, beside panels that listen': page(
    5,
    `<style>.pane{position:relative;width:500px;height:40px} .item{position:absolute;height:30px;width:80px;background:#cde}</style>
      <div class="plan"><div class="pane side"></div><div class="pane middle"><div class="rows"><div class="back"><div></div></div><div class="front">${each(['Design', 'Build', 'Review', 'Launch'], (name, index) => `<div class="item ${index === 3 ? 'box' : 'range'}" style="left:${index * 100}px"><div class="words">${name}</div></div>`)}</div></div></div><div class="pane axis"></div></div>`,
    `on('.side'); within('.middle', '.item');`,
  ),

  'chart of placed boxes that have no class in common': page(
    3,
    `<style>#c{position:relative;width:400px;height:60px} #c>*{position:absolute;width:90px;height:40px;background:#dec}</style>
      <div id="c"><div class="north" style="left:0">North 12</div><div class="south" style="left:120px">South 7</div><div class="east" style="left:240px">East 3</div></div>`,
    `within('#c', '#c > div')`,
  ),
};
