import { closestCenter, DndContext, PointerSensor, useSensor, useSensors } from '@dnd-kit/core';
import { arrayMove, SortableContext, useSortable, verticalListSortingStrategy } from '@dnd-kit/sortable';
import { useState } from 'react';
import { createRoot } from 'react-dom/client';

function Stop({ id }) {
  const { attributes, listeners, setNodeRef, transform, transition } = useSortable({ id });
  const style = {
    padding: 12,
    margin: 4,
    background: '#ddd',
    transition,
    transform: transform ? `translate(${transform.x}px, ${transform.y}px)` : undefined,
  };
  return (
    <div ref={setNodeRef} style={style} {...attributes} {...listeners}>
      {id}
    </div>
  );
}

function App() {
  const [stops, setStops] = useState(['Bergen', 'Voss', 'Geilo', 'Oslo']);
  const sensors = useSensors(useSensor(PointerSensor, { activationConstraint: { distance: 5 } }));
  window.state = () => stops;
  const move = ({ active, over }) =>
    over && setStops(arrayMove(stops, stops.indexOf(active.id), stops.indexOf(over.id)));
  return (
    <>
      <h1>Route</h1>
      <DndContext sensors={sensors} collisionDetection={closestCenter} onDragEnd={move}>
        <SortableContext items={stops} strategy={verticalListSortingStrategy}>
          {stops.map(stop => (
            <Stop key={stop} id={stop} />
          ))}
        </SortableContext>
      </DndContext>
    </>
  );
}
createRoot(document.querySelector('#app')).render(<App />);
