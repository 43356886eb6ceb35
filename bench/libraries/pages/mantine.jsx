import { Button, MantineProvider, PinInput, SegmentedControl, Stepper, TagsInput } from '@mantine/core';
import { DatePickerInput } from '@mantine/dates';
import { useState } from 'react';
import { createRoot } from 'react-dom/client';
import '@mantine/core/styles.css';
import '@mantine/dates/styles.css';

function App() {
  const [step, setStep] = useState(0);
  const [pin, setPin] = useState('');
  const [size, setSize] = useState('Small');
  const [day, setDay] = useState('2026-03-04');
  const [guests, setGuests] = useState([]);
  window.state = () => ({ step, pin, size, day, guests });
  return (
    <MantineProvider>
      <h1>Party</h1>
      <Stepper active={step}>
        <Stepper.Step label="Code">
          <PinInput value={pin} onChange={setPin} aria-label="Code" />
        </Stepper.Step>
        <Stepper.Step label="Party">
          <SegmentedControl data={['Small', 'Middle', 'Large']} value={size} onChange={setSize} />
          <DatePickerInput label="Day" value={day} onChange={setDay} />
          <TagsInput label="Guests" value={guests} onChange={setGuests} data={['Ann', 'Berit', 'Carl']} />
        </Stepper.Step>
        <Stepper.Completed>All is ready.</Stepper.Completed>
      </Stepper>
      <Button onClick={() => setStep(step + 1)} disabled={step === 0 && pin.length < 4}>
        Go on
      </Button>
    </MantineProvider>
  );
}
createRoot(document.querySelector('#app')).render(<App />);
