import type { ReactElement } from 'react';

/** Outlines in a box of 16 by 16, drawn with the colour of the text. */
const OUTLINES = {
  back: 'M10 3 5 8l5 5',
  forward: 'm6 3 5 5-5 5',
  reload: 'M13 8a5 5 0 1 1-1.6-3.7M13 2.2v2.9h-2.9',
  plus: 'M8 3.5v9M3.5 8h9',
  close: 'm4.5 4.5 7 7m0-7-7 7',
  globe:
    'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12ZM2 8h12M8 2c2.2 1.9 2.7 4 2.7 6S10.2 12.1 8 14C5.8 12.1 5.3 10 5.3 8S5.8 3.9 8 2Z',
  lock: 'M4.5 7.2h7v5.8h-7zM5.8 7.2V5.2a2.2 2.2 0 0 1 4.4 0v2',
  eye: 'M1.8 8S4 3.8 8 3.8 14.2 8 14.2 8 12 12.2 8 12.2 1.8 8 1.8 8ZM8 9.8a1.8 1.8 0 1 0 0-3.6 1.8 1.8 0 0 0 0 3.6Z',
  hand: 'M5 8.5V4.3a1 1 0 0 1 2 0V7m0 0V3.3a1 1 0 0 1 2 0V7m0 0V4a1 1 0 0 1 2 0v5.5a4 4 0 0 1-4 4c-1.7 0-2.6-.7-3.4-2L2.7 9.3c-.6-1.1.7-1.9 1.5-1L5 9.2',
  spark: 'M8 2.2 9.4 6.6 13.8 8 9.4 9.4 8 13.8 6.6 9.4 2.2 8l4.4-1.4Z',
  person: 'M8 8a2.6 2.6 0 1 0 0-5.2A2.6 2.6 0 0 0 8 8ZM3.2 13.3c.5-2.3 2.4-3.5 4.8-3.5s4.3 1.2 4.8 3.5',
  keyboard: 'M1.8 4.2h12.4v7.6H1.8zM4.3 6.7h.01M6.8 6.7h.01M9.2 6.7h.01M11.7 6.7h.01M5 9.4h6',
  expand: 'M9.5 2.8h3.7v3.7M6.5 13.2H2.8V9.5M13.2 2.8 9 7M2.8 13.2 7 9',
  card: 'M2.3 3.5h11.4v9H2.3zM8.7 8.2h3v2.3h-3z',
  minimize: 'M3.5 8h9',
  actualSize: 'M3 5.2 4.6 4v8M8 6.3h.01M8 9.7h.01M11.4 5.2 13 4v8',
  fitSize: 'M2.3 5.5V3h2.5M11.2 3h2.5v2.5M13.7 10.5V13h-2.5M4.8 13H2.3v-2.5M5.2 6h5.6v4H5.2z',
  matchSize: 'M2.3 3h11.4v10H2.3zM5 8h6M6.6 6.2 4.8 8l1.8 1.8M9.4 6.2 11.2 8 9.4 9.8',
  check: 'm3.5 8.5 3 3 6-7',
  power: 'M8 2.3v5.2M11.3 4.3a5 5 0 1 1-6.6 0',
  offline:
    'M2 6.2a9 9 0 0 1 3-1.8M14 6.2a9 9 0 0 0-5-2.2M4.3 9a5.4 5.4 0 0 1 2.2-1.3M11.7 9a5.4 5.4 0 0 0-1.3-.9M8 12.3h.01M2.5 2.5l11 11',
  question: 'M5.9 6.1A2.1 2.1 0 0 1 8 4.2c1.2 0 2.1.7 2.1 1.8 0 1.5-2.1 1.7-2.1 3.1M8 11.7h.01',
} as const;

export type IconName = keyof typeof OUTLINES;

export function Icon({ name }: { name: IconName }): ReactElement {
  return (
    <svg className="bt-icon" viewBox="0 0 16 16" aria-hidden="true" focusable="false">
      <path d={OUTLINES[name]} />
    </svg>
  );
}
