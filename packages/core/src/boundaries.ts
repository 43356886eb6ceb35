/** The lines around what a page says. */
export interface Boundary {
  begin: string;
  end: string;
}

/**
 * Lines for around a text. Their number is drawn for each text anew and stands nowhere in it, so that no page can write the
 * line that ends its own text.
 */
export function boundaryOf(text: string): Boundary {
  const number = numberNotIn(text);
  return { begin: `[page ${number}]`, end: `[end ${number}]` };
}

/** Puts what a page says between boundary lines. */
export function betweenBoundaries(text: string): string {
  if (text === '') return '';
  const { begin, end } = boundaryOf(text);
  return `${begin}\n${text}\n${end}`;
}

const FOUR_DIGITS = 10_000;

/** A page may be full of numbers, for that very reason: then longer ones are drawn. */
function numberNotIn(text: string): string {
  for (let range = FOUR_DIGITS; ; range = Math.min(range * 10, 2 ** 47)) {
    const number = String(drawn(range)).padStart(4, '0');
    if (!text.includes(number)) return number;
  }
}

/** A number below a range of 47 bits at most, which nobody can guess. */
function drawn(range: number): number {
  const [high = 0, low = 0] = crypto.getRandomValues(new Uint32Array(2));
  return ((high & 0x1fffff) * 2 ** 32 + low) % range;
}
