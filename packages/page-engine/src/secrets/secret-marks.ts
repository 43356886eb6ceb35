import type { SecretPiece } from '../protocol.js';

/** A text that can be recognised but not read: its folded length and two hashes of it. */
interface Mark {
  /** The name of the secret. */
  name: string;
  length: number;
  hashes: [number, number];
}

/** The texts to find, as hashes. The bases are odd and random, so that precomputed hashes are of no use. */
export interface Marks {
  bases: [number, number];
  marks: Mark[];
}

/** Fewer characters of a secret reveal nothing. */
export const SHORTEST_PIECE = 4;

const IGNORED_CHARACTERS = /[\s\p{DI}\p{Cf}\p{Cc}]/u;

/** A match in a stream of folded units; `end` is exclusive. */
export interface MarkRange {
  name: string;
  start: number;
  end: number;
}

/** Emits the units that are compared: letters in one case, without white space and invisible characters. */
export function foldUnits(text: string, push: (unit: number, offset: number) => void): void {
  for (let offset = 0; offset < text.length; offset++) {
    const unit = text.charCodeAt(offset);
    if (unit < 128) {
      if (unit > 32) push(unit >= 65 && unit <= 90 ? unit + 32 : unit, offset);
      continue;
    }
    const letter = text.charAt(offset);
    if (IGNORED_CHARACTERS.test(letter)) continue;
    const plain = letter.normalize('NFKD').toLowerCase();
    for (let index = 0; index < plain.length; index++) push(plain.charCodeAt(index), offset);
  }
}

export function foldedUnits(text: string): number[] {
  const units: number[] = [];
  foldUnits(text, unit => units.push(unit));
  return units;
}

export function markOf({ name, text }: SecretPiece, bases: Marks['bases']): Mark {
  const units = foldedUnits(text);
  return { name, length: units.length, hashes: [hashOf(units, bases[0]), hashOf(units, bases[1])] };
}

function hashOf(units: readonly number[], base: number): number {
  let hash = 0;
  for (const unit of units) hash = (Math.imul(hash, base) + unit) | 0;
  return hash;
}

/** All matches of all marks in a stream of folded units, in one pass for each length. */
export function findMarks(units: readonly number[], { bases, marks }: Marks): MarkRange[] {
  const found: MarkRange[] = [];
  for (const length of new Set(marks.map(mark => mark.length))) {
    const alike = marks.filter(mark => mark.length === length);
    roll(units, { length, bases }, (first, second, start) => {
      const mark = alike.find(({ hashes }) => hashes[0] === first && hashes[1] === second);
      if (mark !== undefined) found.push({ name: mark.name, start, end: start + length });
    });
  }
  return found;
}

type OnWindow = (first: number, second: number, start: number) => void;

/** Hashes of every window of a length, each computed from the one before (Rabin and Karp). */
function roll(
  units: readonly number[],
  { length, bases }: { length: number; bases: Marks['bases'] },
  on: OnWindow,
): void {
  const [a, b] = bases;
  let [topA, topB] = [1, 1];
  for (let i = 0; i < length; i++) [topA, topB] = [Math.imul(topA, a), Math.imul(topB, b)];
  let [hashA, hashB] = [0, 0];
  for (let at = 0; at < units.length; at++) {
    const unit = units[at] ?? 0;
    const gone = at < length ? 0 : (units[at - length] ?? 0);
    hashA = (Math.imul(hashA, a) + unit - Math.imul(gone, topA)) | 0;
    hashB = (Math.imul(hashB, b) + unit - Math.imul(gone, topB)) | 0;
    if (at >= length - 1) on(hashA, hashB, at - length + 1);
  }
}

/** Whether some characters of a secret stand in a text one after another. */
export function sharesPiece(text: string, secret: string): boolean {
  const [within, all] = [text.toLowerCase(), secret.toLowerCase()];
  const starts = Array.from({ length: all.length - SHORTEST_PIECE + 1 }, (_, start) => start);
  return starts.some(start => within.includes(all.slice(start, start + SHORTEST_PIECE)));
}
