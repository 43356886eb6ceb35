import * as Menubar from '@radix-ui/react-menubar';
import { useState } from 'react';
import { createRoot } from 'react-dom/client';

function Menu({ name, children }) {
  return (
    <Menubar.Menu>
      <Menubar.Trigger>{name}</Menubar.Trigger>
      <Menubar.Portal>
        <Menubar.Content align="start" sideOffset={4} style={{ background: '#eee', padding: 8 }}>
          {children}
        </Menubar.Content>
      </Menubar.Portal>
    </Menubar.Menu>
  );
}

function App() {
  const [done, setDone] = useState([]);
  const [isWrapped, setWrapped] = useState(false);
  window.state = () => ({ done, isWrapped });
  const item = name => <Menubar.Item onSelect={() => setDone([...done, name])}>{name}</Menubar.Item>;
  return (
    <>
      <h1>Notebook</h1>
      <Menubar.Root style={{ display: 'flex', gap: 12 }}>
        <Menu name="File">
          {item('New')}
          <Menubar.Sub>
            <Menubar.SubTrigger>Export</Menubar.SubTrigger>
            <Menubar.Portal>
              <Menubar.SubContent style={{ background: '#ddd', padding: 8 }}>
                {item('As text')}
                {item('As picture')}
              </Menubar.SubContent>
            </Menubar.Portal>
          </Menubar.Sub>
        </Menu>
        <Menu name="View">
          <Menubar.CheckboxItem checked={isWrapped} onCheckedChange={setWrapped}>
            Wrap lines
          </Menubar.CheckboxItem>
        </Menu>
      </Menubar.Root>
    </>
  );
}
createRoot(document.querySelector('#app')).render(<App />);
