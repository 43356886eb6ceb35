import { htmlDocument } from '../document.ts';
import { box, h, icon, link, text, times } from '../markup.ts';
import { capitalise, type Random } from '../random.ts';

export interface FrameOrigins {
  same: string;
  /** Another site on the same server, so that Chromium puts its frames in another process. */
  other: string;
}

/** A checkout: payment form in a cross-site frame, a nested challenge in it, same-origin map and adverts. */
export function framesPage(random: Random, origins: FrameOrigins): string {
  const frame = (origin: string, kind: string, title: string, height: number) =>
    h('iframe', { src: `${origin}/frame/${kind}`, title, width: 560, height });
  return htmlDocument(
    { title: 'Checkout - Northwind' },
    h('header', { class: 'site-header' }, link('/', 'Northwind')),
    h(
      'main',
      { class: 'wrap grid two' },
      h(
        'form',
        { class: 'stack' },
        h('h1', {}, 'Checkout'),
        ['Full name', 'Email', 'Street', 'City', 'Postcode'].map(name =>
          h('label', {}, `${name} `, h('input', { name })),
        ),
        h('label', {}, h('input', { type: 'checkbox' }), 'Remember me'),
        h('button', {}, 'Continue'),
      ),
      box(
        'stack',
        frame(origins.other, 'payment', 'Card payment', 420),
        frame(origins.same, 'map', 'Pick-up points', 300),
        ...times(4, index =>
          frame(index % 2 === 0 ? origins.other : origins.same, `advert-${index}`, 'Advertisement', 120),
        ),
      ),
      h(
        'section',
        {},
        h('h2', {}, 'Your basket'),
        h(
          'ul',
          { class: 'plain' },
          times(40, () =>
            h(
              'li',
              { class: 'row between' },
              link(`/p/${random.slug()}`, random.phrase(2, 4)),
              h('span', {}, random.price()),
              h('button', { 'aria-label': 'Remove' }, icon()),
            ),
          ),
        ),
      ),
    ),
  );
}

export function framePage(random: Random, kind: string, origins: FrameOrigins): string {
  if (kind === 'payment') return paymentFrame(origins);
  if (kind === 'challenge')
    return htmlDocument(
      { title: 'Challenge' },
      h('label', {}, 'One-time code ', h('input', { inputmode: 'numeric' })),
      h('button', {}, 'Confirm'),
    );
  if (kind === 'map') return mapFrame(random);
  return htmlDocument(
    { title: 'Advert' },
    h('a', { href: `https://ads.example/${random.slug()}` }, h('strong', {}, text(random.headline()))),
    h('button', { 'aria-label': 'Close advert' }, icon()),
  );
}

function paymentFrame(origins: FrameOrigins): string {
  const fields = ['Card number', 'Expiry', 'Security code', 'Name on card'].map(name =>
    h('label', { class: 'stack' }, name, h('input', { name, autocomplete: 'off' })),
  );
  const challenge = h('iframe', {
    src: `${origins.same}/frame/challenge`,
    title: 'Bank challenge',
    width: 400,
    height: 80,
  });
  return htmlDocument(
    { title: 'Card payment' },
    h(
      'form',
      { class: 'stack' },
      fields,
      h(
        'label',
        {},
        'Country ',
        h(
          'select',
          {},
          ['Norway', 'Portugal', 'Japan'].map(name => h('option', {}, name)),
        ),
      ),
      challenge,
      h('button', {}, 'Pay now'),
    ),
  );
}

function mapFrame(random: Random): string {
  const place = () =>
    h(
      'li',
      { class: 'row', tabindex: 0, style: 'cursor:pointer' },
      icon(),
      box(
        'stack',
        h('strong', {}, text(capitalise(random.phrase(1, 2)))),
        h('span', { class: 'muted' }, text(random.phrase(2, 4))),
      ),
      h('button', {}, 'Choose'),
    );
  return htmlDocument(
    { title: 'Pick-up points' },
    h('input', { type: 'search', 'aria-label': 'Search places' }),
    h('ul', { class: 'plain stack' }, times(25, place)),
  );
}
