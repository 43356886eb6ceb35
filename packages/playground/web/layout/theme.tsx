import { useEffect } from 'react';
import { Icon } from './icon.js';
import { stored, useStored } from './stored.js';

type Theme = 'system' | 'light' | 'dark';

const NEXT: Record<Theme, Theme> = { system: 'light', light: 'dark', dark: 'system' };
const THEME_ICONS = { system: 'monitor', light: 'sun', dark: 'moon' } as const;

const readTheme = (stored: string | null): Theme => (stored === 'light' || stored === 'dark' ? stored : 'system');

/** Before anything is rendered: the skeleton has these colours too. */
export function paintStoredTheme(): void {
  paint(stored('theme', readTheme));
}

function paint(theme: Theme): void {
  document.documentElement.style.colorScheme = theme === 'system' ? 'light dark' : theme;
  document.documentElement.dataset.theme = theme;
}

export function ThemeButton() {
  const [theme, setTheme] = useStored('theme', readTheme);
  useEffect(() => paint(theme), [theme]);
  const label = `Colours: ${theme}. Switch to ${NEXT[theme]}`;
  return (
    <button
      type="button"
      className="icon-button"
      aria-label={label}
      title={label}
      onClick={() => setTheme(NEXT[theme])}
    >
      <Icon name={THEME_ICONS[theme]} />
    </button>
  );
}
