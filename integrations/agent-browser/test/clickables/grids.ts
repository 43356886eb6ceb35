import { type ClickablePage, each, page, range } from './page.js';

const rows = (count: number, cell: (row: number) => string): string =>
  each(range(1, count), row => `<tr>${cell(Number(row))}</tr>`);
const week = (row: number): number[] => range(row * 7 - 6, row * 7);

/** Calendars, boards, tables and drawings. */
export const GRIDS: Record<string, ClickablePage> = {
  'calendar with one listener': page(
    23,
    `<div class="calendar"><div class="head"><span class="prev">‹</span><span class="title">May 2026</span><span class="next">›</span></div><table>${rows(3, row => each(week(row), day => `<td class="day${day === '4' ? ' today' : ''}">${day}</td>`))}</table></div>`,
    `within('.calendar', '.day, .prev, .next')`,
  ),

  'calendar of spans below its month': page(
    16,
    `<style>.d { display: inline-block; width: 30px }</style><div id="pop"><div class="hd"><span class="prev">«</span> May 2025 <span class="next">»</span></div>${each(range(1, 14), day => `<span class="d">${day}</span>`)}</div>`,
    `within('#pop', '.d, .prev, .next')`,
  ),

  'calendar of divs': page(
    16,
    `<div id="picker"><div class="nav"><i class="icon arrow-prev"></i><i class="icon arrow-next"></i></div><div class="days">${each(range(1, 14), day => `<div class="day">${day}</div>`)}</div></div>`,
    `within('#picker', '.day, .icon')`,
  ),

  'calendar as of a well-known library': page(
    9,
    `<div class="ui-datepicker"><div><a class="ui-datepicker-prev" data-handler="prev" style="cursor:pointer"><span class="ui-icon ui-icon-circle-triangle-w">Prev</span></a><a class="ui-datepicker-next" data-handler="next" style="cursor:pointer"><span class="ui-icon ui-icon-circle-triangle-e">Next</span></a></div><table><tr>${each(range(1, 7), day => `<td data-handler="selectDay"><a class="ui-state-default" href="#">${day}</a></td>`)}</tr></table></div>`,
    `within('.ui-datepicker', '[data-handler]', undefined)`,
  ),

  'weeks of divs': page(
    14,
    `<div class="month">${each(range(1, 2), row => `<div class="week">${each(week(Number(row)), day => `<div class="day">${day}</div>`)}</div>`)}</div>`,
    `within('.month', '.day')`,
  ),

  'days that each listen': page(
    7,
    `<table><tr>${each(range(1, 7), day => `<td>${day}</td>`)}</tr></table>`,
    `on('td')`,
  ),

  'board of a game': page(
    9,
    `<table class="board">${rows(3, row => each('abc', column => `<td id="${column}${row}" width="30" height="30"></td>`))}</table>`,
    `within('.board', 'td')`,
  ),

  'seat map of divs': page(
    12,
    `<div class="hall">${each('ABC', row => `<div class="row">${each(range(1, 4), seat => `<div class="seat" data-id="${row}${seat}" style="display:inline-block;width:20px;height:20px;background:#8a8"></div>`)}</div>`)}</div>`,
    `within('.hall', '.seat')`,
  ),

  'seat map of a drawing': page(
    6,
    `<svg width="200" height="60" class="plan">${each(range(1, 6), seat => `<rect class="seat" data-id="s${seat}" x="${Number(seat) * 28}" y="20" width="20" height="20" fill="green"></rect>`)}</svg>`,
    `within('.plan', '.seat')`,
  ),

  'shapes that each listen': page(
    3,
    `<svg width="200" height="60">${each(range(1, 3), n => `<circle id="c${n}" cx="${Number(n) * 50}" cy="30" r="15"></circle>`)}</svg>`,
    `on('circle')`,
  ),

  'table whose rows are selected': page(
    3,
    `<table class="grid"><thead><tr><th>Name</th><th>City</th><th>Joined</th></tr></thead><tbody>${each(['Ann', 'Bob', 'Eve'], name => `<tr><td>${name}</td><td>Lisbon</td><td>May 2026</td></tr>`)}</tbody></table>`,
    `within('.grid tbody', 'tr')`,
  ),

  'table sorted by its headings': page(
    3,
    `<table><thead><tr>${each(['Name', 'City', 'Joined'], name => `<th>${name}</th>`)}</tr></thead><tbody><tr><td>Ann</td><td>Lisbon</td><td>May</td></tr></tbody></table>`,
    `on('th')`,
  ),

  'headings with one listener': page(
    2,
    `<table id="t"><thead><tr><th data-sort="name">Name</th><th data-sort="city">City</th><th>Notes</th></tr></thead><tbody><tr><td>Ann Summers</td><td>Lisbon</td><td>Likes tea</td></tr></tbody></table>`,
    `within('#t thead', 'th[data-sort]')`,
  ),

  'data grid of divs with cells to edit': page(
    6,
    `<div class="sheet">${each(range(1, 2), row => `<div class="line">${each('xyz', column => `<div class="cell" data-id="${column}${row}" style="display:inline-block;width:60px">${column}${row}</div>`)}</div>`)}</div>`,
    `within('.sheet', '.cell', undefined, 'dblclick'); within('.sheet', '.cell')`,
  ),

  'colour swatches': page(
    6,
    `<div class="palette">${each(['red', 'green', 'blue', 'gold', 'black', 'pink'], colour => `<span class="swatch" data-id="${colour}" style="display:inline-block;width:18px;height:18px;background:${colour}"></span>`)}</div>`,
    `within('.palette', '.swatch')`,
  ),

  'keyboard on the screen': page(
    12,
    `<div class="keys">${each('QWERTYUIO', key => `<div class="key">${key}</div>`)}<div class="key wide">Space</div><div class="key">⌫</div><div class="key">⏎</div></div>`,
    `within('.keys', '.key')`,
  ),

  canvas: page(1, `<canvas id="draw" width="200" height="100"></canvas>`, `on('#draw', 'drawn', 'mousedown')`),

  'image map': page(
    2,
    `<img usemap="#m" width="100" height="50" src="data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' width='100' height='50'/>" alt="Floor"><map name="m"><area id="left" shape="rect" coords="0,0,50,50" href="#l" alt="Left"><area id="right" shape="rect" coords="50,0,100,50" href="#r" alt="Right"></map>`,
    `on('area')`,
  ),

  'map with signs to zoom': page(
    3,
    `<div class="map" style="width:300px;height:120px;background:#dec;cursor:grab"><div class="zoom"><div class="in">+</div><div class="out">−</div></div></div>`,
    `on('.map', 'map', 'mousedown'); on('.in', undefined, 'mousedown'); on('.out', undefined, 'mousedown')`,
  ),

  'sheet whose cells take the keys, empty ones too': page(
    6,
    `<table role="grid" id="s"><thead><tr><th>Name</th><th>Price</th></tr></thead>${each(['Mug', '', 'Bowl'], (name, row) => `<tr><td role="gridcell" tabindex="-1" id="n${row}">${name}</td><td role="gridcell" tabindex="-1" id="p${row}">${row === 2 ? '' : 'per piece'}</td></tr>`)}</table>`,
    `within('#s', 'td', undefined, 'mousedown')`,
  ),
};
