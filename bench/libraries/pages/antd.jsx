import { Button, Cascader, DatePicker, Form, InputNumber } from 'antd';
import dayjs from 'dayjs';
import { useState } from 'react';
import { createRoot } from 'react-dom/client';

const regions = [
  {
    value: 'Norway',
    label: 'Norway',
    children: [
      { value: 'Bergen', label: 'Bergen' },
      { value: 'Oslo', label: 'Oslo' },
    ],
  },
  {
    value: 'Sweden',
    label: 'Sweden',
    children: [
      { value: 'Lund', label: 'Lund' },
      { value: 'Malmö', label: 'Malmö' },
    ],
  },
];

function App() {
  const [order, setOrder] = useState(null);
  window.state = () => order;
  const send = ({ place, day, people }) => setOrder({ place, day: day.format('YYYY-MM-DD'), people });
  return (
    <>
      <h1>Guided tour</h1>
      <Form layout="vertical" onFinish={send} initialValues={{ people: 2, day: dayjs('2026-10-05') }}>
        <Form.Item name="place" label="Place" rules={[{ required: true }]}>
          <Cascader options={regions} style={{ width: 240 }} />
        </Form.Item>
        <Form.Item name="day" label="Day">
          <DatePicker />
        </Form.Item>
        <Form.Item name="people" label="People">
          <InputNumber min={1} max={9} />
        </Form.Item>
        <Button htmlType="submit" type="primary">
          Book
        </Button>
      </Form>
      {order && (
        <p role="status">
          Booked {order.place.join(', ')} on {order.day} for {order.people}
        </p>
      )}
    </>
  );
}
createRoot(document.querySelector('#app')).render(<App />);
