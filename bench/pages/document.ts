import { type Children, h, text } from './markup.ts';
import { frameworkCss, hashedRules } from './stylesheet.ts';

export interface DocumentParts {
  title: string;
  /** CSS of this kind of page, after the base styles. */
  css?: string;
  bodyClass?: string;
  script?: string;
  /** Without any style sheet. */
  bare?: boolean;
}

export function htmlDocument(parts: DocumentParts, ...body: readonly Children[]): string {
  const script = parts.script === undefined ? '' : h('script', {}, parts.script);
  const content = h('body', { class: parts.bodyClass ?? 'page' }, ...body, script);
  const styles = parts.bare ? '' : h('style', {}, frameworkCss(), baseCss, parts.css ?? '', hashedRules(content));
  const head = h(
    'head',
    {},
    h('meta', { charset: 'utf-8' }),
    h('meta', { name: 'viewport', content: 'width=device-width, initial-scale=1' }),
    h('meta', { name: 'description', content: parts.title }),
    h('title', {}, text(parts.title)),
    styles,
  );
  return `<!doctype html>${h('html', { lang: 'en' }, head, content)}`;
}

const baseCss = `
*, *::before, *::after { box-sizing: border-box }
html { font: 15px/1.45 system-ui, sans-serif; color: #1d232b; background: #fff }
body { margin: 0 }
a { color: inherit; text-decoration: none } a:hover { text-decoration: underline }
ul.plain, ol.plain { list-style: none; margin: 0; padding: 0 }
button { font: inherit; cursor: pointer; border: 1px solid #c8ced6; border-radius: 4px; background: #f6f8fa; padding: 4px 10px }
input, select, textarea { font: inherit; border: 1px solid #c8ced6; border-radius: 4px; padding: 4px 8px }
img.media { display: block; max-width: 100%; background: #e4e8ee }
.icon { width: 16px; height: 16px; vertical-align: -3px }
.visually-hidden { position: absolute; width: 1px; height: 1px; margin: -1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap }
.skip-link { position: absolute; left: -9999px; top: 0 } .skip-link:focus { left: 8px }
.wrap { max-width: 1200px; margin: 0 auto; padding: 0 16px }
.row { display: flex; gap: 12px; align-items: center } .row.between { justify-content: space-between }
.stack { display: flex; flex-direction: column; gap: 8px }
.grid { display: grid; gap: 16px } .grid.two { grid-template-columns: 1fr 1fr } .grid.three { grid-template-columns: repeat(3, 1fr) }
.grid.four { grid-template-columns: repeat(4, 1fr) }
.muted { color: #66707c; font-size: 13px }
.badge { display: inline-block; padding: 0 8px; border-radius: 10px; background: #e4e8ee; font-size: 12px }
.badge::before { content: "•"; margin-right: 4px }
.card { border: 1px solid #e1e5ea; border-radius: 6px; padding: 12px; background: #fff }
.hidden { display: none }
.site-header { position: sticky; top: 0; z-index: 20; background: #fff; border-bottom: 1px solid #e1e5ea }
.menu { position: absolute; display: none; background: #fff; border: 1px solid #ccd; padding: 12px; z-index: 30 }
.menu-root:hover > .menu, .menu-root[data-open] > .menu { display: flex; gap: 24px }
.popover { position: absolute; visibility: hidden; opacity: 0; transition: opacity .15s; background: #fff; border: 1px solid #ccd }
.menu-root[data-open] > .popover { visibility: visible; opacity: 1 }
.hamburger { display: none }
@media (max-width: 760px) { .hamburger { display: inline-flex } .desktop-nav { display: none } .grid.three, .grid.four { grid-template-columns: 1fr } }
.overlay { position: fixed; inset: 0; background: #0008; display: none; z-index: 90 }
.overlay[data-open] { display: grid; place-items: center }
.cookie-bar { position: fixed; left: 16px; right: 16px; bottom: 16px; background: #1d232b; color: #fff; padding: 12px; border-radius: 8px; z-index: 40 }
.cookie-bar button { color: #1d232b }
.site-footer { background: #f6f8fa; border-top: 1px solid #e1e5ea; padding: 24px 0 90px; margin-top: 32px }
`;
