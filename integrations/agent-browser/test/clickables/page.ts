/** A page that says what it did whenever something of it is pressed. */
export interface ClickablePage {
  /** How many things of it do something of their own. */
  things: number;
  html: string;
  /** Calls `did(what)` where it reacts. */
  script: string;
}

/**
 * @param things How many things of the page do something of their own when they are pressed.
 * @param html The body.
 * @param script Binds the listeners. It calls `did(what)` where the page reacts, `on(selector, what)` to listen on each
 * element alone, and `within(container, selector, what)` to listen on the container for what is in it.
 */
export function page(things: number, html: string, script: string): ClickablePage {
  return { things, html, script };
}

/** The same piece of HTML for each of some values. */
export function each(
  values: readonly (string | number)[] | string,
  html: (value: string, index: number) => string,
): string {
  return [...values].map((value, index) => html(String(value), index)).join('');
}

export function range(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, index) => from + index);
}

const TOOLS = `
  const log = [];
  const say = what => typeof what === 'function' ? what : () => what;
  const did = what => { log.push(String(what)); document.title = 'did ' + log.length; };
  const nameOf = element => element.id || element.dataset.id || element.className.toString() + ' ' + element.textContent.trim();
  const on = (selector, what = nameOf, type = 'click') => {
    for (const element of document.querySelectorAll(selector))
      element.addEventListener(type, event => { event.stopPropagation(); did(say(what)(element)); });
  };
  const within = (container, selector, what = nameOf, type = 'click') => {
    for (const box of document.querySelectorAll(container))
      box.addEventListener(type, event => {
        const hit = event.target.closest(selector);
        if (hit !== null && box.contains(hit)) did(say(what)(hit));
      });
  };`;

const LOOK = `body { font: 14px sans-serif; margin: 8px } ul, ol { padding: 0 } li { list-style: none }
  td, th { padding: 3px; border: 1px solid #ccc }
  .icon::before { content: ''; display: inline-block; width: 16px; height: 16px; background: #88a }`;

export function documentOf(name: string, { html, script }: ClickablePage): string {
  return `<!doctype html><meta charset="utf-8"><title>${name}</title><style>${LOOK}</style><h1>${name}</h1>${html}
    <script>${TOOLS}\n${script}</script>`;
}
