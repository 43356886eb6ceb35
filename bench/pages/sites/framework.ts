import { fileURLToPath } from 'node:url';
import { buildSync, stop } from 'esbuild';
import { htmlDocument } from '../document.ts';
import { h, link, times } from '../markup.ts';

/**
 * The page on which actions are timed as frameworks make pages: all listeners stand at a root, so that none says which
 * element reacts. One form is React's, one is delegated from the document, as jQuery, htmx and trackers of clicks do it.
 */
export function framework(): string {
  return htmlDocument(
    { title: 'Framework', css: hoverCss, script: `${delegation}\n${reactForm()}` },
    h(
      'nav',
      { 'aria-label': 'Sections', class: 'row' },
      times(40, index => link(`#section-${index}`, `Section ${index}`)),
    ),
    h('main', { class: 'wrap' }, h('h1', {}, 'Framework'), h('div', { id: 'react' }), delegatedForm()),
  );
}

const hoverCss = 'nav { flex-wrap: wrap } .styled:hover { background: #cde; border-color: #123 }';

function delegatedForm(): string {
  return h(
    'form',
    { 'aria-label': 'Delegated' },
    h('label', {}, 'Nickname ', h('input', { id: 'nickname', 'data-model': 'nickname' })),
    h('label', {}, h('input', { id: 'terms', type: 'checkbox', 'data-model': 'terms' }), 'Terms'),
    lateButton('Save', { 'data-after': 150 }),
    lateButton('Publish', { 'data-after': 350 }),
    lateButton('Archive', { 'data-after': 1_200 }),
    lateButton('Load', { 'data-get': '/late/250' }),
  );
}

/** Its effect is seen in the text below it, some time after the click. */
function lateButton(name: string, effect: Record<string, string | number>): string {
  return h(
    'div',
    { class: 'row' },
    h('button', { id: name.toLowerCase(), type: 'button', ...effect }, name),
    h('p', { role: 'status' }),
  );
}

/** State is rendered in a microtask, and sets what the field holds once more: a controlled input. */
const delegation = `
{
  const state = { nickname: '', terms: false };
  const render = () => {
    for (const field of document.querySelectorAll('[data-model]')) {
      const value = state[field.dataset.model];
      if (field.type === 'checkbox') field.checked = value;
      else if (field.value !== value) field.value = value;
    }
  };
  const store = ({ target }) => {
    if (target.dataset.model === undefined) return;
    state[target.dataset.model] = target.type === 'checkbox' ? target.checked : target.value;
    queueMicrotask(render);
  };
  const show = button => { button.nextElementSibling.textContent = button.textContent + ' is done.'; };
  const handlers = {
    click({ target }) {
      const { after, get } = target.dataset;
      if (after !== undefined) setTimeout(show, Number(after), target);
      if (get !== undefined) fetch(get).then(answer => answer.text()).then(() => show(target));
    },
    input: store,
    change: store,
    submit(event) { event.preventDefault(); },
  };
  for (const type of ['click', 'input', 'change', 'submit', 'keydown', 'keyup', 'focusin', 'mousemove', 'pointerover'])
    document.addEventListener(type, event => handlers[type]?.(event));
}`;

function reactForm(): string {
  const { outputFiles } = buildSync({
    entryPoints: [fileURLToPath(new URL('./framework-form.tsx', import.meta.url))],
    bundle: true,
    write: false,
    minify: true,
    format: 'iife',
    jsx: 'automatic',
    define: { 'process.env.NODE_ENV': '"production"' },
  });
  // Its process would stay for further builds.
  void stop();
  // What would end the script element in a string of React's.
  return (outputFiles[0]?.text ?? '').replaceAll('</script', '<\\/script');
}
