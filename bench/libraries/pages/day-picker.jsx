import { useState } from 'react';
import { DayPicker } from 'react-day-picker';
import { createRoot } from 'react-dom/client';
import 'react-day-picker/style.css';

function Stay() {
  const [stay, setStay] = useState();
  const iso = date => date?.toLocaleDateString('sv') ?? null;
  window.state = () => [iso(stay?.from), iso(stay?.to)];
  return (
    <>
      <h1>Your stay</h1>
      <DayPicker mode="range" defaultMonth={new Date(2026, 8, 1)} selected={stay} onSelect={setStay} />
      <p>{stay?.to ? `From ${iso(stay.from)} to ${iso(stay.to)}` : 'No days chosen'}</p>
    </>
  );
}
createRoot(document.querySelector('#app')).render(<Stay />);
