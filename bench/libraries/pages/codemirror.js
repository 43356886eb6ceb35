import { javascript } from '@codemirror/lang-javascript';
import { basicSetup, EditorView } from 'codemirror';

document.querySelector('#app').innerHTML = '<h1>Script</h1><div id="editor"></div>';
const view = new EditorView({
  doc: 'const price = 12;\nconst count = 3;\n',
  extensions: [basicSetup, javascript(), EditorView.contentAttributes.of({ 'aria-label': 'Script' })],
  parent: document.querySelector('#editor'),
});
window.state = () => view.state.doc.toString();
