import { cities, givenNames, nouns, people, verbs, words } from './vocabulary.ts';

/** Seeded pseudo-random choices (mulberry32), so that every run builds byte-identical pages. */
export class Random {
  #state: number;

  constructor(seed: string) {
    this.#state = [...seed].reduce((hash, char) => Math.imul(hash ^ char.charCodeAt(0), 0x01000193) >>> 0, 0x811c9dc5);
  }

  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  }

  int(min: number, max: number): number {
    return min + Math.floor(this.next() * (max - min + 1));
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  /** All of them in another order (Fisher-Yates). */
  shuffled<T>(items: readonly T[]): T[] {
    const left = [...items];
    return items.map(() => left.splice(this.int(0, left.length - 1), 1)[0] as T);
  }

  pick<T>(choices: readonly T[]): T {
    const choice = choices[this.int(0, choices.length - 1)];
    if (choice === undefined) throw new Error('cannot pick from an empty list');
    return choice;
  }

  phrase(min: number, max: number): string {
    const length = this.int(min, max);
    return Array.from({ length }, () => this.pick(this.chance(0.45) ? nouns : words)).join(' ');
  }

  sentence(min = 8, max = 20): string {
    return `${capitalise(this.phrase(min, max))}.`;
  }

  paragraph(min = 2, max = 5): string {
    return Array.from({ length: this.int(min, max) }, () => this.sentence()).join(' ');
  }

  headline(): string {
    return `${this.pick(cities)} ${this.pick(nouns)} ${this.pick(verbs)} ${this.phrase(3, 7)}`;
  }

  person(): string {
    return `${this.pick(givenNames)} ${this.pick(people)}`;
  }

  price(): string {
    return `$${this.int(4, 899)}.${this.pick(['00', '49', '95', '99'])}`;
  }

  slug(): string {
    return this.phrase(2, 4).replaceAll(' ', '-');
  }

  /** A class name as a CSS-in-JS build would emit it. */
  hash(): string {
    return `css-${Math.floor(this.next() * 2 ** 31)
      .toString(36)
      .padStart(6, '0')}`;
  }
}

export function capitalise(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
