import { NConfigProvider, NDynamicTags, NInputNumber, NTreeSelect } from 'naive-ui';
import { createApp, h, ref } from 'vue';

const folder = ref(null);
const tags = ref(['draft']);
const copies = ref(1);
const options = [
  {
    label: 'Home',
    key: 'home',
    children: [
      { label: 'Letters', key: 'letters' },
      { label: 'Recipes', key: 'recipes' },
    ],
  },
  { label: 'Work', key: 'work', children: [{ label: 'Reports', key: 'reports' }] },
];
createApp({
  render: () =>
    h(NConfigProvider, () => [
      h('h1', 'Print'),
      h('p', 'Folder'),
      h(NTreeSelect, {
        options,
        value: folder.value,
        defaultExpandAll: true,
        placeholder: 'Choose a folder',
        onUpdateValue: value => {
          folder.value = value;
        },
      }),
      h('p', 'Tags'),
      h(NDynamicTags, {
        value: tags.value,
        onUpdateValue: value => {
          tags.value = value;
        },
      }),
      h('p', 'Copies'),
      h(NInputNumber, {
        value: copies.value,
        min: 1,
        placeholder: 'Copies',
        onUpdateValue: value => {
          copies.value = value;
        },
      }),
    ]),
}).mount('#app');
window.state = () => ({ folder: folder.value, tags: tags.value, copies: copies.value });
