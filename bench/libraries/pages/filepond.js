import * as FilePond from 'filepond';
import 'filepond/dist/filepond.css';

document.querySelector('#app').innerHTML = '<h1>Send your papers</h1><div id="files"></div>';
const pond = FilePond.create(document.querySelector('#files'), { allowMultiple: true, credits: false });
window.state = () => pond.getFiles().map(({ filename }) => filename);
