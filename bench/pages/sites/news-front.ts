import { htmlDocument } from '../document.ts';
import { box, h, icon, link, picture, text, times, wrapped } from '../markup.ts';
import { capitalise, type Random } from '../random.ts';
import { withChrome } from '../site-chrome.ts';

/** With `modal`, its newsletter dialog is open and nothing behind it can be reached. */
export function newsFront(random: Random, modal?: true): string {
  const content = [
    newsTicker(random),
    box('grid lead', leadStory(random), h('aside', { 'aria-label': 'Opinion' }, opinion(random, 5))),
    ...['World', 'Business', 'Science', 'Culture'].map(name => newsSection(random, name, 7)),
    box('grid two', mostRead(random, 10), videoRail(random, 8)),
  ].join('');
  const chrome = { brand: 'Daily Meridian', sections: 9, footerLinks: 32, cookieBar: true, dialogOpen: modal };
  return htmlDocument({ title: 'Daily Meridian - News', css: newsCss }, ...withChrome(random, chrome, content));
}

const newsCss = `
.grid.lead { grid-template-columns: 2fr 1fr } .kicker { text-transform: uppercase; font-size: 12px; color: #b3261e }
.kicker::before { content: "▍" } .story h3 { margin: 4px 0; font-size: 17px } .story:hover h3 a { text-decoration: underline }
.rail { display: flex; overflow-x: auto; gap: 12px } .rail > li { flex: 0 0 180px }
.ticker { overflow: hidden; white-space: nowrap; background: #f3f0e8 } .ad { min-height: 90px; background: #f6f6f6 } .ad::before { content: "Advertisement"; font-size: 11px }
@media (max-width: 900px) { .grid.lead { grid-template-columns: 1fr } }`;

function newsTicker(random: Random): string {
  return box(
    'ticker row',
    h('strong', {}, 'Live'),
    ...times(5, () => link(`/live/${random.slug()}`, random.headline())),
  );
}

function leadStory(random: Random): string {
  const href = `/world/${random.slug()}`;
  return h(
    'article',
    { class: `story ${random.hash()}`, 'data-rank': 1 },
    h('a', { href, tabindex: -1, 'aria-hidden': 'true' }, picture('', 760, 420)),
    h('span', { class: 'kicker' }, link('/world', 'World')),
    h('h1', {}, link(href, random.headline())),
    h('p', {}, text(random.paragraph(2, 3))),
    h(
      'ul',
      { class: 'plain stack' },
      times(3, () => h('li', {}, icon(), ' ', link(`/world/${random.slug()}`, random.headline()))),
    ),
  );
}

function opinion(random: Random, count: number): string {
  const entry = () =>
    h(
      'li',
      { class: `row ${random.hash()}` },
      picture('', 48, 48),
      box(
        'stack',
        link(`/by/${random.slug()}`, random.person(), { class: 'muted' }),
        h('h3', {}, link(`/opinion/${random.slug()}`, random.headline())),
      ),
    );
  return h(
    'section',
    { class: 'card' },
    h('h2', {}, 'Opinion'),
    h('ul', { class: 'plain stack' }, times(count, entry)),
  );
}

function newsSection(random: Random, name: string, count: number): string {
  return h(
    'section',
    { class: random.hash(), 'aria-labelledby': `h-${name}` },
    box(
      'row between',
      h('h2', { id: `h-${name}` }, name),
      link(`/${name.toLowerCase()}`, `More ${name.toLowerCase()}`),
    ),
    box(
      'grid four',
      times(count, () => wrapped(2, () => random.hash(), story(random, name))),
    ),
    box('ad', h('div', { id: `slot-${name}`, 'data-sizes': '728x90,970x250' })),
  );
}

function story(random: Random, sectionName: string): string {
  const href = `/${sectionName.toLowerCase()}/${random.slug()}-${random.int(10000, 99999)}`;
  return h(
    'article',
    { class: `story card ${random.hash()}`, 'data-testid': 'story-card' },
    h(
      'div',
      { class: random.hash() },
      h('a', { href, tabindex: -1, 'aria-hidden': 'true' }, h('figure', {}, picture('', 280, 160))),
    ),
    box(
      random.hash(),
      h('span', { class: 'kicker' }, link(`/topic/${random.slug()}`, capitalise(random.phrase(1, 2)))),
      h('h3', {}, link(href, random.headline())),
      h('p', { class: 'muted' }, text(random.sentence(10, 18))),
      box(
        'row muted',
        h('time', { datetime: '2026-11-02T08:00Z' }, `${random.int(1, 22)}h ago`),
        h('span', {}, icon(), ` ${random.int(2, 9)} min`),
      ),
    ),
  );
}

function mostRead(random: Random, count: number): string {
  const entry = (index: number) =>
    h(
      'li',
      { class: 'row' },
      h('span', { class: 'badge' }, String(index + 1)),
      link(`/read/${random.slug()}`, random.headline()),
    );
  return h(
    'section',
    { class: 'card' },
    h('h2', {}, 'Most read'),
    h('ol', { class: 'plain stack' }, times(count, entry)),
  );
}

function videoRail(random: Random, count: number): string {
  const entry = () =>
    h(
      'li',
      { class: 'card' },
      h('button', { 'aria-label': `Play: ${random.headline()}` }, picture('', 160, 90), icon()),
      h('span', {}, text(random.phrase(3, 6))),
    );
  return h(
    'section',
    { class: random.hash() },
    h('h2', {}, 'Video'),
    h('ul', { class: 'plain rail' }, times(count, entry)),
  );
}
