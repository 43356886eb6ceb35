import { type KeyboardEvent, useRef } from 'react';

interface TabListProps<Tab extends string> {
  readonly label: string;
  readonly tabs: readonly Tab[];
  readonly chosen: Tab;
  /** How many things a tab holds. */
  readonly counts?: Readonly<Partial<Record<Tab, number>>>;
  /** The tab in which the agent waits for the person. */
  readonly waiting?: Tab;
  readonly onChoose: (tab: Tab) => void;
}

/** Tabs as ARIA's patterns have them: one stop of the Tab key, arrows move between them. Panels are `panel-` and the name. */
export function TabList<Tab extends string>({ label, tabs, chosen, counts, waiting, onChoose }: TabListProps<Tab>) {
  const list = useRef<HTMLDivElement>(null);
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    const next = step && tabs[(tabs.indexOf(chosen) + step + tabs.length) % tabs.length];
    if (!next) return;
    onChoose(next);
    list.current?.querySelector<HTMLElement>(`#tab-${next}`)?.focus();
  };
  return (
    <div ref={list} role="tablist" aria-label={label} className="tabs" onKeyDown={onKeyDown}>
      {tabs.map(name => (
        <button
          key={name}
          type="button"
          role="tab"
          id={`tab-${name}`}
          aria-selected={name === chosen}
          aria-controls={`panel-${name}`}
          tabIndex={name === chosen ? 0 : -1}
          onClick={() => onChoose(name)}
        >
          {name}
          {(counts?.[name] ?? 0) > 0 && <span className="count">{counts?.[name]}</span>}
          {name === waiting && <span className="waiting-mark" role="img" aria-label="waiting for you" />}
        </button>
      ))}
    </div>
  );
}
