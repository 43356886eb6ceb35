import { useVirtualizer } from '@tanstack/react-virtual';
import { useRef, useState } from 'react';
import { createRoot } from 'react-dom/client';

const songs = Array.from({ length: 5000 }, (_, index) => `Song number ${index + 1}`);

function App() {
  const box = useRef(null);
  const [liked, setLiked] = useState([]);
  window.state = () => liked;
  const rows = useVirtualizer({ count: songs.length, getScrollElement: () => box.current, estimateSize: () => 32 });
  return (
    <>
      <h1>Songs</h1>
      <div ref={box} style={{ height: 320, overflow: 'auto', border: '1px solid' }}>
        <div style={{ height: rows.getTotalSize(), position: 'relative' }}>
          {rows.getVirtualItems().map(({ key, index, start }) => (
            <div key={key} style={{ position: 'absolute', top: start, height: 32, width: '100%' }}>
              <span>{songs[index]}</span>{' '}
              <button type="button" onClick={() => setLiked([...liked, songs[index]])}>
                Like
              </button>
            </div>
          ))}
        </div>
      </div>
      <p role="status">{liked.length} liked</p>
    </>
  );
}
createRoot(document.querySelector('#app')).render(<App />);
