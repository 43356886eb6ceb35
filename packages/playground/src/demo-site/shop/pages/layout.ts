import { type Fragment, type Html, html } from '../../http/html.js';

export interface Page {
  readonly title: string;
  readonly cartCount: number;
  readonly main: Fragment;
  /** Script modules from the assets folder, without `.js`. */
  readonly scripts?: readonly string[];
}

export function layout({ title, cartCount, main, scripts = [] }: Page): Html {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} – Harbor & Oak</title>
<link rel="icon" href="/assets/logo.svg" type="image/svg+xml">
<link rel="stylesheet" href="/assets/shop.css">
${scripts.map(name => html`<script type="module" src="/assets/${name}.js"></script>\n`)}</head>
<body>
<a class="skip-link" href="#main">Skip to content</a>
<header class="site-header">
  <div class="bar">
    <a class="brand" href="/"><img src="/assets/logo.svg" alt="" width="36" height="36"><span>Harbor & Oak</span></a>
    <nav aria-label="Main">
      <ul>
        <li><a href="/">Shop</a></li>
        <li><a href="/terms#delivery">Delivery</a></li>
        <li>${cartLink(cartCount)}</li>
      </ul>
    </nav>
  </div>
</header>
<main id="main">${main}</main>
<footer class="site-footer">
  <div class="bar">
    <p>Harbor & Oak is a demonstration shop. Nothing is sold and no card is charged.</p>
    <p><a href="/terms" target="_blank" rel="noopener">Terms of sale (opens in a new tab)</a></p>
  </div>
</footer>
<div id="toasts" class="toasts" role="status"></div>
</body>
</html>
`;
}

function cartLink(count: number): Html {
  return html`<a class="cart-link" id="cart-link" href="/cart" aria-label="Cart, ${countOf(count, 'item')}">Cart <span class="badge" id="cart-count">${count}</span></a>`;
}

export function countOf(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
