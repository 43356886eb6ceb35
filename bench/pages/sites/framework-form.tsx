import { type ChangeEvent, type ReactNode, useEffect, useState } from 'react';
import { createRoot } from 'react-dom/client';

const DEBOUNCE_MS = 200;
const SUGGESTIONS_MS = 300;
const VALIDATION_MS = 300;

/** Fields that change nothing but themselves, and those whose effect comes some time later. */
function Form(): ReactNode {
  return (
    <form aria-label="React" onSubmit={event => event.preventDefault()}>
      <TextField label="Name" />
      <TextField label="Email" />
      <TextField label="City" />
      <CheckBox label="Newsletter" />
      <Choice label="Country" options={['Norway', 'Sweden', 'Denmark']} />
      <Search />
      <Town />
      <Postcode />
      <Counter />
      <Hovers />
    </form>
  );
}

const idOf = (label: string): string => label.toLowerCase();

function useText(): [value: string, onChange: (event: ChangeEvent<HTMLInputElement>) => void] {
  const [value, setValue] = useState('');
  return [value, event => setValue(event.target.value)];
}

/** What was last given, once it has stayed so for a while. */
function useLate(value: string, delay: number): string {
  const [late, setLate] = useState('');
  useEffect(() => {
    const timer = setTimeout(setLate, delay, value);
    return () => clearTimeout(timer);
  }, [value, delay]);
  return late;
}

function TextField({ label }: { label: string }): ReactNode {
  const [value, onChange] = useText();
  return (
    <label>
      {label} <input id={idOf(label)} value={value} onChange={onChange} />
    </label>
  );
}

function CheckBox({ label }: { label: string }): ReactNode {
  const [checked, setChecked] = useState(false);
  return (
    <label>
      <input id={idOf(label)} type="checkbox" checked={checked} onChange={event => setChecked(event.target.checked)} />{' '}
      {label}
    </label>
  );
}

function Choice({ label, options }: { label: string; options: readonly string[] }): ReactNode {
  const [value, setValue] = useState(options[0]);
  return (
    <label>
      {label}{' '}
      <select id={idOf(label)} value={value} onChange={event => setValue(event.target.value)}>
        {options.map(option => (
          <option key={option}>{option}</option>
        ))}
      </select>
    </label>
  );
}

function Search(): ReactNode {
  const [value, onChange] = useText();
  const searched = useLate(value, DEBOUNCE_MS);
  return (
    <div className="row">
      <label>
        Search <input id="search" type="search" value={value} onChange={onChange} />
      </label>
      <p role="status">{searched === '' ? '' : `Found nothing for ${searched}.`}</p>
    </div>
  );
}

function Town(): ReactNode {
  const [value, onChange] = useText();
  const asked = useLate(value, SUGGESTIONS_MS);
  const towns = asked === '' ? [] : ['harbour', 'airport'].map(place => `${asked} ${place}`);
  return (
    <div>
      <label>
        Town{' '}
        <input
          id="town"
          role="combobox"
          aria-autocomplete="list"
          aria-controls="towns"
          aria-expanded={towns.length > 0}
          value={value}
          onChange={onChange}
        />
      </label>
      <div id="towns" role="listbox" aria-label="Towns" hidden={towns.length === 0}>
        {towns.map(town => (
          <div key={town} role="option" tabIndex={-1} aria-selected={false}>
            {town}
          </div>
        ))}
      </div>
    </div>
  );
}

function Postcode(): ReactNode {
  const [value, onChange] = useText();
  const [left, setLeft] = useState('');
  const checked = useLate(left, VALIDATION_MS);
  return (
    <div className="row">
      <label>
        Postcode <input id="postcode" value={value} onChange={onChange} onBlur={() => setLeft(value)} />
      </label>
      <p role="alert">{checked === '' ? '' : `No town has the postcode ${checked}.`}</p>
    </div>
  );
}

function Counter(): ReactNode {
  const [count, setCount] = useState(0);
  return (
    <div className="row">
      <button type="button" id="count" onClick={() => setCount(count + 1)}>
        Count
      </button>
      <p role="status">{`Counted ${count}.`}</p>
    </div>
  );
}

function Hovers(): ReactNode {
  const [isExplained, setExplained] = useState(false);
  return (
    <div className="row">
      <button type="button" id="still">
        Still
      </button>
      <button type="button" id="plain">
        Plain
      </button>
      <button type="button" id="styled" className="styled">
        Styled
      </button>
      <button
        type="button"
        id="explained"
        onPointerEnter={() => setExplained(true)}
        onPointerLeave={() => setExplained(false)}
      >
        Explained
      </button>
      {isExplained ? <span role="tooltip">This is why.</span> : null}
    </div>
  );
}

const root = document.getElementById('react');
if (root !== null) createRoot(root).render(<Form />);
