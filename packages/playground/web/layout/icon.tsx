/** Outlines on a grid of 16, drawn with the colour of the text. */
const PATHS = {
  plus: 'M8 3.5v9M3.5 8h9',
  trash: 'M3 4.5h10M6.5 4.5V3h3v1.5M4.5 4.5l.5 8.5h6l.5-8.5M6.8 7v3.8M9.2 7v3.8',
  send: 'M8 13V3.5M4 7.5l4-4 4 4',
  stop: 'M4.5 4.5h7v7h-7z',
  check: 'M3.5 8.5l3 3 6-7',
  cross: 'M4 4l8 8M12 4l-8 8',
  chevron: 'M6 4l4 4-4 4',
  sun: 'M8 5.2a2.8 2.8 0 100 5.6 2.8 2.8 0 000-5.6zM8 1.5v1.6M8 12.9v1.6M1.5 8h1.6M12.9 8h1.6M3.4 3.4l1.1 1.1M11.5 11.5l1.1 1.1M3.4 12.6l1.1-1.1M11.5 4.5l1.1-1.1',
  moon: 'M13 9.5A5.3 5.3 0 016.5 3 5.3 5.3 0 1013 9.5z',
  monitor: 'M2.5 3.5h11v7h-11zM6 13h4M8 10.5V13',
  external: 'M9.5 3H13v3.5M13 3L7.5 8.5M11.5 9v3.5h-8v-8H7',
  question: 'M5.9 6a2.1 2.1 0 114 .9c-.4.9-1.9 1.1-1.9 2.4M8 12v.2',
  hand: 'M5 8V4.2a1 1 0 012 0V7M7 7V3a1 1 0 012 0v4M9 7V3.8a1 1 0 012 0V9c0 2.8-1.5 4.5-3.8 4.5-1.8 0-2.6-.8-3.4-2.2L2.6 9.2c-.5-.9.6-1.6 1.3-.9L5 9.4',
  pause: 'M5.8 4v8M10.2 4v8',
  panel: 'M2.5 3.5h11v9h-11zM6 3.5v9',
  agent: 'M4 6.5h8v6H4zM8 6.5V4M6.3 9.3v.4M9.7 9.3v.4M8 3.2v.1',
  arrow: 'M3.5 8h9M9 4.5L12.5 8 9 11.5',
  tab: 'M2.5 12.5v-8h4l1.2 2h5.8v6z',
  dialog: 'M3 3.5h10v7H8l-2.5 2.5v-2.5H3z',
  download: 'M8 3v7M4.8 7.2L8 10.4l3.2-3.2M3.5 13h9',
  changes: 'M3 5h6M3 8h10M3 11h4',
  failed: 'M8 4v5M8 11.8v.2',
  copy: 'M6 6h7v7H6zM3 10V3h7',
} as const;

export type IconName = keyof typeof PATHS;

/** Decorative: what it stands for is said in words beside it or in a label. */
export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg className="icon" viewBox="0 0 16 16" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  );
}
