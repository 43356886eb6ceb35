import { createApp, h, ref } from 'vue';
import { createVuetify } from 'vuetify';
import {
  VApp,
  VBtn,
  VCombobox,
  VExpansionPanel,
  VExpansionPanels,
  VRating,
  VSelect,
  VSlider,
} from 'vuetify/components';
import 'vuetify/styles';

const kind = ref(null);
const tools = ref(['Rope']);
const weight = ref(10);
const stars = ref(1);
createApp({
  render: () =>
    h(VApp, () => [
      h('h1', 'Expedition'),
      h(VSelect, {
        label: 'Kind',
        items: ['Mountain', 'River', 'Sea'],
        modelValue: kind.value,
        'onUpdate:modelValue': value => {
          kind.value = value;
        },
      }),
      h(VCombobox, {
        label: 'Tools',
        multiple: true,
        chips: true,
        closableChips: true,
        items: ['Axe', 'Map', 'Rope'],
        modelValue: tools.value,
        'onUpdate:modelValue': value => {
          tools.value = value;
        },
      }),
      h(VExpansionPanels, () => [
        h(
          VExpansionPanel,
          { title: 'Weight and difficulty' },
          {
            text: () => [
              h(VSlider, {
                label: 'Weight',
                min: 0,
                max: 40,
                step: 1,
                modelValue: weight.value,
                'onUpdate:modelValue': value => {
                  weight.value = value;
                },
              }),
              h(VRating, {
                length: 5,
                modelValue: stars.value,
                'onUpdate:modelValue': value => {
                  stars.value = value;
                },
              }),
            ],
          },
        ),
      ]),
      h(VBtn, () => 'Go'),
    ]),
})
  .use(createVuetify())
  .mount('#app');
window.state = () => ({ kind: kind.value, tools: tools.value, weight: weight.value, stars: stars.value });
