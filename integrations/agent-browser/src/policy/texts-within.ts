/** Texts that are found at the same place of like things: names of nodes, cells of a column, items of a list. */
class TextSlot {
  readonly texts: string[] = [];
  /** The texts after mapping. */
  mapped: readonly string[] = [];
  /** How many of them were taken so far. */
  taken = 0;
  readonly #inner = new Map<string | number, TextSlot>();

  below(key: string | number): TextSlot {
    let place = this.#inner.get(key);
    if (place === undefined) {
      place = new TextSlot();
      this.#inner.set(key, place);
    }
    return place;
  }

  *all(): Generator<TextSlot> {
    yield this;
    for (const place of this.#inner.values()) yield* place.all();
  }
}

/** Which fields of objects are passed by. */
export interface Passed {
  /** They stand for themselves. */
  fields: ReadonlySet<string>;
  /** In these none is passed by. */
  except: ReadonlySet<string>;
}

/**
 * A value of any shape with all texts in it, keys as well, mapped; the very same one when none has changed. Texts beside
 * each other are mapped together, in their order.
 */
export function mapTextsWithin<T>(value: T, map: (texts: readonly string[]) => readonly string[], passed?: Passed): T {
  const root = new TextSlot();
  const keys = new Set<string>();
  each(
    value,
    { place: root, passed },
    { text: (text, place) => void place.texts.push(text), key: key => keys.add(key) },
  );
  let isSame = true;
  const mapped = (texts: string[]): readonly string[] => {
    const result = texts.length === 0 ? texts : map(texts);
    isSame &&= result === texts;
    return result;
  };
  for (const place of root.all()) place.mapped = mapped(place.texts);
  const names = new Map([...keys].map(key => [key, map([key])[0] ?? key]));
  if (isSame && [...names].every(([key, name]) => key === name)) return value;
  return rebuilt(value, { place: root, passed }, names) as T;
}

interface Where {
  place: TextSlot;
  passed: Passed | undefined;
}

interface Visitor {
  text(text: string, place: TextSlot): void;
  key(key: string): void;
}

function each(value: unknown, where: Where, visitor: Visitor): void {
  if (typeof value === 'string') visitor.text(value, where.place);
  else if (Array.isArray(value)) {
    const isList = isOfLikeThings(value);
    for (const [index, item] of value.entries()) each(item, itemOf(index, isList, where), visitor);
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, inner] of Object.entries(value)) {
      visitor.key(key);
      const next = fieldOf(key, where);
      if (next !== undefined) each(inner, next, visitor);
    }
  }
}

function rebuilt(value: unknown, where: Where, names: ReadonlyMap<string, string>): unknown {
  if (typeof value === 'string') return where.place.mapped[where.place.taken++];
  if (Array.isArray(value)) {
    const isList = isOfLikeThings(value);
    return value.map((item, index) => rebuilt(item, itemOf(index, isList, where), names));
  }
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, inner]) => {
    const next = fieldOf(key, where);
    return [names.get(key) ?? key, next === undefined ? inner : rebuilt(inner, next, names)];
  });
  return Object.fromEntries(entries);
}

/** Items of a list are alike; in a record of several types each has its own meaning. */
function isOfLikeThings(list: readonly unknown[]): boolean {
  return list.every(item => typeof item === typeof list[0]);
}

function itemOf(index: number, isList: boolean, { place, passed }: Where): Where {
  return { place: place.below(isList ? '[]' : index), passed };
}

/** Undefined for a field that is passed by. */
function fieldOf(key: string, { place, passed }: Where): Where | undefined {
  if (passed?.fields.has(key)) return undefined;
  return { place: place.below(key), passed: passed?.except.has(key) ? undefined : passed };
}
