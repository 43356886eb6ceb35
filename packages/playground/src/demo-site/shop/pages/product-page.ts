import { type Html, html } from '../../http/html.js';
import { type Product, relatedTo } from '../catalog.js';
import { money } from '../money.js';
import { layout } from './layout.js';

export function productPage(product: Product, cartCount: number): Html {
  const { slug, name, category, price, tone, summary, material, size } = product;
  return layout({
    title: name,
    cartCount,
    scripts: ['add-to-cart', 'dialog'],
    main: html`<nav class="crumbs" aria-label="Breadcrumb">
  <ol><li><a href="/">Shop</a></li><li><a href="/?category=${category}">${category}</a></li><li aria-current="page">${name}</li></ol>
</nav>
<article class="product">
  <div class="tile tile-${tone} product-art"><img src="/assets/art/${slug}.svg" alt="Drawing of the ${name}" width="480" height="480"></div>
  <div class="product-text">
    <p class="eyebrow">${category}</p>
    <h1>${name}</h1>
    <p class="product-price">${money(price)}</p>
    <p class="lead">${summary}</p>
    ${buy(product)}
    <dl class="facts"><div><dt>Material</dt><dd>${material}</dd></div><div><dt>Size</dt><dd>${size}</dd></div></dl>
    <button class="link-button" type="button" data-opens="care-dialog">Care and returns</button>
  </div>
</article>
${careDialog(material)}
${related(product)}`,
  });
}

function buy({ slug, stock }: Product): Html {
  if (stock === 0) return html`<p class="sold-out">Sold out. The next batch is in the kiln.</p>`;
  return html`<p class="in-stock">${stock < 10 ? `Only ${stock} left` : 'In stock'}</p>
<form class="buy" method="post" action="/cart/items" data-add>
  <input type="hidden" name="slug" value="${slug}">
  <div class="field quantity"><label for="quantity">Quantity</label><input id="quantity" name="quantity" type="number" value="1" min="1" max="${stock}" required></div>
  <button class="button">Add to cart</button>
</form>`;
}

function careDialog(material: string): Html {
  return html`<dialog id="care-dialog" aria-labelledby="care-heading">
  <h2 id="care-heading">Care and returns</h2>
  <p>Made of ${material.toLowerCase()}. Wash by hand, dry in the shade, and it will outlive us all.</p>
  <p>Send it back within 60 days, used or not, and we refund what you paid.</p>
  <form method="dialog"><button class="button">Close</button></form>
</dialog>`;
}

function related(product: Product): Html {
  return html`<section class="related" aria-labelledby="related-heading">
  <h2 id="related-heading">More for the same shelf</h2>
  <ul class="related-list">${relatedTo(product).map(
    other =>
      html`<li><a href="/products/${other.slug}"><span class="tile tile-${other.tone}"><img src="/assets/art/${other.slug}.svg" alt="" width="160" height="160"></span> <span>${other.name}</span> <span class="price">${money(other.price)}</span></a></li>`,
  )}</ul>
</section>`;
}
