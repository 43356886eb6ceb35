import { type Html, html } from '../../http/html.js';
import { CATEGORIES, PRODUCTS, type Product } from '../catalog.js';
import { money } from '../money.js';
import { countOf, layout } from './layout.js';

export function productListPage(cartCount: number): Html {
  return layout({
    title: 'Shop',
    cartCount,
    scripts: ['product-list', 'add-to-cart'],
    main: html`${hero()}
<div class="shop">
  <aside class="filters" aria-label="Filters">${filters()}</aside>
  <section class="results" aria-labelledby="results-heading">
    <h2 id="results-heading" class="visually-hidden">Products</h2>
    ${toolbar()}
    <ul class="cards" id="cards">${PRODUCTS.map(card)}</ul>
    <div class="nothing" id="nothing" hidden>
      <p><strong>Nothing matches.</strong> Try another word, or widen the filters.</p>
      <button class="button quiet" type="reset" form="filters">Clear search and filters</button>
    </div>
  </section>
</div>`,
  });
}

function hero(): Html {
  return html`<section class="hero" aria-labelledby="hero-heading">
  <div class="hero-text">
    <p class="eyebrow">Autumn at the quay</p>
    <h1 id="hero-heading">Plain, sturdy things for the kitchen and the rooms around it</h1>
    <p>Thrown, turned and woven in small workshops along one stretch of coast.</p>
  </div>
  <div class="hero-art" aria-hidden="true">
    ${['dune-vase', 'tidewater-mug', 'shoal-bowl'].map(slug => html`<img src="/assets/art/${slug}.svg" alt="" width="240" height="240">`)}
  </div>
</section>`;
}

function toolbar(): Html {
  return html`<div class="toolbar" role="search">
  <div class="field grow">
    <label for="search">Search products</label>
    <input id="search" name="search" type="search" form="filters" placeholder="Mug, linen, oak…" autocomplete="off" maxlength="60">
  </div>
  <div class="field">
    <label for="sort">Sort by</label>
    <select id="sort" name="sort" form="filters">
      <option value="featured">Featured</option>
      <option value="price-up">Price, low to high</option>
      <option value="price-down">Price, high to low</option>
      <option value="name">Name, A to Z</option>
    </select>
  </div>
  <p class="result-count" id="result-count" role="status">${countOf(PRODUCTS.length, 'product')}</p>
</div>`;
}

function filters(): Html {
  return html`<details id="filter-panel" open>
  <summary>Filters</summary>
  <form id="filters" class="filter-form">
    <fieldset>
      <legend>Category</legend>
      ${CATEGORIES.map(
        category =>
          html`<label class="check"><input type="checkbox" name="category" value="${category}"> ${category}</label>`,
      )}
    </fieldset>
    <fieldset>
      <legend>Price in dollars</legend>
      <div class="price-range">
        <div class="field"><label for="price-min">From</label><input id="price-min" name="min" type="number" min="0" step="1" inputmode="numeric" placeholder="0"></div>
        <div class="field"><label for="price-max">To</label><input id="price-max" name="max" type="number" min="0" step="1" inputmode="numeric" placeholder="200"></div>
      </div>
    </fieldset>
    <label class="switch"><input type="checkbox" role="switch" name="stock" value="in"> In stock only</label>
    <button class="button quiet" type="reset">Reset filters</button>
  </form>
</details>`;
}

function card(product: Product): Html {
  const { slug, name, category, price, stock, tone } = product;
  const searched = [name, category, product.summary, product.material].join(' ');
  return html`<li class="card" data-name="${name}" data-text="${searched}" data-category="${category}" data-price="${price}" data-stock="${stock}">
  <a class="card-link" href="/products/${slug}">
    <span class="tile tile-${tone}"><img src="/assets/art/${slug}.svg" alt="" width="240" height="240" loading="lazy"></span>
    <span class="card-name">${name}</span>
  </a>
  <p class="card-facts"><span>${category}</span> <span class="price">${money(price)}</span></p>
  ${stock > 0 ? addForm(product) : html`<p class="sold-out">Sold out</p>`}
</li>`;
}

function addForm({ slug, name }: Product): Html {
  return html`<form method="post" action="/cart/items" data-add>
    <input type="hidden" name="slug" value="${slug}"><input type="hidden" name="quantity" value="1">
    <button class="button small" aria-label="Add ${name} to cart">Add to cart</button>
  </form>`;
}
