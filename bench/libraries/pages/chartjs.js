import Chart from 'chart.js/auto';

document.querySelector('#app').innerHTML = `
  <h1>Sales</h1>
  <div style="width: 600px"><canvas id="sales" role="img" aria-label="Sales by month"></canvas></div>
  <p role="status" id="chosen">No month chosen</p>`;
const months = ['January', 'February', 'March', 'April'];
let chosen = null;
new Chart(document.querySelector('#sales'), {
  type: 'bar',
  data: { labels: months, datasets: [{ label: 'Sales', data: [30, 50, 90, 40] }] },
  options: {
    animation: false,
    onClick: (_, [bar]) => {
      chosen = bar ? months[bar.index] : null;
      document.querySelector('#chosen').textContent = chosen ? `Chosen: ${chosen}` : 'No month chosen';
    },
  },
});
window.state = () => chosen;
