import { type ReactElement, useEffect, useState } from 'react';
import type { StreamTraffic } from '../stream/model.js';
import { StatusBadge } from './status-badge.js';
import type { BrowserStream } from './use-browser-stream.js';

/** Milliseconds between two looks at what comes. */
const INTERVAL = 1000;

/** The state of the stream; opened, it says what the picture costs. */
export function StreamDetails({ stream }: { stream: BrowserStream }): ReactElement {
  const [isOpen, setOpen] = useState(false);
  return (
    <details className="bt-details" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary title="Details of the picture">
        <StatusBadge state={stream.state} />
      </summary>
      {isOpen && <Figures stream={stream} />}
    </details>
  );
}

const NAMES = { video: 'Video', jpeg: 'JPEG' } as const;

function Figures({ stream: { model, frames } }: { stream: BrowserStream }): ReactElement {
  const [traffic, setTraffic] = useState<StreamTraffic>(() => model.traffic());
  useEffect(() => {
    const timer = setInterval(() => setTraffic(model.traffic()), INTERVAL);
    return () => clearInterval(timer);
  }, [model]);
  const { bytesPerSecond, framesPerSecond } = traffic;
  const figures = [`${Math.round(bytesPerSecond / 1000)} KB/s`, `${Math.round(framesPerSecond)} fps`];
  return <p className="bt-figures">{[...(frames ? [NAMES[frames]] : []), ...figures].join(' · ')}</p>;
}
