import { html, raw } from 'hono/html';

/** Escaped markup, as `html` makes it. */
export type Markup = ReturnType<typeof html>;

/** What the head of every page of a site shows. */
export interface Masthead {
  name: string;
  nav?: readonly (readonly [label: string, path: string])[];
}

export interface PageParts {
  title: string;
  body: Markup;
  /** Runs at the end of the page, with `send(path, data)` for JSON posts, `at(id)` and `make(tag, properties)`. */
  script?: string;
}

const STYLE = `
:root { font: 16px/1.5 system-ui, sans-serif; color: #1d2733; background: #f4f6f8 }
body { margin: 0 }
header { background: #1f4e5f; color: #fff; padding: .8rem 2rem; display: flex; gap: 2rem; align-items: baseline }
header a { color: #fff } header strong { font-size: 1.2rem }
main { max-width: 62rem; margin: 1.5rem auto; padding: 1.5rem 2rem; background: #fff; border-radius: 8px }
label { display: block; margin: .6rem 0 } input, select, textarea, button { font: inherit; padding: .35rem .6rem }
label input[type=text], label input[type=email], label textarea, label select { display: block; width: min(26rem, 100%) }
button { cursor: pointer; border: 1px solid #1f4e5f; border-radius: 6px; background: #eaf2f4 }
button:disabled { cursor: default; opacity: .45 }
table { border-collapse: collapse; width: 100% } th, td { text-align: left; padding: .35rem .6rem; border-bottom: 1px solid #dde3e8 }
.error { color: #a4161a } .muted { color: #66727e } .row { display: flex; gap: 1rem; flex-wrap: wrap; align-items: end }
`;

const HELPERS = `
const send = (path, data) => fetch(path, {
  method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(data),
});
const at = id => document.getElementById(id);
const make = (tag, properties) => Object.assign(document.createElement(tag), properties);`;

/** A whole page. */
export function page({ name, nav = [] }: Masthead, { title, body, script }: PageParts): Markup {
  return html`<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
  <title>${title} · ${name}</title><link rel="icon" href="data:,"><style>${raw(STYLE)}</style>
</head>
<body>
  <header><strong>${name}</strong><nav aria-label="Main">${nav.map(([label, path]) => html`<a href="${path}">${label}</a> `)}</nav></header>
  <main><h1>${title}</h1>${body}</main>
  ${script === undefined ? '' : html`<script>${raw(`${HELPERS}\n${script}`)}</script>`}
</body>
</html>`;
}

/** Data for the page's script, in a form that cannot end its element. */
export function inScript(data: unknown): string {
  return JSON.stringify(data).replaceAll('<', '\\u003c');
}
