import { useState } from 'react';
import { createRoot } from 'react-dom/client';
import Select from 'react-select';

const cities = ['Bergen', 'Oslo', 'Stavanger', 'Tromsø', 'Trondheim'].map(label => ({ label, value: label }));

function Form() {
  const [city, setCity] = useState(null);
  window.state = () => city?.value ?? null;
  return (
    <form>
      <h1>Where to</h1>
      <label htmlFor="city">City</label>
      <Select inputId="city" options={cities} value={city} onChange={setCity} isClearable />
    </form>
  );
}
createRoot(document.querySelector('#app')).render(<Form />);
