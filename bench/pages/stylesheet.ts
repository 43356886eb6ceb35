import { Random } from './random.ts';

/**
 * A style sheet of the size that component libraries ship (about 3,000 rules): utilities with breakpoints, component rules with
 * descendants and states, and an icon font's `::before` rules. Most match nothing on a given page, as on real sites,
 * but every style lookup pays for them.
 */
export function frameworkCss(): string {
  return [...utilities(), ...components(), ...iconFont()].join('\n');
}

/** One rule for each generated class name in a document, as CSS-in-JS builds emit them. */
export function hashedRules(html: string): string {
  const random = new Random('hashed');
  const names = new Set(html.match(/\bcss-[a-z0-9]{6}\b/g));
  const declarations = [
    'line-height: 1.45',
    'min-width: 0',
    'word-break: break-word',
    'letter-spacing: 0',
    'border-color: #e1e5ea',
    'outline-offset: 2px',
  ];
  return [...names].map(name => `.${name} { ${random.pick(declarations)}; ${random.pick(declarations)} }`).join('\n');
}

function utilities(): string[] {
  const steps = Array.from({ length: 12 }, (_, step) => step);
  const rules = ['m', 'p', 'gap'].flatMap(kind =>
    ['', 't', 'r', 'b', 'l', 'x', 'y'].flatMap(side =>
      steps.map(step => ({ name: `u-${kind}${side}-${step}`, body: `margin: ${step * 4}px` })),
    ),
  );
  const plain = rules.map(rule => `.${rule.name} { ${rule.body} }`);
  const wide = [600, 900, 1200, 1600].map(
    width =>
      `@media (min-width: ${width}px) { ${rules.map(rule => `.w${width}\\:${rule.name} { ${rule.body} }`).join(' ')} }`,
  );
  return [...plain, ...wide];
}

function components(): string[] {
  const random = new Random('components');
  return Array.from({ length: 300 }, (_, index) => {
    const block = `c-${random.phrase(1, 1)}-${index}`;
    return [
      `.${block} { display: flex; padding: 8px }`,
      `.${block} > .${block}__item + .${block}__item { margin-left: 4px }`,
      `.${block}:hover .${block}__title, .${block}:focus-within .${block}__title { color: #06c }`,
      `.${block}[data-state="open"]::after { content: ""; position: absolute }`,
    ].join('\n');
  });
}

function iconFont(): string[] {
  return Array.from(
    { length: 800 },
    (_, index) => `.fa-${index}::before { content: "\\f${(index + 256).toString(16)}" }`,
  );
}
