import Uppy from '@uppy/core';
import Dashboard from '@uppy/dashboard';
import '@uppy/core/css/style.min.css';
import '@uppy/dashboard/css/style.min.css';

document.querySelector('#app').innerHTML = '<h1>Photos of the house</h1> <div id="files"></div>';
const uppy = new Uppy().use(Dashboard, {
  inline: true,
  target: '#files',
  height: 360,
  proudlyDisplayPoweredByUppy: false,
});
window.state = () => uppy.getFiles().map(({ name }) => name);
