import Aura from '@primeuix/themes/aura';
import Button from 'primevue/button';
import Column from 'primevue/column';
import PrimeVue from 'primevue/config';
import DataTable from 'primevue/datatable';
import Dialog from 'primevue/dialog';
import MultiSelect from 'primevue/multiselect';
import Rating from 'primevue/rating';
import { createApp, h, ref } from 'vue';

const wines = Array.from({ length: 24 }, (_, index) => ({
  name: `Wine ${index + 1}`,
  year: 2000 + ((index * 7) % 20),
  stars: (index % 4) + 1,
}));
const chosen = ref([]);
const isOpen = ref(false);
const regions = ref([]);
createApp({
  render: () => [
    h('h1', 'Cellar'),
    h(
      DataTable,
      {
        value: wines,
        paginator: true,
        rows: 6,
        selection: chosen.value,
        dataKey: 'name',
        'onUpdate:selection': value => {
          chosen.value = value;
        },
      },
      () => [
        h(Column, { selectionMode: 'multiple' }),
        h(Column, { field: 'name', header: 'Name' }),
        h(Column, { field: 'year', header: 'Year', sortable: true }),
        h(
          Column,
          { field: 'stars', header: 'Stars' },
          { body: ({ data }) => h(Rating, { modelValue: data.stars, readonly: true }) },
        ),
      ],
    ),
    h(Button, {
      label: 'Filter',
      onClick: () => {
        isOpen.value = true;
      },
    }),
    h(
      Dialog,
      {
        visible: isOpen.value,
        modal: true,
        header: 'Filter',
        'onUpdate:visible': value => {
          isOpen.value = value;
        },
      },
      () =>
        h(MultiSelect, {
          'aria-label': 'Regions',
          placeholder: 'Regions',
          options: ['Alsace', 'Burgundy', 'Loire'],
          modelValue: regions.value,
          'onUpdate:modelValue': value => {
            regions.value = value;
          },
        }),
    ),
  ],
})
  .use(PrimeVue, { theme: { preset: Aura } })
  .mount('#app');
window.state = () => ({ chosen: chosen.value.map(({ name }) => name), regions: regions.value });
