import { VueDatePicker } from '@vuepic/vue-datepicker';
import '@vuepic/vue-datepicker/dist/main.css';
import { createApp, h, ref } from 'vue';

const day = ref(new Date(2026, 5, 10, 9, 30));
createApp({
  render: () => [
    h('h1', 'Meeting'),
    h(VueDatePicker, {
      modelValue: day.value,
      'onUpdate:modelValue': value => {
        day.value = value;
      },
    }),
    h('p', { role: 'status' }, day.value ? `At ${day.value.toLocaleString('sv')}` : 'No day'),
  ],
}).mount('#app');
window.state = () => day.value?.toLocaleDateString('sv') ?? null;
