import ElementPlus from 'element-plus';
import 'element-plus/dist/index.css';
import { createApp } from 'vue/dist/vue.esm-bundler.js';

const app = createApp({
  data: () => ({
    place: [],
    day: '',
    time: '',
    transfer: [],
    steps: 0,
    data: ['Guide', 'Lunch', 'Boat', 'Insurance'].map(label => ({ key: label, label })),
  }),
  template: `
    <h1>Excursion</h1>
    <el-steps :active="steps"><el-step title="What" /><el-step title="When" /></el-steps>
    <div v-if="steps === 0"><el-transfer v-model="transfer" :data="data" :titles="['Offered', 'Taken']" /></div>
    <div v-else><el-time-select v-model="time" start="08:00" step="00:30" end="12:00" placeholder="Start" /></div>
    <el-button @click="steps = 1" :disabled="steps === 1">Next step</el-button>`,
});
app.use(ElementPlus);
const view = app.mount('#app');
window.state = () => ({ transfer: [...view.transfer], time: view.time });
