import type { BrowserNow, TabNow } from '../browser/storage/browser-states.js';

/** The state that the model was told last. */
export interface ToldBrowser {
  url?: string;
  is?: BrowserNow['is'];
  driver?: 'agent' | 'person';
}

const TITLE_LENGTH = 80;
const URL_LENGTH = 200;
const MOST_TABS = 8;

/** The description of a browser at the beginning of a run. */
export function describe(now: BrowserNow): string {
  if (now.is === 'closed') return now.by === 'user' ? CLOSED_BY_USER : 'Browser is closed; the next call opens it.';
  const active = now.tabs.find(({ id }) => id === now.active);
  const others = now.tabs.filter(tab => tab !== active);
  const more = others.length > MOST_TABS ? [`${others.length - MOST_TABS} more`] : [];
  return [
    now.is === 'open' ? 'Browser is open.' : 'Browser rests; the next call brings its tabs back.',
    active && `Active tab URL: ${place(active)} (${active.id} of ${now.tabs.length}).`,
    now.is === 'open' && now.urlChangedBy === 'user' && 'The user went there.',
    others.length > 0 &&
      `Other tabs: ${[...others.slice(0, MOST_TABS).map(tab => `${tab.id} ${place(tab)}`), ...more].join(', ')}.`,
    now.is === 'open' && DRIVES[now.driver],
  ]
    .filter(Boolean)
    .join(' ');
}

/** The news in the middle of a run: changes that no result has told yet. */
export function describeNews(now: BrowserNow, told: ToldBrowser): string {
  if (now.is === 'closed') return now.by === 'user' && told.is !== 'closed' ? CLOSED_BY_USER : '';
  if (now.is === 'asleep') return '';
  const active = now.tabs.find(({ id }) => id === now.active);
  const news: string[] = [];
  if (told.url !== undefined && active !== undefined && active.url !== told.url)
    news.push(
      `${now.urlChangedBy === 'user' ? 'user changed active tab URL to' : 'Active tab URL is now'} ${place(active)}.`,
    );
  if (now.driver !== (told.driver ?? 'agent')) news.push(DRIVES[now.driver]);
  return news.join(' ');
}

const CLOSED_BY_USER = 'The user closed the browser; the next call opens it again.';

const DRIVES = {
  agent: 'You drive.',
  person: 'A person drives at the moment: your actions wait for them, looking goes on.',
};

/** Urls and titles are the page's own words: they stay on one line and cannot end what they stand in. */
function place({ url, title }: TabNow): string {
  const name = title === '' ? '' : ` ${JSON.stringify(title.slice(0, TITLE_LENGTH))}`;
  return `${url.slice(0, URL_LENGTH)}${name}`.replace(/[<>]/g, '');
}
