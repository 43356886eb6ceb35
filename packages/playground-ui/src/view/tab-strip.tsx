import type { LiveTab } from '@browser-toolset/core';
import { type KeyboardEvent, type ReactElement, type RefObject, useEffect, useRef } from 'react';
import { IconButton } from './icon-button.js';
import { Icon } from './icons.js';
import { pageNameOf } from './page-name.js';
import type { BrowserStream } from './use-browser-stream.js';

interface TabStripProps {
  stream: BrowserStream;
  /** Id of what the tabs show. */
  panelId: string;
  disabled: boolean;
}

/** The tabs (ARIA Authoring Practices, "Tabs"): arrows move, Enter or Space switches, Delete closes. */
export function TabStrip({ stream, panelId, disabled }: TabStripProps): ReactElement {
  const { state, model } = stream;
  const list = useRef<HTMLDivElement>(null);
  const keepFocus = useFocusAfterClosing(list, state.tabs);
  const onKeyDown = (event: KeyboardEvent) => {
    const buttons = [...(list.current?.querySelectorAll<HTMLElement>('[role=tab]') ?? [])];
    const index = buttons.indexOf(event.target as HTMLElement);
    const next = nextIndex(event.key, index, buttons.length);
    const tab = state.tabs[index];
    if (event.key === 'Delete' && tab !== undefined && !disabled) {
      keepFocus(tab.tab);
      void model.changeTabs({ action: 'close', tab: tab.tab });
    } else if (next === undefined) return;
    else buttons[next]?.focus();
    event.preventDefault();
  };
  return (
    <div className="bt-tabs">
      {/* Buttons that close tabs stand beside them, and may not stand in a list of tabs: it owns the tabs alone. */}
      <div
        role="tablist"
        aria-label="Tabs of the browser"
        aria-owns={state.tabs.map(tab => idOf(panelId, tab)).join(' ')}
      />
      {/* biome-ignore lint/a11y/noStaticElementInteractions: keys are pressed on the tabs in it */}
      <div ref={list} className="bt-tab-list" onKeyDown={onKeyDown}>
        {state.tabs.map(tab => (
          <Tab
            key={tab.tab}
            tab={tab}
            panelId={panelId}
            disabled={disabled}
            onSwitch={() => void model.changeTabs({ action: 'switch', tab: tab.tab })}
            onClose={() => void model.changeTabs({ action: 'close', tab: tab.tab })}
          />
        ))}
      </div>
      <IconButton
        icon="plus"
        label="New tab"
        disabled={disabled}
        onClick={() => void model.changeTabs({ action: 'new' })}
      />
    </div>
  );
}

/** The focus of a tab that is closed by keyboard goes on to the active one; else the next Tab key begins at the page's top. */
function useFocusAfterClosing(
  list: RefObject<HTMLElement | null>,
  tabs: readonly LiveTab[],
): (closing: string) => void {
  const closing = useRef<string>(undefined);
  useEffect(() => {
    const isThere = tabs.some(({ tab }) => tab === closing.current);
    if (list.current === null || closing.current === undefined || isThere) return;
    closing.current = undefined;
    const { activeElement } = list.current.getRootNode() as Document | ShadowRoot;
    const isLost = activeElement === null || activeElement === document.body;
    if (isLost) list.current.querySelector<HTMLElement>('[role=tab][tabindex="0"]')?.focus();
  }, [list, tabs]);
  return tab => {
    closing.current = tab;
  };
}

interface TabProps {
  tab: LiveTab;
  panelId: string;
  disabled: boolean;
  onSwitch(): void;
  onClose(): void;
}

function Tab({ tab, panelId, disabled, onSwitch, onClose }: TabProps): ReactElement {
  const name = pageNameOf(tab);
  return (
    <div className="bt-tab" data-active={tab.active}>
      <button
        type="button"
        id={idOf(panelId, tab)}
        role="tab"
        className="bt-tab-button"
        aria-selected={tab.active}
        aria-controls={panelId}
        aria-disabled={disabled}
        tabIndex={tab.active ? 0 : -1}
        title={`${name}\n${tab.url}`}
        onClick={() => !disabled && !tab.active && onSwitch()}
      >
        <Icon name="globe" />
        <span>{name}</span>
      </button>
      <IconButton
        icon="close"
        label={`Close ${name}`}
        className="bt-tab-close"
        tabIndex={-1}
        disabled={disabled}
        onClick={onClose}
      />
    </div>
  );
}

function idOf(panelId: string, { tab }: LiveTab): string {
  return `${panelId}-${tab}`;
}

function nextIndex(key: string, index: number, count: number): number | undefined {
  if (key === 'ArrowRight') return (index + 1) % count;
  if (key === 'ArrowLeft') return (index - 1 + count) % count;
  if (key === 'Home') return 0;
  return key === 'End' ? count - 1 : undefined;
}
