import {
  Combobox,
  ComboboxInput,
  ComboboxOption,
  ComboboxOptions,
  Disclosure,
  DisclosureButton,
  DisclosurePanel,
  Listbox,
  ListboxButton,
  ListboxOption,
  ListboxOptions,
  Tab,
  TabGroup,
  TabList,
  TabPanel,
  TabPanels,
} from '@headlessui/react';
import { useState } from 'react';
import { createRoot } from 'react-dom/client';

const people = ['Arne Dahl', 'Berit Moe', 'Carl Lie', 'Dagny Vik'];

function App() {
  const [person, setPerson] = useState(null);
  const [query, setQuery] = useState('');
  const [rank, setRank] = useState('Reader');
  window.state = () => ({ person, rank });
  return (
    <>
      <h1>Share</h1>
      <TabGroup>
        <TabList>
          <Tab>People</Tab>
          <Tab>Rights</Tab>
        </TabList>
        <TabPanels>
          <TabPanel>
            <Combobox value={person} onChange={setPerson} onClose={() => setQuery('')}>
              <ComboboxInput
                aria-label="Person"
                displayValue={value => value ?? ''}
                onChange={event => setQuery(event.target.value)}
              />
              <ComboboxOptions anchor="bottom">
                {people
                  .filter(name => name.toLowerCase().includes(query.toLowerCase()))
                  .map(name => (
                    <ComboboxOption key={name} value={name}>
                      {name}
                    </ComboboxOption>
                  ))}
              </ComboboxOptions>
            </Combobox>
          </TabPanel>
          <TabPanel>
            <Disclosure>
              <DisclosureButton>Advanced</DisclosureButton>
              <DisclosurePanel>
                <Listbox value={rank} onChange={setRank}>
                  <ListboxButton>{rank}</ListboxButton>
                  <ListboxOptions anchor="bottom">
                    {['Reader', 'Writer', 'Owner'].map(name => (
                      <ListboxOption key={name} value={name}>
                        {name}
                      </ListboxOption>
                    ))}
                  </ListboxOptions>
                </Listbox>
              </DisclosurePanel>
            </Disclosure>
          </TabPanel>
        </TabPanels>
      </TabGroup>
    </>
  );
}
createRoot(document.querySelector('#app')).render(<App />);
