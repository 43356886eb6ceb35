import IMask from 'imask';

document.querySelector('#app').innerHTML = `
  <h1>Payment</h1>
  <form>
    <label for="card">Card number</label> <input id="card"><br>
    <label for="amount">Amount</label> <input id="amount"><br>
    <label for="until">Valid until</label> <input id="until" placeholder="MM/YY">
  </form>`;
const field = id => document.getElementById(id);
const card = IMask(field('card'), { mask: '0000 0000 0000 0000' });
const amount = IMask(field('amount'), {
  mask: Number,
  thousandsSeparator: ',',
  scale: 2,
  radix: '.',
  padFractionalZeros: true,
});
const until = IMask(field('until'), { mask: '00/00', lazy: false });
window.state = () => [card.unmaskedValue, amount.typedValue, until.value];
