import Konva from 'konva';

document.querySelector('#app').innerHTML =
  '<h1>Room plan</h1> <div id="plan" style="width: 500px; height: 300px; border: 1px solid"></div> <p role="status" id="said">Table at 40, 40</p>';
const stage = new Konva.Stage({ container: 'plan', width: 500, height: 300 });
const layer = new Konva.Layer();
const table = new Konva.Rect({ x: 40, y: 40, width: 80, height: 60, fill: 'brown', draggable: true });
layer.add(table);
stage.add(layer);
const box = document.querySelector('#plan').getBoundingClientRect();
table.on('dragend', () => {
  document.querySelector('#said').textContent = `Table at ${Math.round(table.x())}, ${Math.round(table.y())}`;
});
window.state = () => ({
  isRight: table.x() > 250,
  isDown: table.y() > 120,
  said: document.querySelector('#said').textContent === `Table at ${Math.round(table.x())}, ${Math.round(table.y())}`,
  left: box.left,
});
