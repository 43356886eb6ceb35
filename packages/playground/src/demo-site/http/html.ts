/** Markup that is safe to send: made by `html`, which escapes whatever is put into it. */
export class Html {
  constructor(readonly text: string) {}

  toString(): string {
    return this.text;
  }
}

export type Fragment = Html | string | number | false | null | undefined | readonly Fragment[];

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

function escapeText(text: string): string {
  return text.replace(/[&<>"']/g, character => ENTITIES[character] ?? character);
}

function render(fragment: Fragment): string {
  if (fragment === false || fragment === null || fragment === undefined) return '';
  if (fragment instanceof Html) return fragment.text;
  if (typeof fragment === 'string' || typeof fragment === 'number') return escapeText(String(fragment));
  return fragment.map(render).join('');
}

export function html(strings: TemplateStringsArray, ...values: Fragment[]): Html {
  return new Html(strings.reduce((text, part, index) => text + render(values[index - 1]) + part));
}
