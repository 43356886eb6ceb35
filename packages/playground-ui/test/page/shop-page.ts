/** A page of 1280 by 720 whose left top quarter is of a colour of its own in the corner, to be found in a frame. */
export const SHOP_PAGE = `<!doctype html>
<style>
  * { box-sizing: border-box }
  body { margin: 0; width: 1280px; height: 720px; font: 16px/1.5 system-ui, sans-serif; color: #26221c; background: #faf7f1 }
  #corner { position: absolute; left: 0; top: 0; width: 40px; height: 40px; background: rgb(200, 40, 40) }
  header { display: flex; align-items: center; gap: 28px; height: 72px; padding: 0 64px; background: #fff; border-bottom: 1px solid #e7e1d6 }
  header b { font-size: 20px }
  main { display: grid; grid-template-columns: 1fr 380px; gap: 56px; padding: 48px 64px }
  h1 { margin: 0 0 24px; font-size: 34px }
  .row { display: flex; gap: 20px; align-items: center; padding: 18px 0; border-bottom: 1px solid #e7e1d6 }
  .pic { width: 84px; height: 84px; border-radius: 10px }
  aside { padding: 26px; background: #fff; border: 1px solid #e7e1d6; border-radius: 14px }
  aside p { display: flex; justify-content: space-between; margin: 0 0 10px }
  button { width: 100%; height: 48px; margin-top: 14px; color: #fff; font: 600 16px system-ui; background: #1f5f4f; border: 0; border-radius: 9px }
  .price { margin-left: auto }
</style>
<div id="corner"></div>
<header><b>Tidewater</b><span>Shop</span><span>Stories</span><span>Help</span></header>
<main>
  <section>
    <h1>Your cart</h1>
    <div class="row"><div class="pic" style="background:#7aa7b8"></div><div><b>Blue mug</b><br>350 ml, glazed</div><span class="price">24.00</span></div>
    <div class="row"><div class="pic" style="background:#d9a066"></div><div><b>Oak cutting board</b><br>45 by 30 cm</div><span class="price">49.00</span></div>
    <div class="row"><div class="pic" style="background:#8f9f7b"></div><div><b>Linen towel</b><br>Moss</div><span class="price">18.00</span></div>
  </section>
  <aside><p><span>Subtotal</span><span>91.00</span></p><p><span>Shipping</span><span>6.00</span></p><p><b>Total</b><b>97.00</b></p><button>Pay now</button></aside>
</main>`;
