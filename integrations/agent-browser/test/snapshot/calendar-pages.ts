/** A date picker, in the markup of a library or of a page that has its own. */
export interface CalendarPage {
  /** The page: a form with a field that opens the calendar. */
  html: string;
  /** The ref of the control that shows the next month, in the text of what opened. */
  next: RegExp;
  /** How the answer says that a month is shown. */
  month(name: string): RegExp;
}

interface Markup {
  /** Statements that return the HTML of a month. They have `y`, `m`, `name` and `weeks`. */
  draw: string;
  next?: RegExp;
  month?: (name: string) => RegExp;
  /** Changes the elements of the month before in place, as React does. */
  isPatched?: true;
  isModal?: true;
  style?: string;
}

const NEXT = /"Next month" (@e\d+)/i;

const page = ({ draw, next = NEXT, month, isPatched, isModal, style = '' }: Markup): CalendarPage => ({
  next,
  month: month ?? (name => new RegExp(`${name}.{0,60}2026`, 's')),
  html: `<style>.grid { display: grid; grid-template-columns: repeat(7, 40px) } ${style}</style>
    <form>${['One-way', 'Direct', 'Refundable', 'Bikes', 'Pets', 'First class', 'Lounge'].map(name => `<label><input type="checkbox">${name}</label>`).join('')}
      <input id="field" aria-label="Departure" readonly></form>
    <${isModal ? 'dialog' : 'div'} id="box"></${isModal ? 'dialog' : 'div'}>
    <script>
      const MONTHS = 'January February March April May June July August September October November December'.split(' ');
      const DAYS = 'Sunday Monday Tuesday Wednesday Thursday Friday Saturday'.split(' ');
      let y = 2026, m = 8;
      const weeksOf = () => {
        const day = new Date(y, m, 1);
        day.setDate(1 - day.getDay());
        const weeks = [];
        do {
          weeks.push(Array.from({ length: 7 }, () => {
            const now = { d: day.getDate(), is: day.getMonth() === m, week: DAYS[day.getDay()], iso: day.getFullYear() + '-' + (day.getMonth() + 1) + '-' + day.getDate(), name: MONTHS[day.getMonth()] + ' ' + day.getDate() + ', ' + day.getFullYear() };
            day.setDate(day.getDate() + 1);
            return now;
          }));
        } while (day.getMonth() === m);
        return weeks;
      };
      const htmlOf = () => { const name = MONTHS[m], weeks = weeksOf(); ${draw} };
      const patch = (old, now) => {
        if (old.nodeName !== now.nodeName) return old.replaceWith(now);
        if (old.nodeType === 3) { if (old.data !== now.data) old.data = now.data; return; }
        for (const { name } of [...old.attributes]) if (!now.hasAttribute(name)) old.removeAttribute(name);
        for (const { name, value } of now.attributes) if (old.getAttribute(name) !== value) old.setAttribute(name, value);
        const [before, after] = [[...old.childNodes], [...now.childNodes]];
        after.forEach((child, index) => before[index] ? patch(before[index], child) : old.append(child));
        before.slice(after.length).forEach(child => child.remove());
      };
      const show = () => {
        const fresh = document.createElement('div');
        fresh.innerHTML = htmlOf();
        if (${isPatched === true} && box.firstElementChild) patch(box.firstElementChild, fresh.firstElementChild);
        else box.replaceChildren(...fresh.childNodes);
      };
      field.onclick = () => {
        for (const other of document.querySelectorAll('[type=checkbox]')) other.disabled = true;
        show();
        ${isModal ? 'box.showModal();' : ''}
      };
      box.addEventListener('click', ({ target }) => {
        if (target.closest('.next')) { m += 1; show(); return; }
        const day = target.closest('.day:not(.off)');
        if (day && !day.matches(':disabled, [aria-disabled=true]')) field.value = MONTHS[m] + ' ' + day.textContent.trim();
      });
    </script>`,
});

/** Expressions of the page stand in double brackets. */
const filled = (html: string): string => html.replaceAll('[[', '${').replaceAll(']]', '}');
const each = (list: string, html: string): string => `\${${list}.map(c => \`${filled(html)}\`).join('')}`;
const weeks = (row: string, cell: string): string =>
  `\${weeks.map(w => \`${filled(row).replace('CELLS', () => each('w', cell))}\`).join('')}`;

export const CALENDARS: Record<string, CalendarPage> = {
  'as of flatpickr': page({
    draw: `return \`<div class="flatpickr-calendar open" tabindex="-1"><div><span class="prev" style="cursor:pointer">‹</span>
      <select aria-label="Month" tabindex="-1">${each('MONTHS', '<option [[c === name ? "selected" : ""]]>[[c]]')}</select>
      <input type="number" aria-label="Year" value="\${y}"><span class="next" style="cursor:pointer">›</span></div>
      <div class="grid">${each('DAYS', '<span class="flatpickr-weekday">[[c.slice(0, 3)]]</span>')}</div>
      <div class="grid">${each('weeks.flat()', '<span class="flatpickr-day day [[c.is ? "" : "off"]]" aria-label="[[c.name]]" tabindex="-1" [[c.d === 17 && c.is ? \'aria-current="date"\' : ""]]>[[c.d]]</span>')}</div></div>\``,
    next: /clickable "›" (@e\d+)/,
    month: name => new RegExp(`combobox "Month" @e\\d+ value="${name}"`),
  }),

  'as of jQuery UI': page({
    draw: `return \`<div class="ui-datepicker"><div><a class="prev" style="cursor:pointer" title="Prev"><span>Prev</span></a><a class="next" style="cursor:pointer" title="Next"><span>Next</span></a>
      <div class="ui-datepicker-title"><span>\${name}</span>&nbsp;<span>\${y}</span></div></div>
      <table><thead><tr>${each('DAYS', '<th scope="col"><span title="[[c]]">[[c.slice(0, 2)]]</span></th>')}</tr></thead>
      <tbody>${weeks('<tr>CELLS</tr>', '[[!c.is ? "<td>&nbsp;</td>" : c.d < 5 ? `<td class="ui-state-disabled"><span>[[c.d]]</span></td>` : `<td data-handler="selectDay"><a class="day" href="#">[[c.d]]</a></td>`]]')}</tbody></table>
      <div><button type="button">Today</button><button type="button">Done</button></div></div>\``,
    next: /"Next" (@e\d+)/,
  }),

  'as of react-datepicker': page({
    isPatched: true,
    draw: `return \`<div role="dialog" aria-modal="false" aria-label="Choose Date"><button class="prev" aria-label="Previous Month"></button><button class="next" aria-label="Next Month">›</button>
      <div><div class="current-month">\${name} \${y}</div><div class="grid">${each('DAYS', '<div class="day-name"><span style="position:absolute;width:1px;height:1px;overflow:hidden">[[c]]</span><span aria-hidden="true">[[c.slice(0, 2)]]</span></div>')}</div></div>
      <div role="listbox" aria-label="Month \${name}, \${y}">${weeks('<div class="grid">CELLS</div>', '<div class="day [[c.is ? "" : "off"]]" tabindex="-1" aria-label="Choose [[c.week]], [[c.name]]" role="option" aria-disabled="false">[[c.d]]</div>')}</div></div>\``,
    month: name => new RegExp(`"(?:Month )?${name},? 2026"`),
  }),

  'as of MUI': page({
    isPatched: true,
    draw: `return \`<div role="dialog" aria-label="Pick a day"><div><div id="label" aria-live="polite">\${name} \${y}</div><button aria-label="Previous month">‹</button><button class="next" aria-label="Next month">›</button></div>
      <div role="grid" aria-labelledby="label"><div role="row" class="grid">${each('DAYS', '<span role="columnheader" aria-label="[[c]]">[[c.slice(0, 1)]]</span>')}</div>
      <div role="rowgroup">${weeks('<div role="row" class="grid">CELLS</div>', '[[c.is ? `<button class="day" role="gridcell" tabindex="-1" aria-selected="[[c.d === 3]]" data-timestamp="[[c.iso]]">[[c.d]]</button>` : "<div></div>"]]')}</div></div>
      <div><button>Cancel</button><button>OK</button></div></div>\``,
  }),

  'as of Ant': page({
    isPatched: true,
    draw: `return \`<div class="ant-picker-dropdown"><div><button type="button" tabindex="-1" aria-label="Previous month">‹</button><button class="month" type="button" tabindex="-1">\${name.slice(0, 3)}</button><button type="button" tabindex="-1">\${y}</button><button class="next" type="button" tabindex="-1" aria-label="Next month">›</button></div>
      <table><thead><tr>${each('DAYS', '<th>[[c.slice(0, 2)]]</th>')}</tr></thead>
      <tbody>${weeks('<tr>CELLS</tr>', '<td title="[[c.iso]]" class="ant-picker-cell day [[c.is ? "" : "off"]]" style="cursor:pointer"><div class="ant-picker-cell-inner">[[c.d]]</div></td>')}</tbody></table></div>\``,
    month: name => new RegExp(`button "${name.slice(0, 3)}" @e`),
  }),

  'as of Bootstrap datepicker': page({
    draw: `return \`<div class="datepicker dropdown-menu"><table><thead><tr><th class="prev" style="cursor:pointer">«</th><th colspan="5" class="datepicker-switch" style="cursor:pointer">\${name} \${y}</th><th class="next" style="cursor:pointer">»</th></tr>
      <tr>${each('DAYS', '<th class="dow">[[c.slice(0, 2)]]</th>')}</tr></thead>
      <tbody>${weeks('<tr>CELLS</tr>', '<td class="day [[c.is ? "" : "off old"]]" data-date="[[c.iso]]" style="cursor:pointer">[[c.d]]</td>')}</tbody></table></div>\``,
    next: /"»" (@e\d+)/,
  }),

  'as of Pikaday': page({
    draw: `return \`<div class="pika-single"><div role="heading" aria-live="assertive"><div class="pika-label">\${name}</div><div class="pika-label">\${y}</div><button class="pika-prev" type="button">Previous Month</button><button class="next" type="button">Next Month</button></div>
      <table role="grid"><thead><tr>${each('DAYS', '<th scope="col"><abbr title="[[c]]">[[c.slice(0, 3)]]</abbr></th>')}</tr></thead>
      <tbody>${weeks('<tr class="pika-row">CELLS</tr>', '[[c.is ? `<td data-day="[[c.d]]" aria-selected="false"><button class="pika-button day" type="button" data-pika-day="[[c.d]]">[[c.d]]</button></td>` : "<td></td>"]]')}</tbody></table></div>\``,
  }),

  'as of Vuetify': page({
    draw: `return \`<div class="v-menu__content" role="menu"><div class="v-date-picker-header"><button type="button" aria-label="Previous month">‹</button><div><button type="button">\${name} \${y}</button></div><button class="next" type="button" aria-label="Next month">›</button></div>
      <div><table><thead><tr>${each('DAYS', '<th>[[c.slice(0, 1)]]</th>')}</tr></thead>
      <tbody>${weeks('<tr>CELLS</tr>', '<td>[[c.is ? `<button class="v-btn day" type="button" [[c.d > 28 ? "disabled" : ""]]><div class="v-btn__content">[[c.d]]</div></button>` : ""]]</td>')}</tbody></table></div></div>\``,
  }),

  'as of PrimeNG': page({
    draw: `return \`<div class="p-datepicker"><div><button type="button" aria-label="Previous Month">‹</button><div><button type="button">\${name}</button><button type="button">\${y}</button></div><button class="next" type="button" aria-label="Next Month">›</button></div>
      <table role="grid"><thead><tr>${each('DAYS', '<th scope="col"><span>[[c.slice(0, 2)]]</span></th>')}</tr></thead>
      <tbody>${weeks('<tr>CELLS</tr>', '<td aria-label="[[c.d]]"><span class="day [[c.is ? "" : "off p-disabled"]]" draggable="false" style="cursor:[[c.is ? "pointer" : "default"]]">[[c.d]]</span></td>')}</tbody></table></div>\``,
    month: name => new RegExp(`button "${name}" @e`),
  }),

  'of a native dialog with a grid': page({
    isModal: true,
    draw: `return \`<div><button aria-label="Previous month">‹</button><h2 id="label" aria-live="polite">\${name} \${y}</h2><button class="next" aria-label="Next month">›</button>
      <table role="grid" aria-labelledby="label"><thead><tr>${each('DAYS', '<th scope="col" abbr="[[c]]">[[c.slice(0, 2)]]</th>')}</tr></thead>
      <tbody>${weeks('<tr>CELLS</tr>', '<td class="day [[c.is ? "" : "off"]]" tabindex="-1" [[c.is ? "" : "aria-disabled=true"]]>[[c.d]]</td>')}</tbody></table>
      <div><button>Cancel</button><button>Choose</button></div></div>\``,
  }),

  'of a list of buttons': page({
    draw: `return \`<section aria-label="Calendar"><h3>\${name} \${y}</h3><button class="next">Next month</button>
      <ul class="grid">${each('weeks.flat().filter(c => c.is)', '<li><button class="day">[[c.d]]</button></li>')}</ul><button>Close</button></section>\``,
  }),

  'of a table without roles': page({
    draw: `return \`<div><b>\${name} \${y}</b> <a href="#" class="next">Next month</a><table>
      <tr><td>Wk</td>${each('DAYS', '<td>[[c.slice(0, 2)]]</td>')}</tr>
      ${weeks('<tr><td>[[36 + weeks.indexOf(w)]]</td>CELLS</tr>', '<td class="day" [[c.is ? \'style="cursor:pointer"\' : ""]]>[[c.is ? c.d : ""]]</td>')}</table></div>\``,
  }),
};
