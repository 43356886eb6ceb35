import { type Html, html } from '../../http/html.js';
import { money } from '../money.js';
import type { Order } from '../orders.js';
import { layout } from './layout.js';

export function orderPage(order: Order, cartCount: number): Html {
  const { street, postalCode, city, country } = order.address;
  return layout({
    title: `Order ${order.number}`,
    cartCount,
    main: html`<section class="thanks" aria-labelledby="thanks-heading">
  <span class="thanks-mark" aria-hidden="true">✓</span>
  <h1 id="thanks-heading">Thank you, ${order.name}</h1>
  <h2>Order ${order.number} is confirmed</h2>
  <p>We sent a receipt to <strong>${order.email}</strong>. ${order.shipping.name} shipping to ${street}, ${postalCode} ${city}, ${country}.</p>
  <table class="receipt">
    <caption class="visually-hidden">What you bought</caption>
    <thead><tr><th scope="col">Item</th><th scope="col">Quantity</th><th scope="col">Price</th></tr></thead>
    <tbody>${order.lines.map(line => html`<tr><td>${line.name}</td><td>${line.quantity}</td><td>${money(line.total)}</td></tr>`)}
    <tr><td>Shipping, ${order.shipping.name.toLowerCase()}</td><td></td><td>${money(order.shipping.price)}</td></tr></tbody>
    <tfoot><tr><th scope="row">Total, card ending ${order.cardLastFour}</th><td></td><td>${money(order.total)}</td></tr></tfoot>
  </table>
  <p class="actions">
    <a class="button" href="/orders/${order.number}/invoice.pdf" download>Download invoice</a>
    <a class="button quiet" href="/">Continue shopping</a>
  </p>
</section>`,
  });
}
