/** Presses of people are made here: nothing of it looks different afterwards, so that no frame of the live view is due. */
export const quietPlace = { x: 640, y: 600 };

/** What the page calls, when it is there, once it has heard of a click. */
export const binding = 'clickHeard';

/** A page that has nothing special: a button that adds a line, and a few elements of other kinds. */
export const walkedPage = `<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,"><title>Orders</title>
<style>body { margin: 0; font: 16px/1.5 sans-serif } footer { position: fixed; inset: 560px 0 0 }</style>
<h1>Orders</h1>
<p>Three vans wait at the <a href="#gate">gate</a>.</p>
<label>Name <input value="Ann"></label>
<button id="add">Add an order</button>
<ul id="orders"><li>Order 1</li></ul>
<footer>Open until six</footer>
<script>
  let orders = 1;
  document.querySelector('#add').addEventListener('click', () => {
    const line = document.createElement('li');
    line.textContent = 'Order ' + ++orders;
    document.querySelector('#orders').append(line);
  });
  addEventListener('click', () => globalThis.${binding}?.(''));
</script>`;
