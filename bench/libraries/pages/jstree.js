import jQuery from 'jquery';
import 'jstree';
import 'jstree/dist/themes/default/style.css';

document.querySelector('#app').innerHTML = '<h1>Files</h1><div id="tree"></div>';
const leaf = (id, text) => ({ id, text });
jQuery('#tree').jstree({
  plugins: ['checkbox'],
  core: {
    data: [
      {
        id: 'docs',
        text: 'Documents',
        children: [leaf('letters', 'Letters'), leaf('bills', 'Bills'), leaf('notes', 'Notes')],
      },
      { id: 'pics', text: 'Pictures', children: [leaf('holiday', 'Holiday'), leaf('family', 'Family')] },
    ],
  },
});
window.state = () => jQuery('#tree').jstree('get_checked');
