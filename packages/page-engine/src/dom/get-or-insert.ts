interface MapLike<Key, Value> {
  get(key: Key): Value | undefined;
  set(key: Key, value: Value): unknown;
}

/** The value of a key, made where there is none yet: as `Map.prototype.getOrInsertComputed`, which Node 22 lacks. */
export function getOrInsert<Key, Value>(map: MapLike<Key, Value>, key: Key, make: (key: Key) => Value): Value {
  const known = map.get(key);
  if (known !== undefined) return known;
  const value = make(key);
  map.set(key, value);
  return value;
}
