import { createHmac } from 'node:crypto';

/** The lines around what a page says. */
export interface Boundary {
  begin: string;
  end: string;
}

/**
 * Lines for around a text. Their number is drawn for each text anew and stands nowhere in it, so that no page can write the
 * line that ends its own text.
 *
 * @param key A secret with which the same text has the same number each time, so that a prompt which repeats it begins as
 * before. Any other text has another number, so a page that was given one cannot use it.
 */
export function boundaryOf(text: string, key?: string): Boundary {
  const number = numberNotIn(text, key === undefined ? drawn : derived(text, key));
  return { begin: `[page ${number}]`, end: `[end ${number}]` };
}

/** Puts what a page says between boundary lines, whose number is that of `boundaryOf`. */
export function betweenBoundaries(text: string, key?: string): string {
  if (text === '') return '';
  const { begin, end } = boundaryOf(text, key);
  return `${begin}\n${text}\n${end}`;
}

/** A number below a range of 47 bits at most, which nobody can guess. */
type Draw = (range: number) => number;

const FOUR_DIGITS = 10_000;

/** A page may be full of numbers, for that very reason: then longer ones are drawn. */
function numberNotIn(text: string, draw: Draw): string {
  for (let range = FOUR_DIGITS; ; range = Math.min(range * 10, 2 ** 47)) {
    const number = String(draw(range)).padStart(4, '0');
    if (!text.includes(number)) return number;
  }
}

function drawn(range: number): number {
  const [high = 0, low = 0] = crypto.getRandomValues(new Uint32Array(2));
  return ((high & 0x1fffff) * 2 ** 32 + low) % range;
}

function derived(text: string, key: string): Draw {
  let count = 0;
  return range => {
    const digest = createHmac('sha256', key).update(`${count++} ${text}`).digest();
    return (digest.readUIntBE(0, 6) % 2 ** 47) % range;
  };
}
