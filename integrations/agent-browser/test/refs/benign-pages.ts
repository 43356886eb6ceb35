/** Part of a page with one button that is meant, others that are called the same, and a change that makes no other of it. */
interface Part {
  html: string;
  /** Script of the change; `part` is the element around. */
  change?: string;
  /** What the agent does itself in the part instead. */
  act?: 'type' | 'press';
}

export interface BenignPage {
  html: string;
  /** The parts, in the order of the page; `go` says which of the buttons of one name is meant. */
  parts: { kind: string; go: number; act?: Part['act'] }[];
}

type Pick = <T>(from: readonly T[]) => T;

const WORDS = ['Alpha', 'Bravo', 'Candle', 'Drum', 'Egypt', 'Fig', 'Globe', 'Heron', 'Iris', 'Jade', 'Kiwi', 'Lamp'];
const MEANT = '<button class="meant">Go</button>';
const OTHER = '<button class="other">Go</button>';

/** Rows as pages build them, each around a text and what stands behind it. */
const SHAPES: readonly ((rows: readonly string[]) => string)[] = [
  rows => `<ul>${rows.map(row => `<li>${row}</li>`).join('')}</ul>`,
  rows => `<div>${rows.map(row => `<div class="card"><div>${row}</div></div>`).join('')}</div>`,
  rows => `<table>${rows.map(row => `<tr><td>${row}</td></tr>`).join('')}</table>`,
  rows => `<div role="list">${rows.map(row => `<div role="listitem">${row}</div>`).join('')}</div>`,
];

/** Three rows, of which the second is meant. */
function list(pick: Pick, row: (name: string, go: string) => string): string {
  const names = someOf(pick, 3);
  return pick(SHAPES)(names.map((name, i) => row(name, i === 1 ? MEANT : OTHER)));
}

function someOf(pick: Pick, count: number): string[] {
  const found = new Set<string>();
  while (found.size < count) found.add(pick(WORDS));
  return [...found];
}

const number = (pick: Pick): number => pick([1, 2, 3, 5, 8, 12, 17, 40, 99]);

/** What changes on pages without making another thing of what stands beside it. */
const KINDS: Record<string, (pick: Pick) => Part> = {
  'the value of its own field': pick => ({
    html: list(pick, (name, go) => `<b>${name}</b> <input aria-label="Note"> ${go}`),
    change: `part.querySelectorAll('input')[1].value = '${pick(WORDS)}'`,
  }),
  'the values of other fields': pick => ({
    html: list(pick, (name, go) => `<b>${name}</b> <select><option>S<option>M</select> ${go}`),
    change: `for (const field of part.querySelectorAll('select')) field.value = 'M'`,
  }),
  'the values of rows that nothing else tells': pick => ({
    html: list(pick, (name, go) => `<input value="${name}"> ${go}`),
    change: `part.querySelectorAll('input')[1].value = 'Something else'`,
  }),
  'sliders and what they say': () => ({
    html: `<form onsubmit="return false">${[1, 2, 3].map(n => `<label>Level ${n} <input type="range" value="${n}"></label><span>${n}</span>`).join('')} ${MEANT}</form>`,
    change: `part.querySelectorAll('input').forEach(field => { field.value = 60 }); part.querySelectorAll('span').forEach(said => { said.textContent = 60 })`,
  }),
  'a slider in its row': pick => ({
    html: list(pick, (name, go) => `<input type="range" aria-label="${name}" value="5"> <b>5</b> ${go}`),
    change: `part.querySelectorAll('input')[1].value = 70; part.querySelectorAll('b')[1].textContent = 70`,
  }),
  'a date and its calendar': pick => ({
    html: `<form onsubmit="return false"><input aria-label="Day"> ${MEANT}</form><div><b>March</b><table>${'<tr><td>1</td><td>2</td></tr>'.repeat(3)}</table></div>`,
    change: `part.querySelector('input').value = '2026-04-0${pick([1, 2, 3])}'; part.querySelector('b').textContent = 'April'; part.querySelector('table').remove()`,
  }),
  'a counter in its row': pick => ({
    html: list(pick, (name, go) => `<b>${name}</b> <i>${number(pick)}</i> ${go}`),
    change: `part.querySelectorAll('i')[1].textContent = 1234`,
  }),
  'counters in words': pick => ({
    html: list(pick, (name, go) => `<b>${name}</b> <i>${number(pick)} likes</i> ${go}`),
    change: `for (const count of part.querySelectorAll('i')) count.textContent = parseInt(count.textContent) + 1 + ' likes'`,
  }),
  'a clock in each row': pick => ({
    html: list(pick, (name, go) => `<b>${name}</b> <i>12:30:${number(pick)}</i> ${go}`),
    change: `for (const clock of part.querySelectorAll('i')) clock.textContent = '12:31:00'`,
  }),
  'a clock beside a form': () => ({
    html: `<div><span>Now 12:30:59</span><p>3 visitors</p>${MEANT}</div>`,
    change: `part.querySelector('span').textContent = 'Now 12:31:00'; part.querySelector('p').textContent = '4 visitors'`,
  }),
  'options moved beside it': pick => ({
    html: `<div style="display: flex"><div><ul role="listbox"><li role="option">${someOf(pick, 3).join('</li><li role="option">')}</li></ul></div>
      <div>${MEANT}</div><div><ul role="listbox"><li role="option">Zebra</li></ul></div></div>`,
    change: `part.querySelectorAll('ul')[1].append(part.querySelector('li'))`,
  }),
  'its row moved to another list': pick => ({
    html: ['To do', 'Done']
      .map(
        (title, i) =>
          `<div><h3>${title}</h3><ul>${someOf(pick, 3)
            .map((name, j) => `<li>${name}${i} ${i + j === 1 && i === 0 ? MEANT : OTHER}</li>`)
            .join('')}</ul></div>`,
      )
      .join(''),
    change: `part.querySelectorAll('ul')[1].prepend(part.querySelectorAll('li')[1])`,
  }),
  'a text around it that is drawn again': pick => ({
    html: list(pick, (name, go) => `<span>Item #${number(pick)} ${name}</span> ${go}<p>Ready</p>`),
    change: `for (const text of part.querySelectorAll('span')) { const [first, ...rest] = text.textContent.split(' '); text.replaceChildren(first, ' ', document.createComment(''), rest.join(' ')) }`,
  }),
  'the order of its list': pick => ({
    html: list(pick, (name, go) => `<b>${name}</b> ${go}`),
    change: `const row = part.querySelector('.meant').closest('li, .card, tr, [role=listitem]'); row.parentNode.prepend(row)`,
  }),
  'the text of a dialog': pick => ({
    html: `<div role="dialog" aria-label="Step"><p>${pick(WORDS)}?</p>${MEANT}</div>`,
    change: `part.querySelector('p').textContent = 'Something else?'`,
  }),
  'the step of a wizard': pick => ({
    html: `<div><section><h3>${pick(WORDS)}</h3><input aria-label="Name"></section><div>${MEANT}</div></div>`,
    change: `part.querySelector('section').outerHTML = '<section><h3>Pay</h3><select aria-label="Card"><option>A</select></section>'`,
  }),
  'how many its list has': pick => ({
    html: list(pick, (name, go) => `<b>${name}</b> ${go}`),
    change: `for (const row of part.querySelectorAll('li, .card, tr, [role=listitem]')) if (!row.querySelector('.meant')) row.remove()`,
  }),
  'an error in the row beside': pick => ({
    html: list(pick, (name, go) => `<b>${name}</b> ${go}`),
    change: `part.querySelector('.other').insertAdjacentHTML('afterend', '<p>Could not be <b>saved</b></p>')`,
  }),
  'what it typed into the field beside': () => ({
    html: `<div>Tags: <span class="tags"></span><input aria-label="Tags" oninput="this.previousSibling.textContent = this.value"> ${MEANT}</div>`,
    act: 'type',
  }),
  'what it put into the cart': pick => ({
    html: list(
      pick,
      (name, go) =>
        `<b>${name}</b> <i>1</i> <em></em> <button onclick="this.textContent = 'Added'; const [count, said] = [this.previousElementSibling.previousElementSibling, this.previousElementSibling]; count.textContent = 2; said.textContent = 'In cart'">Add</button> ${go}`,
    ),
    act: 'press',
  }),
};

/** A page on which everything changes that may, from a seed. */
export function benignPage(seed: number): BenignPage {
  let state = Math.imul(seed, 0x9e3779b1) >>> 0;
  const pick: Pick = from => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x6d2b79f5) >>> 0;
    return from[(state >>> 8) % from.length] as (typeof from)[number];
  };
  const parts: BenignPage['parts'] = [];
  const changes: string[] = [];
  let html = '';
  let buttons = 0;
  const rotated = Object.entries(KINDS);
  rotated.push(...rotated.splice(0, seed % rotated.length));
  for (const [i, [kind, build]] of rotated.entries()) {
    const part = build(pick);
    const before = part.html.slice(0, part.html.indexOf(MEANT)).split('>Go<').length - 1;
    parts.push({ kind, go: buttons + before, act: part.act });
    buttons += part.html.split('>Go<').length - 1;
    // No two parts are built alike.
    html += `<part-${i} id="part${i}" style="display: block">${part.html}</part-${i}>`;
    changes.push(`function change${i}() { const part = part${i}; ${part.change ?? ''}; document.title = '' }`);
  }
  const hear = `for (const [kind, said] of [['meant', i => i], ['other', () => 'another']])
    document.querySelectorAll('.' + kind).forEach((button, i) => button.addEventListener('click', () => { document.title = 'went to ' + said(i) }));`;
  return { html: `${html}<script>${changes.join('\n')}\n${hear}</script>`, parts };
}
