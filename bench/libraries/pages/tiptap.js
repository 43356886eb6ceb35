import { Editor } from '@tiptap/core';
import StarterKit from '@tiptap/starter-kit';

document.querySelector('#app').innerHTML = `
  <h1>Letter</h1>
  <div role="toolbar" aria-label="Style"><button id="heading">Heading</button> <button id="list">List</button></div>
  <div id="letter"></div>`;
const editor = new Editor({
  element: document.querySelector('#letter'),
  extensions: [StarterKit],
  content: '<p>Dear Ann</p>',
});
document.querySelector('#heading').onclick = () => editor.chain().focus().toggleHeading({ level: 2 }).run();
document.querySelector('#list').onclick = () => editor.chain().focus().toggleBulletList().run();
window.state = () => editor.getHTML();
